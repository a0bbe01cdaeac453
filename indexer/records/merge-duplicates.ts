import type { LoggedChange } from '#records/changes/record-change.ts';
import { toCandidate } from '#records/duplicates/duplicate-group.ts';
import { joinRecords } from '#records/duplicates/join-records.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { mergeRecord } from '#records/merge-record.ts';
import type { ChangeLog, MergedIds, RecordStore } from '#records/record-store.ts';
import { isSuppressed } from '#records/suppression.ts';

/** Ids of duplicates: the record to keep, and those to merge into it. */
export interface Merge {
  keep: string;
  drop: readonly string[];
}

interface MergeStores {
  records: Pick<RecordStore, 'find'>;
  mergedIds: Pick<MergedIds, 'resolve' | 'find' | 'listOf'>;
}

/** A merge that can be done. */
export interface PlannedMerge {
  keep: MediaRecord;
  /** Best first; empty if all of them were merged into it before. */
  drop: readonly MediaRecord[];
  /** The record that it makes. */
  joined: MediaRecord;
}

/**
 * Finds the records of a merge, and what it makes of them; or says why it cannot be done, in a sentence for people.
 *
 * @param suppressed the keys of all suppressions: what is hidden must not come back as a part of another record
 */
export async function planMerge(
  { records, mergedIds }: MergeStores,
  { keep: keepId, drop: dropIds }: Merge,
  suppressed: ReadonlySet<string>,
): Promise<PlannedMerge | { fault: string }> {
  if (dropIds.includes(keepId)) return { fault: `${keepId} cannot be merged into itself.` };
  const found = new Map<string, MediaRecord>();
  for (const id of new Set([keepId, ...dropIds])) {
    const record = await records.find(id);
    if (record !== null) {
      found.set(id, record);
      continue;
    }
    const keptId = (await mergedIds.resolve([id])).get(id);
    if (keptId === undefined) return { fault: `No record has the id ${id}.` };
    if (keptId !== keepId)
      return { fault: `${id} was merged into ${keptId}. Use ${keptId}, or run unmerge ${id} first.` };
  }
  for (const record of found.values()) {
    if (isSuppressed(record, suppressed))
      return { fault: `${record.id} is suppressed, and a merge would show its data.` };
  }
  const keep = found.get(keepId);
  if (keep === undefined) return { fault: `No record has the id ${keepId}.` };
  found.delete(keepId);
  const drop = [...found.values()].toSorted(compareFullness);
  const other = drop.find(({ kind }) => kind !== keep.kind);
  if (other !== undefined) return { fault: `${keepId} is of kind ${keep.kind} and ${other.id} of kind ${other.kind}.` };
  const result = mergeRecord(keep, joinRecords(keep, drop), new Date());
  return { keep, drop, joined: 'record' in result ? result.record : keep };
}

/** The fullest first, of equally full ones the latest verified. */
function compareFullness(a: MediaRecord, b: MediaRecord): number {
  const byFields = toCandidate(b).fields - toCandidate(a).fields;
  return byFields !== 0 ? byFields : (b.last_verified_at ?? '').localeCompare(a.last_verified_at ?? '');
}

/** The merge by which an id leads to another record, with what it takes to undo it. */
export interface NotedMerge {
  keptId: string;
  /** The ids that the merge gave to the kept record. */
  dropIds: readonly string[];
  changes: readonly LoggedChange[];
}

/** Finds the merge by which this id leads to another record; or says why it cannot be undone. */
export async function findMerge(
  { records, mergedIds, changes }: MergeStores & { changes: Pick<ChangeLog, 'listChangesOf'> },
  id: string,
  suppressed: ReadonlySet<string>,
): Promise<NotedMerge | { fault: string }> {
  const merged = await mergedIds.find(id);
  if (merged === null) return { fault: `${id} is not an id that was merged into another record.` };
  const { keptId, changeSet, mergedAt } = merged;
  if ((await mergedIds.find(keptId)) !== null) {
    return { fault: `${id} was merged into ${keptId}, and that into another record. Run unmerge ${keptId} first.` };
  }
  const kept = await records.find(keptId);
  if (kept !== null && isSuppressed(kept, suppressed)) {
    return { fault: `${keptId} is suppressed, and with it what was merged into it.` };
  }
  const dropIds = (await mergedIds.listOf(keptId, changeSet)).map((one) => one.id);
  for (const one of dropIds) {
    const [inner] = await mergedIds.listOf(one, changeSet);
    // Its data went on in one step with that of others.
    if (inner) return { fault: `${inner.id} was merged into ${one} in the same run. Run imports undo ${changeSet}.` };
  }
  const noted: LoggedChange[] = [];
  for (const one of [keptId, ...dropIds]) {
    const change = (await changes.listChangesOf(one, maxChanges)).find((each) => each.changeSet === changeSet);
    if (change !== undefined) noted.push(change);
    else if (one !== keptId) return { fault: `The history no longer has the merge of ${one} on ${mergedAt}.` };
  }
  return { keptId, dropIds, changes: noted };
}

/** Changes of a record among which that of the merge is looked for. */
const maxChanges = 10_000;
