import type { DatabaseSync } from 'node:sqlite';
import type { MediaRecord } from '#records/media-record.ts';
import { digestedColumns } from './document-digest.ts';
import { formsOf, type RecordForms, textColumns } from './record-forms.ts';
import { insertionInOrder } from './sqlite-store.ts';
import { suppressionCheck } from './suppressed.ts';

export type DocumentTables = ReturnType<typeof documentTables>;

/** Writes the index entries of a record, by the record's row; a suppressed one gets none. */
export function documentTables(database: DatabaseSync) {
  const isSuppressed = suppressionCheck(database);
  const insertDocument = database.prepare(insertionInOrder('documents', ['record', 'text_digest', ...digestedColumns]));
  const updateDocument = database.prepare(
    `UPDATE documents SET ${['text_digest', ...digestedColumns].map((column) => `${column} = ?`).join(', ')} WHERE record = ?`,
  );
  const selectLists = database.prepare('SELECT field, value FROM document_lists WHERE record = ?');
  const insertList = database.prepare('INSERT INTO document_lists (field, value, record) VALUES (?, ?, ?)');
  const insertText = database.prepare(insertionInOrder('search_text', ['rowid', ...textColumns]));
  const findText = database.prepare(
    'SELECT 1 FROM documents WHERE record = ?1 AND text_digest = ?2 AND ?1 IN (SELECT id FROM search_text_docsize)',
  );
  const removeText = database.prepare('DELETE FROM search_text WHERE rowid = ?');
  const removeLists = database.prepare('DELETE FROM document_lists WHERE record = ?');
  const removeDocument = database.prepare('DELETE FROM documents WHERE record = ?');
  const countEdition = database.prepare('UPDATE search_index SET edition = edition + 1 WHERE one = 1');
  // After a delete from FTS5, every write of the connection reports a row of FTS5's own tables as the last inserted
  // one, and its number may exceed a JavaScript number: until another row is inserted.
  database.exec('CREATE TEMP TABLE IF NOT EXISTS row_inserted_last (row INTEGER PRIMARY KEY)');
  const insertRow = database.prepare('REPLACE INTO temp.row_inserted_last (row) VALUES (1)');
  for (const statement of [insertText, removeText]) statement.setReadBigInts(true);

  /** Adds the record of a row that is not indexed yet. */
  function add(record: MediaRecord, row: number, made?: RecordForms): void {
    if (isSuppressed(record)) return;
    const forms = made ?? formsOf(record);
    insertValues(forms, row);
    insertWords(forms, row);
  }

  function insertWords({ text }: RecordForms, row: number): void {
    insertText.run(row, ...text);
  }

  function insertValues({ document, lists, textDigest }: RecordForms, row: number): void {
    countEdition.run();
    insertDocument.run(row, textDigest, ...document);
    insertLists(lists, row);
  }

  function insertLists(lists: RecordForms['lists'], row: number): void {
    for (const [field, value] of lists) insertList.run(field, value, row);
  }

  function updateValues({ document, lists, textDigest }: RecordForms, row: number): void {
    countEdition.run();
    const { changes } = updateDocument.run(textDigest, ...document, row);
    if (changes === 0) insertDocument.run(row, textDigest, ...document);
    if (isSameSet(selectLists.all(row), lists)) return;
    removeLists.run(row);
    insertLists(lists, row);
  }

  /** Each part separately: if one was lost, the others are still deleted. */
  function remove(row: number): void {
    removeWords(row);
    removeValues(row);
  }

  function removeWords(row: number): void {
    removeText.run(row);
    insertRow.run();
  }

  function removeValues(row: number): void {
    countEdition.run();
    removeLists.run(row);
    removeDocument.run(row);
  }

  /** Replaces whatever the index holds for a row with the given content; null deletes it. */
  function replace(record: MediaRecord | null, row: number): void {
    remove(row);
    if (record !== null) add(record, row);
  }

  /** As `replace`, for a record that changed: what says the same is left, which is most of the work. */
  function update(record: MediaRecord, row: number): void {
    if (isSuppressed(record)) {
      remove(row);
      return;
    }
    const forms = formsOf(record);
    const isSameText = findText.get(row, forms.textDigest) !== undefined;
    if (!isSameText) removeWords(row);
    updateValues(forms, row);
    if (!isSameText) insertWords(forms, row);
  }

  return { add, remove, replace, update };
}

function isSameSet(kept: readonly Record<string, unknown>[], lists: RecordForms['lists']): boolean {
  if (kept.length !== lists.length) return false;
  return lists.every(([field, value]) => kept.some((row) => row.field === field && row.value === value));
}
