import type { DatabaseSync } from 'node:sqlite';
import { digestContent, digestsOf, sameValue } from '#records/changes/record-change.ts';
import { type MediaRecord, redate } from '#records/media-record.ts';
import { deadLetterId } from '#records/normalize/normalize-values.ts';
import { recordOfKey, type Suppressible, suppressionKeys, withoutSuppressed } from '#records/suppression.ts';
import { rowsOfBlock } from './index-columns.ts';
import { type ContactForms, contactTextColumns, formsOf, type RecordForms, textColumns } from './record-forms.ts';
import {
  contactColumnTypes,
  documentColumnTypes,
  hiddenContactIds,
  hiddenIds,
  type RecordRow,
  readRecord,
  readState,
  recordColumns,
} from './record-row.ts';
import { feedWriter } from './sqlite-change-feed.ts';
import { insertion } from './sqlite-store.ts';

const columns = ['text_digest', ...Object.keys(documentColumnTypes)];
const contactColumns = [...Object.keys(contactColumnTypes), 'contact_digest'];

export type DocumentTables = ReturnType<typeof documentTables>;

/**
 * Writes the index entries of a record, by the record's row: of what suppressions leave of it, and none if they hide it whole.
 * `renew` and `show` also announce it to the feed of changes; whoever calls the others does so by itself, before FTS5 has words
 * to write.
 */
export function documentTables(database: DatabaseSync) {
  const visiblePart = visiblePartFinder(database);
  const announce = feedWriter(database);
  const saveDocument = database.prepare(
    `${insertion('documents', ['record', ...columns])} ON CONFLICT (record) DO UPDATE SET ${columns
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}`,
  );
  // Without RETURNING, which begins a savepoint, at which FTS5 flushes.
  const insertContact = database.prepare(insertion('contacts', ['record', ...contactColumns]));
  const updateContact = database.prepare(
    `UPDATE contacts SET ${contactColumns.map((column) => `${column} = ?`).join(', ')} WHERE contact = ?`,
  );
  const selectContacts = database.prepare(`
    SELECT contact, rank, contact_digest, contact IN (SELECT id FROM contact_text_docsize JOIN contact_tokens_docsize USING (id)) AS has_text
    FROM contacts WHERE record = ? ORDER BY rank`);
  const removeContact = database.prepare('DELETE FROM contacts WHERE contact = ?');
  const contactWords = wordTables(database, 'contact', contactTextColumns);
  const noteContactBlock = database.prepare(
    'REPLACE INTO contact_blocks (block, edition) VALUES (?, (SELECT edition FROM search_index))',
  );
  const words = wordTables(database, 'search', textColumns);
  const findText = database.prepare(
    `SELECT 1 FROM documents WHERE record = ?1 AND text_digest = ?2
     AND ?1 IN (SELECT id FROM search_text_docsize JOIN search_tokens_docsize USING (id))`,
  );
  // VALUES with a subquery, because INSERT … SELECT begins a savepoint, at which FTS5 flushes.
  const insertMeaning = database.prepare(
    'INSERT INTO meanings (record, meaning, edition) VALUES (?, ?, (SELECT edition FROM search_index))',
  );
  const removeMeaning = database.prepare('DELETE FROM meanings WHERE record = ?');
  const removeDocument = database.prepare('DELETE FROM documents WHERE record = ?');
  const countEdition = database.prepare('UPDATE search_index SET edition = edition + 1 WHERE one = 1');
  const noteBlock = database.prepare(
    'REPLACE INTO document_blocks (block, edition) VALUES (?, (SELECT edition FROM search_index))',
  );
  const saveDeadLetter = database.prepare('REPLACE INTO dead_letters (id, reason, at) VALUES (?, ?, ?)');
  const removeDeadLetter = database.prepare('DELETE FROM dead_letters WHERE id = ?');
  const renewCreation = database.prepare(
    `UPDATE changes SET body = json_set(body, '$.digest', ?1)
     WHERE record_id = ?2 AND body ->> '$.is' = 'created' AND body ->> '$.digest' = ?3`,
  );
  const findDocument = database.prepare('SELECT 1 FROM documents WHERE record = ?');
  const updateBody = database.prepare('UPDATE records SET body = ?, secret = ? WHERE record = ?');

  /** Adds what suppressions leave of the record of a row that is not indexed yet. */
  function add(visible: MediaRecord | null, row: number, formsAhead?: RecordForms): void {
    if (visible === null) return;
    const forms = formsAhead ?? formsOf(visible);
    saveValues(forms, row);
    saveContacts(forms.contacts, row, []);
    insertWords(forms, row);
  }

  function insertWords({ text, meaning }: RecordForms, row: number): void {
    words.insert(row, text);
    if (meaning !== null) insertMeaning.run(row, meaning);
  }

  /** Saves the contacts of a record over those that it has: a contact takes the row of the one of its rank. */
  function saveContacts(contacts: readonly ContactForms[], row: number, storedContacts: readonly RecordRow[]): void {
    const blocks = new Set<number>();
    for (const [rank, { columns, text, textDigest }] of contacts.entries()) {
      const before = storedContacts[rank];
      if (before !== undefined) updateContact.run(...columns, textDigest, Number(before.contact));
      const contact = Number(before?.contact ?? insertContact.run(row, ...columns, textDigest).lastInsertRowid);
      blocks.add(Math.floor(contact / rowsOfBlock));
      if (before?.has_text === 1 && before.contact_digest === textDigest) continue;
      if (before !== undefined) contactWords.remove(contact);
      contactWords.insert(contact, text);
    }
    for (const { contact } of storedContacts.slice(contacts.length)) {
      contactWords.remove(Number(contact));
      removeContact.run(Number(contact));
      blocks.add(Math.floor(Number(contact) / rowsOfBlock));
    }
    for (const block of blocks) noteContactBlock.run(block);
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
    const contacts = selectContacts.all(row);
    return () => {
      removeWords(row);
      noteChange(row);
      saveContacts([], row, contacts);
      removeDocument.run(row);
    };
  }

  function removeWords(row: number): void {
    words.remove(row);
    removeMeaning.run(row);
  }

  /** What searches should find of the record of a row; null if they should find nothing. */
  function findable(row: RecordRow): MediaRecord | null {
    const state = readState(row);
    return 'record' in state ? visiblePart(state.record) : null;
  }

  /** Makes the entries of a row again, whatever the index has. A row that is not a record becomes a dead letter. */
  function renew(row: RecordRow): void {
    const state = readState(row);
    const id = deadLetterId(String(row.id));
    remove(Number(row.record));
    if ('unreadable' in state) {
      saveDeadLetter.run(id, state.unreadable, new Date().toISOString());
      announce(String(row.id), null);
      return;
    }
    const isShownSo = hidesSame(row, state.record, visiblePart(state.record));
    const current = repaired(state.record, readRecord(row));
    const record = isShownSo ? current : redate(current, new Date());
    const visible = visiblePart(record);
    add(visible, Number(row.record));
    announce(record.id, visible);
    removeDeadLetter.run(id);
    rewrite(row, record, visible);
  }

  /** Answers show the body, so it must have the masks, the fields, the scrubbed texts and the visible contacts of this moment. */
  function rewrite(row: RecordRow, record: MediaRecord, visible: MediaRecord | null): void {
    const { body, secret } = recordColumns(record, visible ?? record);
    if (body !== row.body || secret !== row.secret) updateBody.run(body, secret, Number(row.record));
  }

  /** The record as this version shows it, dated now if it was another one. An undo of what created it still knows it. */
  function repaired(record: MediaRecord, stored: MediaRecord): MediaRecord {
    const digest = digestContent(record);
    if (digest === digestContent(stored)) return record;
    for (const digestBefore of digestsOf(stored)) renewCreation.run(digest, record.id, digestBefore);
    return redate(record, new Date());
  }

  /**
   * Makes the entries and the body of a row those of what suppressions leave of its record now. If that is something else than
   * before, it dates the record.
   */
  function show(row: RecordRow): void {
    const state = readState(row);
    if ('unreadable' in state) return;
    const visibleBefore = visiblePart(state.record);
    const isFound = findDocument.get(Number(row.record)) !== undefined;
    if (isFound === (visibleBefore !== null) && hidesSame(row, state.record, visibleBefore)) return;
    const record = redate(state.record, new Date());
    const visible = visiblePart(record);
    update(visible, Number(row.record));
    announce(record.id, visible);
    rewrite(row, record, visible);
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
    saveContacts(forms.contacts, row, selectContacts.all(row));
    if (!isSameText) insertWords(forms, row);
  }

  return { add, remove, removal, update, renew, show, announce, findable, visiblePart };
}

