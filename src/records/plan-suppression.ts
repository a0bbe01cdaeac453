import type { MediaRecord } from './media-record.ts';
import { followingKeys, withoutSuppressed } from './suppression.ts';

/** How much searches no longer find, or find again. */
export interface HiddenCounts {
  records: number;
  /** Contacts of media that are found before and after. */
  contacts: number;
}

/** What hiding with some keys comes to. */
export interface SuppressionPlan {
  /** The keys that follow from them, each with the key that it follows from, in that order. */
  following: ReadonlyMap<string, string>;
  /** The ids of records of which they hide something that searches find now. */
  ids: readonly string[];
  hidden: HiddenCounts;
}

/**
 * Finds out what these keys hide, with all that follows from them in the store: an address is a person's, so her name at each
 * medium where she has it, her other addresses there, the media where she has those, and so on.
 *
 * @param listedKeys the keys that are on the list already
 * @param find the records of which these keys may hide something, among those that searches find
 */
export async function planSuppression(
  keys: readonly string[],
  listedKeys: ReadonlySet<string>,
  find: (keys: ReadonlySet<string>) => Promise<readonly MediaRecord[]>,
): Promise<SuppressionPlan> {
  const following = new Map<string, string>();
  const recordsById = new Map<string, MediaRecord>();
  const allKeys = new Set(keys);
  for (let fresh = new Set(keys); fresh.size > 0; ) {
    const records = await find(fresh);
    const next = new Set<string>();
    for (const record of records) {
      recordsById.set(record.id, record);
      for (const [key, cause] of followingKeys(record.id, record.contacts, allKeys)) {
        following.set(key, cause);
        allKeys.add(key);
        next.add(key);
      }
    }
    fresh = next;
  }
  return { following, ...countHidden([...recordsById.values()], listedKeys, allKeys.union(listedKeys)) };
}

/** What searches find of records with these suppressions, and no longer with those. */
function countHidden(
  records: readonly MediaRecord[],
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): Pick<SuppressionPlan, 'ids' | 'hidden'> {
  const ids: string[] = [];
  const hidden: HiddenCounts = { records: 0, contacts: 0 };
  for (const record of records) {
    const visibleBefore = withoutSuppressed(record, before);
    if (visibleBefore === null) continue;
    const visibleAfter = withoutSuppressed(record, after);
    if (visibleAfter === null) hidden.records += 1;
    else if (visibleAfter.contact_count === visibleBefore.contact_count) continue;
    else hidden.contacts += visibleBefore.contact_count - visibleAfter.contact_count;
    ids.push(record.id);
  }
  return { ids, hidden };
}
