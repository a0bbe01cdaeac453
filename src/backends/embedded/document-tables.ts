import type { DatabaseSync } from 'node:sqlite';
import { digestContent } from '#records/changes/record-change.ts';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import { deadLetterId } from '#records/normalize/normalize-values.ts';
import { redated } from '#records/service-dates.ts';
import { showKey, suppressionKeys, withoutSuppressed } from '#records/suppression.ts';
import { rowsOfBlock } from './document-columns.ts';
import { formsOf, type RecordForms, textColumns } from './record-forms.ts';
import { documentColumnTypes, type RecordRow, readRecord, readState, recordColumns } from './record-row.ts';
import { insertion } from './sqlite-store.ts';

const columns = ['text_digest', ...Object.keys(documentColumnTypes)];

export type DocumentTables = ReturnType<typeof documentTables>;

/** Writes the index entries of a record, by the record's row: of what suppressions leave of it, and none if they hide it whole. */
export function documentTables(database: DatabaseSync) {
  const visiblePart = visiblePartFinder(database);
  const saveDocument = database.prepare(
    `${insertion('documents', ['record', ...columns])} ON CONFLICT (record) DO UPDATE SET ${columns
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}`,
  );
  const insertText = database.prepare(insertion('search_text', ['rowid', ...textColumns]));
  const findText = database.prepare(
    'SELECT 1 FROM documents WHERE record = ?1 AND text_digest = ?2 AND ?1 IN (SELECT id FROM search_text_docsize)',
  );
  // VALUES with a subquery, because INSERT … SELECT begins a savepoint, at which FTS5 flushes.
  const insertMeaning = database.prepare(
    'INSERT INTO meanings (record, meaning, edition) VALUES (?, ?, (SELECT edition FROM search_index))',
  );
  const removeMeaning = database.prepare('DELETE FROM meanings WHERE record = ?');
  const removeText = database.prepare('DELETE FROM search_text WHERE rowid = ?');
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
  const updateBody = database.prepare('UPDATE records SET body = ?, secret = ? WHERE record = ?');
  // After a delete from FTS5, every write reports a row of FTS5's own tables as the last inserted one, until another row is
  // inserted. Its number may exceed a JavaScript number.
  database.exec('CREATE TEMP TABLE IF NOT EXISTS row_inserted_last (row INTEGER PRIMARY KEY)');
  const insertRow = database.prepare('REPLACE INTO temp.row_inserted_last (row) VALUES (1)');
  for (const statement of [insertText, removeText]) statement.setReadBigInts(true);

  /** Adds the record of a row that is not indexed yet. */
  function add(record: MediaRecord, row: number, made?: RecordForms): void {
    const visible = visiblePart(record);
    if (visible === null) return;
    const forms = made && visible === record ? made : formsOf(visible);
    saveValues(forms, row);
    insertWords(forms, row);
  }

  function insertWords({ text, meaning }: RecordForms, row: number): void {
    insertText.run(row, ...text);
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
    removeWords(row);
    noteChange(row);
    removeDocument.run(row);
  }

  function removeWords(row: number): void {
    removeText.run(row);
    insertRow.run();
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
      return;
    }
    const record = repaired(state.record, readRecord(row));
    add(record, Number(row.record));
    removeDeadLetter.run(id);
    // Answers show the body, so it must have the mask, the fields and the scrubbed texts of this version.
    const { body, secret } = recordColumns(record);
    if (body !== row.body || secret !== row.secret) updateBody.run(body, secret, Number(row.record));
  }

  /** The record as this version shows it, dated now if it was another one. An undo of what created it still knows it. */
  function repaired(record: MediaRecord, stored: MediaRecord): MediaRecord {
    const [digest, digestBefore] = [digestContent(record), digestContent(stored)];
    if (digest === digestBefore) return record;
    renewCreation.run(digest, record.id, digestBefore);
    return redated(record, new Date());
  }

  /** Dates the record of a row that is not found any more, or again. Returns it with its date. */
  function date(record: MediaRecord, row: number): MediaRecord {
    const dated = redated(record, new Date());
    const { body, secret } = recordColumns(dated);
    updateBody.run(body, secret, row);
    return dated;
  }

  /** Updates the entries of a record. Leaves its full text if that is the same, because writing it is most of the work. */
  function update(record: MediaRecord, row: number): void {
    const visible = visiblePart(record);
    if (visible === null) {
      remove(row);
      return;
    }
    const forms = formsOf(visible);
    const isSameText = findText.get(row, forms.textDigest) !== undefined;
    if (!isSameText) removeWords(row);
    saveValues(forms, row);
    if (!isSameText) insertWords(forms, row);
  }

  return { add, remove, update, renew, findable, date };
}

/** Finds what the suppression list leaves of a record or patch, as of the current transaction; null if it hides it whole. */
export function visiblePartFinder(database: DatabaseSync): <Given extends RecordPatch>(record: Given) => Given | null {
  const selectAny = database.prepare('SELECT 1 FROM suppressions LIMIT 1');
  const select = database.prepare('SELECT 1 FROM suppressions WHERE key = ?');
  return (record) => {
    if (selectAny.get() === undefined) return record;
    return withoutSuppressed(record, new Set(suppressionKeys(record).filter((key) => select.get(key))));
  };
}

/** The ids of found records of which these keys hide something. */
export function findSuppressed(database: DatabaseSync, keys: ReadonlySet<string>): string[] {
  const ids = [...keys].map(showKey).flatMap(({ kind, value }) => (kind === 'record' ? [value] : []));
  const indexed = database.prepare(
    'SELECT 1 FROM records AS r CROSS JOIN documents AS d ON d.record = r.record WHERE r.id = ?',
  );
  // Addresses and domains are in no index, so all records are read.
  return ids.length === keys.size ? ids.filter((id) => indexed.get(id)) : findInAll(database, keys);
}

function findInAll(database: DatabaseSync, keys: ReadonlySet<string>): string[] {
  const candidates = database.prepare(
    `SELECT r.body, r.secret FROM documents AS d CROSS JOIN records AS r ON r.record = d.record`,
  );
  const ids: string[] = [];
  for (const row of candidates.iterate()) {
    const record = readRecord(row);
    if (withoutSuppressed(record, keys) !== record) ids.push(record.id);
  }
  return ids;
}
