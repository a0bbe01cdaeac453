import { DatabaseSync } from 'node:sqlite';
import { databasePath, openReader } from '../../src/backends/embedded/database.ts';
import type { BareScan } from './export.ts';

/** SQLite without the product: one statement over all records, read on a connection of this process. */
export function openBareSqliteScan(dataDir: string): BareScan {
  const database = openReader(databasePath(dataDir));
  return {
    name: 'SQLite statement',
    async readAll() {
      let rows = 0;
      for (const { body } of database.prepare('SELECT body, email, email_source FROM records').iterate()) {
        JSON.parse(String(body));
        rows += 1;
      }
      return rows;
    },
    async holdsScan() {
      const writer = new DatabaseSync(databasePath(dataDir));
      try {
        // A reader whose moment is before the last write keeps the log from being emptied.
        const version = writer.prepare('PRAGMA user_version').get()?.user_version;
        writer.exec(`PRAGMA user_version = ${version}`);
        return writer.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0;
      } finally {
        writer.close();
      }
    },
    async close() {
      database.close();
    },
  };
}
