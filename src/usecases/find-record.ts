import type { MediaRecord } from '#domain/media-record.ts';
import { type Caller, visibilityFor } from '#domain/plans/stored-key.ts';
import { Problem } from '#domain/problem.ts';
import type { SearchIndex } from '#ports/search-index.ts';

/** The record with this id, masked like in a search. Problem `not_found` if it does not exist. */
export async function findRecord(index: SearchIndex, id: string, caller: Caller, now: Date): Promise<MediaRecord> {
  const record = await index.find(id, visibilityFor(caller, now));
  if (record === null) throw new Problem('not_found', 'No record has this id.');
  return record;
}
