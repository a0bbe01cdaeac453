import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, transact } from '../../src/backends/embedded/database.ts';
import { openEmbedded } from '../../src/backends/embedded/open-embedded.ts';
import { formsOfAll, type NewRecordForms, textColumns } from '../../src/backends/embedded/record-forms.ts';
import { columnsOfRecord, documentColumnTypes } from '../../src/backends/embedded/record-row.ts';
import { insertionInOrder } from '../../src/backends/embedded/sqlite-store.ts';
import { insertion } from '../../src/backends/mongo/mongo-record-store.ts';
import { openMongo } from '../../src/backends/mongo/open-mongo.ts';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { newTestDatabase } from '../../test/support/mongo-database.ts';
import type { ImportStore } from './import.ts';

/** Records written in one step, as an import does. */
const batchSize = 1_000;

/** A new embedded store in the temporary folder of the system. */
export async function openEmbeddedToFill(): Promise<ImportStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-bench-'));
  const store = openEmbedded({ dataDir, logLine: () => {} });
  return {
    ...store,
    prepareBare: async (records) => {
      const rows = formsOfAll(records);
      return async () => insertIntoTables(join(dataDir, 'bare'), rows);
    },
    async close() {
      await store.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Inserts rows into the tables that a record has, in transactions as large as those of an import. */
function insertIntoTables(folder: string, rows: readonly NewRecordForms[]): void {
  const database = openDatabase(folder, () => {});
  const record = database.prepare(insertionInOrder('records', ['record', ...columnsOfRecord]));
  const columns = ['record', 'text_digest', ...Object.keys(documentColumnTypes)];
  const document = database.prepare(insertionInOrder('documents', columns));
  const text = database.prepare(insertionInOrder('search_text', ['rowid', ...textColumns]));
  for (let start = 0; start < rows.length; start += batchSize) {
    transact(database, () => {
      for (const [place, row] of rows.slice(start, start + batchSize).entries()) {
        const number = start + place + 1;
        record.run(number, ...row.row);
        document.run(number, row.textDigest, ...row.document);
        text.run(number, ...row.text);
      }
    });
  }
  database.close();
}

/** A new database on a MongoDB server. */
export async function openMongoToFill(url: string): Promise<ImportStore> {
  const database = newTestDatabase(url);
  const store = await openMongo({ uri: database.uri, logLine: () => {} });
  await store.whenPrepared();
  return {
    ...store,
    prepareBare: async (records: readonly MediaRecord[]) => {
      const writes = records.flatMap(insertion);
      const bare = database.client.db().collection<{ _id: string }>('bare');
      return async () => {
        for (let start = 0; start < writes.length; start += batchSize) {
          await bare.bulkWrite(writes.slice(start, start + batchSize), {
            ordered: false,
            writeConcern: { w: 'majority' },
          });
        }
      };
    },
    async close() {
      await store.close();
      await database.drop();
    },
  };
}
