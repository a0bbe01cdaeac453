import type { DatabaseSync } from 'node:sqlite';
import { insertion } from '../sqlite-store.ts';

/** Writes the words of rows: their tokens and the columns of their text (index-text.ts). */
export function wordTables(database: DatabaseSync, prefix: 'search' | 'contact', columns: readonly string[]) {
  const insertTokens = database.prepare(insertion(`${prefix}_tokens`, ['rowid', 'tokens']));
  const insertText = database.prepare(insertion(`${prefix}_text`, ['rowid', ...columns]));
  const removeTokens = database.prepare(`DELETE FROM ${prefix}_tokens WHERE rowid = ?`);
  const removeText = database.prepare(`DELETE FROM ${prefix}_text WHERE rowid = ?`);
  // After a delete from FTS5, every write reports a row of FTS5's own tables as the last inserted one, until another row is
  // inserted. Its number may exceed a JavaScript number.
  database.exec('CREATE TEMP TABLE IF NOT EXISTS row_inserted_last (row INTEGER PRIMARY KEY)');
  const insertRow = database.prepare('REPLACE INTO temp.row_inserted_last (row) VALUES (1)');
  for (const statement of [insertTokens, insertText, removeTokens, removeText]) statement.setReadBigInts(true);
  return {
    insert(row: number, [tokens = '', ...text]: readonly string[]): void {
      insertTokens.run(row, tokens);
      insertText.run(row, ...text);
    },
    remove(row: number): void {
      removeTokens.run(row);
      removeText.run(row);
      insertRow.run();
    },
  };
}
