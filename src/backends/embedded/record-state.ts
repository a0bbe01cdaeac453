import { emptyRecord, type MediaRecord } from '#domain/media-record.ts';
import { rereadRecord } from '#domain/normalize/reread-record.ts';
import { type RecordRow, readRecord } from './record-row.ts';

/** A record as it stands: what it holds, or why it is none that could be searched; the reason quotes nothing of it. */
export type RecordState = { record: MediaRecord } | { unreadable: string };

/**
 * The record of a whole row of `records`, its texts as this version leaves them, or why it holds none: this store wrote it
 * otherwise than it stands there.
 */
export function readState(row: RecordRow): RecordState {
  try {
    // A body that an earlier version wrote lacks the fields that came later.
    const record = { ...emptyRecord('', 'outlet', ''), ...readRecord(row) };
    const isRecord = record.id === row.id && typeof record.name === 'string' && record.name !== '';
    if (!isRecord) return { unreadable: 'its body is not a record' };
    const reread = rereadRecord(record);
    return 'record' in reread ? reread : { unreadable: reread.fault };
  } catch {
    return { unreadable: 'its body is not JSON' };
  }
}
