import { contactLimit } from '#records/contacts/contact.ts';
import { compareFullness, toCandidate } from '#records/duplicates/compare-media.ts';
import { joinRecords } from '#records/duplicates/join-records.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { mergeRecord } from '#records/merge-record.ts';
import type { MergedId, MergedIds, RecordStore } from '#records/record-store.ts';
import { withoutSuppressed } from '#records/suppression.ts';

/** Ids of duplicates: the record to keep, and those to merge into it. */
export interface Merge {
  keep: string;
  drop: readonly string[];
}

interface MergeStores {
  records: Pick<RecordStore, 'find'>;
  mergedIds: Pick<MergedIds, 'resolve' | 'find'>;
}

export interface PlannedMerge {
  keep: MediaRecord;
  /** Best first; empty if all of them were merged into it before. */
  drop: readonly MediaRecord[];
  joined: MediaRecord;
}

/** Why a merge is refused, also where the records gained contacts after it was planned. */
export const tooManyContacts = `The merged record would have more than ${contactLimit} contacts.`;

/**
 * Finds the records of a merge and the record that it would make, or says in a sentence why it cannot be done. `suppressed`: the
 * keys of all suppressions. A suppressed record is not merged, because its values would appear in the other one.
 */
export async function planMerge(
  { records, mergedIds }: MergeStores,
  { keep: keepId, drop: dropIds }: Merge,
  suppressed: ReadonlySet<string>,
): Promise<PlannedMerge | { fault: string }> {
  if (dropIds.includes(keepId)) return { fault: `${keepId} cannot be merged into itself.` };
  const recordsById = new Map<string, MediaRecord>();
  for (const id of new Set([keepId, ...dropIds])) {
    const record = await records.find(id);
    if (record !== null) {
      recordsById.set(id, record);
      continue;
    }
    const keptId = (await mergedIds.resolve([id])).get(id);
    if (keptId !== keepId) return { fault: (await describeMissing(mergedIds, [id])).join(' ') };
  }
  for (const record of recordsById.values()) {
    if (withoutSuppressed(record, suppressed) === null)
      return { fault: `${record.id} is suppressed, and a merge would show its values in another record.` };
  }
  const keep = recordsById.get(keepId);
  if (keep === undefined) return { fault: `No record has the id ${keepId}.` };
  recordsById.delete(keepId);
  const drop = [...recordsById.values()].toSorted((a, b) => compareFullness(toCandidate(a), toCandidate(b)));
  const other = drop.find(({ kind }) => kind !== keep.kind);
  if (other !== undefined) return { fault: `${keepId} is of kind ${keep.kind} and ${other.id} of kind ${other.kind}.` };
  const result = mergeRecord(keep, joinRecords(keep, drop), new Date());
  if (result.outcome === 'too_many_contacts') {
    return { fault: tooManyContacts };
  }
  return { keep, drop, joined: 'record' in result ? result.record : keep };
}

/** Says why these ids have no record: they are unknown, or were merged into another one. */
export async function describeMissing(mergedIds: Pick<MergedIds, 'find'>, ids: readonly string[]): Promise<string[]> {
  const merged = await Promise.all(ids.map((id) => mergedIds.find(id)));
  const unknown = ids.filter((_, index) => merged[index] === null);
  return [
    ...merged.filter((mergedRecord) => mergedRecord !== null).map(describeMerged),
    ...(unknown.length > 0 ? [`No record has the id ${unknown.join(', ')}.`] : []),
  ];
}

export function describeMerged({ id, keptId, changeSet }: MergedId): string {
  return `${id} was merged into ${keptId}. Use ${keptId}, or undo the merge: npm run indexer -- imports undo ${changeSet}`;
}
