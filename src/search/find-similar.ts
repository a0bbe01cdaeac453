import { type Caller, visibilityFor } from '#accounts/stored-key.ts';
import { isSameMedium } from '#records/duplicates/compare-media.ts';
import type { MergedIdLookup } from './follow-merged-ids.ts';
import { planSimilar } from './plan-similar.ts';
import type { SearchIndex } from './search-index.ts';
import { findRecord, type SearchPage } from './search-records.ts';

/** How many similar records there are at most: whatever comes after them has little in common. */
export const maxSimilar = 50;
/** Duplicates of the record that may stand among them. */
const maxDuplicates = 10;

/**
 * One page of the records that are most similar to one, best first, without entries of the same medium. Pages count from
 * 1. Problem `not_found` if the record does not exist.
 */
export async function findSimilar(
  { index, mergedIds }: { index: Pick<SearchIndex, 'find' | 'findSimilar'>; mergedIds: MergedIdLookup },
  { id, page, perPage }: { id: string; page: number; perPage: number },
  caller: Caller,
  now: Date,
): Promise<SearchPage & { id: string }> {
  const visibility = visibilityFor(caller, now);
  const record = await findRecord({ index, mergedIds }, id, caller, now);
  const found = await index.findSimilar(planSimilar(record), maxSimilar + maxDuplicates, visibility);
  const similar = found.filter((other) => !isSameMedium(record, other)).slice(0, maxSimilar);
  return {
    id: record.id,
    records: similar.slice((page - 1) * perPage, page * perPage),
    total: similar.length,
    page,
    perPage,
    totalPages: Math.ceil(similar.length / perPage),
    isMasked: visibility === 'masked',
    isCorrected: false,
  };
}
