import type { DatabaseSync } from 'node:sqlite';
import { digestContent, digestsOf, sameValue } from '#records/changes/record-change.ts';
import { type MediaRecord, redate } from '#records/media-record.ts';
import { deadLetterId } from '#records/normalize/normalize-values.ts';
import { indexEntries } from '../index/index-entries.ts';
import { hiddenContactIds, hiddenIds, type RecordRow, readRecord, readState, recordColumns } from '../record-row.ts';
import { feedWriter } from './sqlite-change-feed.ts';
import { visiblePartFinder } from './suppressed-records.ts';

export type DocumentTables = ReturnType<typeof documentTables>;

/**
 * Keeps the index entries of a record those of what suppressions leave of it, and none if they hide it whole. `renew` and `show`
 * also announce it to the feed of changes; callers of the others announce it themselves, before FTS5 has words to write.
 */
export function documentTables(database: DatabaseSync) {
  const entries = indexEntries(database);
  const visiblePart = visiblePartFinder(database);
  const announce = feedWriter(database);
  const saveDeadLetter = database.prepare('REPLACE INTO dead_letters (id, reason, at) VALUES (?, ?, ?)');
  const removeDeadLetter = database.prepare('DELETE FROM dead_letters WHERE id = ?');
  const renewCreation = database.prepare(
    `UPDATE changes SET body = json_set(body, '$.digest', ?1)
     WHERE record_id = ?2 AND body ->> '$.is' = 'created' AND body ->> '$.digest' = ?3`,
  );
  const updateBody = database.prepare('UPDATE records SET body = ?, secret = ? WHERE record = ?');

  /** What searches should find of the record of a row; null if they should find nothing. */
  function findable(row: RecordRow): MediaRecord | null {
    const state = readState(row);
    return 'record' in state ? visiblePart(state.record) : null;
  }

  /** Makes the entries of a row again, whatever the index has. A row that is not a record becomes a dead letter. */
  function renew(row: RecordRow): void {
    const state = readState(row);
    const id = deadLetterId(String(row.id));
    entries.remove(Number(row.record));
    if ('unreadable' in state) {
      saveDeadLetter.run(id, state.unreadable, new Date().toISOString());
      announce(String(row.id), null);
      return;
    }
    const isShownSo = hidesSame(row, state.record, visiblePart(state.record));
    const current = repaired(state.record, readRecord(row));
    const record = isShownSo ? current : redate(current, new Date());
    const visible = visiblePart(record);
    entries.add(visible, Number(row.record));
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
    const isFound = entries.has(Number(row.record));
    if (isFound === (visibleBefore !== null) && hidesSame(row, state.record, visibleBefore)) return;
    const record = redate(state.record, new Date());
    const visible = visiblePart(record);
    entries.update(visible, Number(row.record));
    announce(record.id, visible);
    rewrite(row, record, visible);
  }

  const { add, update, remove, removal } = entries;
  return { add, remove, removal, update, renew, show, announce, findable, visiblePart };
}

/** Whether the row of a record keeps back the same contacts as suppressions do now. */
function hidesSame(row: RecordRow, record: MediaRecord, visible: MediaRecord | null): boolean {
  return sameValue(hiddenIds(row), hiddenContactIds(record, visible ?? record));
}
