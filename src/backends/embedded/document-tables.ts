import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { MediaRecord } from '#domain/media-record.ts';
import { digestedColumns, digestText } from './document-digest.ts';
import { indexText } from './index-text.ts';
import { documentColumns, documentLists } from './record-row.ts';
import { insertion } from './sqlite-store.ts';
import { Suppressed } from './suppressed.ts';

/** Writes the index entries of a record, by the record's row; a suppressed one gets none. */
export class DocumentTables {
  readonly #suppressed: Suppressed;
  readonly #insertDocument: StatementSync;
  readonly #insertList: StatementSync;
  readonly #insertText: StatementSync;
  readonly #removeText: StatementSync;
  readonly #removeLists: StatementSync;
  readonly #removeDocument: StatementSync;
  readonly #insertRow: StatementSync;

  constructor(database: DatabaseSync) {
    this.#suppressed = new Suppressed(database);
    const columns = ['record', ...digestedColumns, 'text_digest'];
    this.#insertDocument = database.prepare(insertion('documents', columns));
    this.#insertList = database.prepare(`INSERT INTO document_lists (field, value, record) VALUES (?, ?, ?)`);
    const texts = ['rowid', 'exact', 'names', 'aliases', 'hosts', 'concepts', 'place', 'description'];
    this.#insertText = database.prepare(insertion('search_text', texts));
    this.#removeText = database.prepare(`DELETE FROM search_text WHERE rowid = ?`);
    this.#removeLists = database.prepare(`DELETE FROM document_lists WHERE record = ?`);
    this.#removeDocument = database.prepare(`DELETE FROM documents WHERE record = ?`);
    // After a delete from FTS5, every write of the connection reports a row of FTS5's own tables as the last inserted
    // one, and its number may exceed a JavaScript number: until another row is inserted.
    database.exec('CREATE TEMP TABLE IF NOT EXISTS row_inserted_last (row INTEGER PRIMARY KEY)');
    this.#insertRow = database.prepare('REPLACE INTO temp.row_inserted_last (row) VALUES (1)');
    for (const statement of [this.#insertText, this.#removeText]) statement.setReadBigInts(true);
  }

  /** Adds the record of a row that is not indexed yet. */
  add(record: MediaRecord, row: number): void {
    if (this.#suppressed.holds(record)) return;
    const text = indexText(record);
    this.#insertDocument.run({ record: row, ...documentColumns(record), text_digest: digestText(text) });
    for (const [field, value] of documentLists(record)) this.#insertList.run(field, value, row);
    this.#insertText.run({ rowid: row, ...text });
  }

  /** Each part separately: if one was lost, the others are still deleted. */
  remove(row: number): void {
    this.#removeText.run(row);
    this.#insertRow.run();
    this.#removeLists.run(row);
    this.#removeDocument.run(row);
  }

  /** Replaces whatever the index holds for a row with the given content; null deletes it. */
  replace(record: MediaRecord | null, row: number): void {
    this.remove(row);
    if (record !== null) this.add(record, row);
  }
}
