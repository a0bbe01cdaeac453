import type { MediaRecord, RecordPatch } from '../media-record.ts';
import { type MergeResult, mergeRecord } from '../merge-record.ts';
import { type Suppressible, suppressiblePart } from '../suppression.ts';
import { keptPatch, redirectPatch } from './join-records.ts';

interface MergedPatches {
  /** One for each patch, in their order. */
  outcomes: MergeResult['outcome'][];
  /** `stored` itself if nothing is to be saved. */
  record: MediaRecord | null;
}

interface MergeContext {
  now: Date;
  /** Whether a suppression hides what a patch says. */
  isHidden: (patch: Suppressible) => boolean;
  /** Whether ids of merged records lead to the record. */
  isKept: boolean;
}

/** First patches with this id, then of ids that lead to it (redirectPatch). The same patches again change nothing. */
export function mergePatches(
  stored: MediaRecord | null,
  id: string,
  patches: readonly RecordPatch[],
  { now, isHidden, isKept }: MergeContext,
): MergedPatches {
  const own = patches.filter((patch) => patch.id === id);
  const outcomes = new Map<RecordPatch, MergeResult['outcome']>();
  let record = stored;
  const merge = (given: RecordPatch, patch: RecordPatch) => {
    const result = mergeRecord(record, patch, now);
    if ('record' in result) record = result.record;
    outcomes.set(given, result.outcome);
  };
  for (const patch of own) merge(patch, isKept && record !== null ? keptPatch(patch, record) : patch);
  for (const patch of own.length === patches.length ? [] : patches) {
    if (patch.id !== id && !isHidden(suppressiblePart(patch))) merge(patch, redirectPatch(patch, id, record));
  }
  return { outcomes: patches.map((patch) => outcomes.get(patch) ?? 'unchanged'), record };
}
