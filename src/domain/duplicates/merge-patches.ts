import { sameValue } from '#domain/changes/record-change.ts';
import { recordKeys } from '#domain/fields.ts';
import type { MediaRecord, RecordPatch } from '#domain/media-record.ts';
import { type MergeResult, mergeRecord } from '#domain/merge-record.ts';
import { type Suppressible, suppressiblePart } from '#domain/suppression.ts';
import { redirectPatch } from './join-records.ts';

/** What patches make of one record. */
export interface MergedPatches {
  /** One for each patch, in their order. */
  outcomes: MergeResult['outcome'][];
  /** `stored` itself if nothing is to be saved. */
  record: MediaRecord | null;
}

interface MergeContext {
  now: Date;
  /** Whether a suppression hides what a patch says. */
  isHidden: (patch: Suppressible) => boolean;
}

/**
 * Merges patches into the record with this id: those of its own in their order, then those of ids that lead to it, which
 * fill what is left (see redirectPatch); of those that a suppression hides, nothing. So the same patches again change
 * nothing: if one takes away what another gives back, all of them count as unchanged.
 */
export function mergePatches(
  stored: MediaRecord | null,
  id: string,
  patches: readonly RecordPatch[],
  { now, isHidden }: MergeContext,
): MergedPatches {
  const own = patches.filter((patch) => patch.id === id);
  const outcomes = new Map<RecordPatch, MergeResult['outcome']>();
  let record = stored;
  const merge = (given: RecordPatch, patch: RecordPatch) => {
    const result = mergeRecord(record, patch, now);
    if ('record' in result) record = result.record;
    outcomes.set(given, result.outcome);
  };
  for (const patch of own) merge(patch, patch);
  for (const patch of own.length === patches.length ? [] : patches) {
    if (patch.id !== id && !isHidden(suppressiblePart(patch))) merge(patch, redirectPatch(patch, id, record));
  }
  const isBack = patches.length > 1 && stored !== null && record !== null && saysSame(stored, record, own);
  return {
    outcomes: patches.map((patch) => (isBack ? 'unchanged' : (outcomes.get(patch) ?? 'unchanged'))),
    record: isBack ? stored : record,
  };
}

/** Whether a record is what it was, but for a time of change that no patch asked for. */
function saysSame(stored: MediaRecord, record: MediaRecord, own: readonly RecordPatch[]): boolean {
  const time = own.findLast(({ updated_at }) => updated_at !== undefined)?.updated_at ?? stored.updated_at;
  return recordKeys.every((key) => sameValue(stored[key], key === 'updated_at' ? time : record[key]));
}
