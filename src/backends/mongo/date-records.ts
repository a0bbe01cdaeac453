import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { type MediaRecord, redate } from '#records/media-record.ts';
import type { DatedRecord } from '../stores.ts';
import type { ChangeDocument } from './mongo-change-log.ts';
import { type RecordDocument, shownOf } from './read-document.ts';

/** The records, and the changes of them that are remembered. */
export interface RecordsAndChanges {
  records: Collection<RecordDocument>;
  changes: Collection<ChangeDocument>;
}

/** What suppressions leave of a record; null if they hide it whole. */
export type VisiblePart = (record: MediaRecord) => MediaRecord | null;

/** When each of these records first came in, as far as the history of changes goes back: ISO 8601, UTC. */
export async function firstTraces(
  changes: RecordsAndChanges['changes'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const traces = await changes
    .aggregate<{ _id: string; at: Date }>([
      { $match: { record_id: { $in: [...ids] } } },
      { $group: { _id: '$record_id', at: { $min: '$at' } } },
    ])
    .toArray();
  return new Map(traces.map(({ _id, at }) => [_id, at.toISOString()]));
}

/**
 * Gives records a new date in their documents, and returns them with it. The content of the documents stays: it is that of
 * the tool that wrote it. Where another process was first, its date stays, and the change stream brings the record again.
 */
export async function dateRecords(
  { records, changes }: RecordsAndChanges,
  states: readonly DatedRecord[],
  { now, visiblePart }: { now: Date; visiblePart: VisiblePart },
): Promise<MediaRecord[]> {
  if (states.length === 0) return [];
  const unheardOf = states.flatMap(({ record, isDated }) => (isDated === 'never' ? [record.id] : []));
  const traces = unheardOf.length === 0 ? new Map<string, string>() : await firstTraces(changes, unheardOf);
  const dated = states.map(({ record, isDated }) => {
    const created_at = isDated === 'never' ? (traces.get(record.id) ?? now.toISOString()) : record.created_at;
    return redate({ ...record, created_at }, now);
  });
  const writes = dated.map((record, place): AnyBulkWriteOperation<RecordDocument> => {
    const { updated_at, created_at } = record;
    const before = states[place]?.isDated === 'never' ? undefined : states[place]?.record.updated_at;
    const isAsRead = before === undefined ? { shown: { $exists: false } } : { 'shown.updated_at': before };
    const update = { $set: { updated_at, created_at, shown: shownOf(visiblePart(record) ?? record) } };
    return { updateOne: { filter: { _id: record.id, ...isAsRead }, update } };
  });
  await records.bulkWrite(writes, { ordered: false });
  return dated;
}
