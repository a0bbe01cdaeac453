import { emptyRecord } from '#domain/media-record.ts';
import type { RecordState } from '#ports/record-source.ts';
import { type RecordRow, readRecord } from './record-row.ts';

/** The record of a whole row of `records`, or why it holds none: this store wrote it otherwise than it stands there. */
export function readState(row: RecordRow): RecordState {
  try {
    // A body that an earlier version wrote lacks the fields that came later.
    const record = { ...emptyRecord('', 'outlet', ''), ...readRecord(row) };
    if (record.id === row.id && typeof record.name === 'string' && record.name !== '') return { record };
    return { unreadable: 'its body is not that of a record' };
  } catch {
    return { unreadable: 'its body is not JSON' };
  }
}
