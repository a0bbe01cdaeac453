import type { DatabaseSync } from 'node:sqlite';
import type { MediaRecord } from '#records/media-record.ts';
import { contactEntries } from './contact-entries.ts';
import { rowsOfBlock } from './index-columns.ts';
import { formsOf, type RecordForms, textColumns } from './record-forms.ts';
import { documentColumnTypes } from './record-row.ts';
import { insertion } from './sqlite-store.ts';
import { wordTables } from './word-tables.ts';

const columns = ['text_digest', ...Object.keys(documentColumnTypes)];

/**
 * Writes what the index has of a record, by the record's row: its values, words, meaning and contacts. `visible` is what
 * suppressions leave of the record; null if they hide it whole.
 */
export function indexEntries(database: DatabaseSync) {
  const contacts = contactEntries(database);
  const words = wordTables(database, 'search', textColumns);
  const saveDocument = database.prepare(
    `${insertion('documents', ['record', ...columns])} ON CONFLICT (record) DO UPDATE SET ${columns
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}`,
  );
  const removeDocument = database.prepare('DELETE FROM documents WHERE record = ?');
  const findDocument = database.prepare('SELECT 1 FROM documents WHERE record = ?');
  const findText = database.prepare(
    `SELECT 1 FROM documents WHERE record = ?1 AND text_digest = ?2
     AND ?1 IN (SELECT id FROM search_text_docsize JOIN search_tokens_docsize USING (id))`,
  );
  // VALUES with a subquery, because INSERT … SELECT begins a savepoint, at which FTS5 flushes.
  const insertMeaning = database.prepare(
    'INSERT INTO meanings (record, meaning, edition) VALUES (?, ?, (SELECT edition FROM search_index))',
  );
  const removeMeaning = database.prepare('DELETE FROM meanings WHERE record = ?');
  const countEdition = database.prepare('UPDATE search_index SET edition = edition + 1 WHERE one = 1');
  const noteBlock = database.prepare(
    'REPLACE INTO document_blocks (block, edition) VALUES (?, (SELECT edition FROM search_index))',
  );

  /** Adds the entries of a row that has none. */
  function add(visible: MediaRecord | null, row: number, formsAhead?: RecordForms): void {
    if (visible === null) return;
    const forms = formsAhead ?? formsOf(visible);
    saveValues(forms, row);
    contacts.save(forms.contacts, row, []);
    insertWords(forms, row);
  }

  function insertWords({ text, meaning }: RecordForms, row: number): void {
    words.insert(row, text);
    if (meaning !== null) insertMeaning.run(row, meaning);
  }

  function saveValues({ document, textDigest }: RecordForms, row: number): void {
    noteChange(row);
    saveDocument.run(row, textDigest, ...document);
  }

  function noteChange(row: number): void {
    countEdition.run();
    noteBlock.run(Math.floor(row / rowsOfBlock));
  }

  /** Deletes the entries of a row, each on its own, so that a missing one does not keep the others. */
  function remove(row: number): void {
    removal(row)();
  }

  /** Reads which entries a row has, and returns a function that deletes them: also when the record is gone, and its contacts with it. */
  function removal(row: number): () => void {
    const storedContacts = contacts.list(row);
    return () => {
      removeWords(row);
      noteChange(row);
      contacts.save([], row, storedContacts);
      removeDocument.run(row);
    };
  }

  function removeWords(row: number): void {
    words.remove(row);
    removeMeaning.run(row);
  }

  /** Updates the entries of a row. Leaves its full text if that is the same, because writing it is most of the work. */
  function update(visible: MediaRecord | null, row: number): void {
    if (visible === null) {
      remove(row);
      return;
    }
    const forms = formsOf(visible);
    const isSameText = findText.get(row, forms.textDigest) !== undefined;
    if (!isSameText) removeWords(row);
    saveValues(forms, row);
    contacts.save(forms.contacts, row, contacts.list(row));
    if (!isSameText) insertWords(forms, row);
  }

  const has = (row: number) => findDocument.get(row) !== undefined;

  return { has, add, update, remove, removal };
}
