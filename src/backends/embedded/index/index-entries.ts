import type { DatabaseSync } from 'node:sqlite';
import type { MediaRecord } from '#records/media-record.ts';
import { contactColumnTypes, documentColumnTypes, type RecordRow } from '../record-row.ts';
import { insertion } from '../sqlite-store.ts';
import { rowsOfBlock } from './index-columns.ts';
import { type ContactForms, contactTextColumns, formsOf, type RecordForms, textColumns } from './record-forms.ts';
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

const contactEntryColumns = [...Object.keys(contactColumnTypes), 'contact_digest'];

/** Reads and writes what the index has of the contacts of a record. */
function contactEntries(database: DatabaseSync) {
  const select = database.prepare(`
    SELECT contact, rank, contact_digest, contact IN (SELECT id FROM contact_text_docsize JOIN contact_tokens_docsize USING (id)) AS has_text
    FROM contacts WHERE record = ? ORDER BY rank`);
  // Without RETURNING, which begins a savepoint, at which FTS5 flushes.
  const insert = database.prepare(insertion('contacts', ['record', ...contactEntryColumns]));
  const update = database.prepare(
    `UPDATE contacts SET ${contactEntryColumns.map((column) => `${column} = ?`).join(', ')} WHERE contact = ?`,
  );
  const remove = database.prepare('DELETE FROM contacts WHERE contact = ?');
  const words = wordTables(database, 'contact', contactTextColumns);
  const noteBlock = database.prepare(
    'REPLACE INTO contact_blocks (block, edition) VALUES (?, (SELECT edition FROM search_index))',
  );
  return {
    /** The entries of a record's row, by rank. */
    list: (row: number): readonly RecordRow[] => select.all(row),

    /** Saves the contacts of a record over those that it has: a contact takes the row of the one of its rank. */
    save(contacts: readonly ContactForms[], row: number, storedContacts: readonly RecordRow[]): void {
      const blocks = new Set<number>();
      for (const [rank, { columns, text, textDigest }] of contacts.entries()) {
        const before = storedContacts[rank];
        if (before !== undefined) update.run(...columns, textDigest, Number(before.contact));
        const contact = Number(before?.contact ?? insert.run(row, ...columns, textDigest).lastInsertRowid);
        blocks.add(Math.floor(contact / rowsOfBlock));
        if (before?.has_text === 1 && before.contact_digest === textDigest) continue;
        if (before !== undefined) words.remove(contact);
        words.insert(contact, text);
      }
      for (const { contact } of storedContacts.slice(contacts.length)) {
        words.remove(Number(contact));
        remove.run(Number(contact));
        blocks.add(Math.floor(Number(contact) / rowsOfBlock));
      }
      for (const block of blocks) noteBlock.run(block);
    },
  };
}
