import { emptyRecord } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { rereadRecord } from '#records/normalize/reread-record.ts';
import { type RecordRow, readRecord } from './record-row.ts';

/** A record in its current state: its content, or why it cannot be indexed; the reason quotes nothing from it. */
export type RecordState = { record: MediaRecord } | { unreadable: string };

/**
 * The record of a complete row of `records`, with its texts as this version writes them, or the reason why the row does
 * not contain one: something other than this store wrote it.
 */
export function readState(row: RecordRow): RecordState {
  try {
    // A body written by an earlier version lacks newer fields.
    const record = { ...emptyRecord('', 'outlet', ''), ...readRecord(row) };
    const isRecord = record.id === row.id && typeof record.name === 'string' && record.name !== '';
    if (!isRecord) return { unreadable: 'its body is not a record' };
    const reread = rereadRecord(record);
    return 'record' in reread ? reread : { unreadable: reread.fault };
  } catch {
    return { unreadable: 'its body is not JSON' };
  }
}
