import type { DatabaseSync } from 'node:sqlite';
import { rowsOfBlock } from './index-columns.ts';
import { type ContactForms, contactTextColumns } from './record-forms.ts';
import { contactColumnTypes, type RecordRow } from './record-row.ts';
import { insertion } from './sqlite-store.ts';
import { wordTables } from './word-tables.ts';

const columns = [...Object.keys(contactColumnTypes), 'contact_digest'];

/** Reads and writes what the index has of the contacts of a record. */
export function contactEntries(database: DatabaseSync) {
  const select = database.prepare(`
    SELECT contact, rank, contact_digest, contact IN (SELECT id FROM contact_text_docsize JOIN contact_tokens_docsize USING (id)) AS has_text
    FROM contacts WHERE record = ? ORDER BY rank`);
  // Without RETURNING, which begins a savepoint, at which FTS5 flushes.
  const insert = database.prepare(insertion('contacts', ['record', ...columns]));
  const update = database.prepare(
    `UPDATE contacts SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE contact = ?`,
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