/** Writes the words of rows: their tokens and the columns of their text (index-text.ts). */
function wordTables(database: DatabaseSync, prefix: 'search' | 'contact', columns: readonly string[]) {
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

/** Whether the row of a record keeps back the same contacts as suppressions do now. */
function hidesSame(row: RecordRow, record: MediaRecord, visible: MediaRecord | null): boolean {
  return sameValue(hiddenIds(row), hiddenContactIds(record, visible ?? record));
}

/** Finds what the suppression list leaves of a record or patch, as of the current transaction; null if it hides it whole. */
export function visiblePartFinder(database: DatabaseSync): <Given extends Suppressible>(record: Given) => Given | null {
  const suppressedKeys = suppressedKeysFinder(database);
  return (record) => withoutSuppressed(record, suppressedKeys(record));
}

/** Finds the keys of the suppressions that hide something of a record or patch, as of the current transaction. */
export function suppressedKeysFinder(database: DatabaseSync): (record: Suppressible) => ReadonlySet<string> {
  const selectAny = database.prepare('SELECT 1 FROM suppressions LIMIT 1');
  const select = database.prepare('SELECT 1 FROM suppressions WHERE key = ?');
  const none: ReadonlySet<string> = new Set();
  return (record) => {
    if (selectAny.get() === undefined) return none;
    return new Set(suppressionKeys(record).filter((key) => select.get(key)));
  };
}

/** The found records of which these keys hide something, with contacts that are hidden already. */
export function findSuppressed(database: DatabaseSync, keys: ReadonlySet<string>): MediaRecord[] {
  const ids = [...new Set([...keys].map(recordOfKey))];
  // Addresses and domains are in no index, so all records are read.
  const candidates = ids.includes(null) ? readFound(database) : readFoundById(database, ids as string[]);
  return [...candidates].filter((record) => withoutSuppressed(record, keys) !== record);
}

const selectFound = 'SELECT r.body, r.secret FROM documents AS d CROSS JOIN records AS r ON r.record = d.record';

function* readFound(database: DatabaseSync): Generator<MediaRecord> {
  for (const row of database.prepare(selectFound).iterate()) yield readRecord(row);
}

function* readFoundById(database: DatabaseSync, ids: readonly string[]): Generator<MediaRecord> {
  const select = database.prepare(
    'SELECT r.body, r.secret FROM records AS r CROSS JOIN documents AS d ON d.record = r.record WHERE r.id = ?',
  );
  for (const id of ids) {
    const row = select.get(id);
    if (row !== undefined) yield readRecord(row);
  }
}
