import { hash, randomBytes } from 'node:crypto';
import { isActive, requireActive } from '#accounts/plans.ts';
import {
  type FeedProgress,
  maxSearches,
  newSalt,
  type SavedSearch,
  type SavedSearches,
  type SearchHead,
} from '#accounts/saved-search.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import type { ChangeFeed } from '#records/change-feed.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { kinds } from '#records/vocabularies.ts';
import { type ListDeps, openQuery } from '#search/lists/lists.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { firstPage, onlyIds, type SearchQuery, withWholeText } from '#search/search-query.ts';
import { Problem } from '#src/problem.ts';
import { defaultToOutlets } from './export-records.ts';
import { requireCursor } from './read-changes.ts';
import { inSlot, type WorkSlots } from './work-slots.ts';

/*
 * THE FEED OF A SAVED SEARCH (contract A20) has a record from the first moment at which an export of the search would have it, if
 * that is after the search was saved. So the search keeps a mark of every record that has met it: of those that met it when it
 * was saved, and of each that came since. A reading looks only at records that the feed of changes has since the last one: what an
 * upgrade or a rebuild finds in other words but did not change is not new. Each that meets the search now and has no mark is an
 * entry. A record that changes so that it no longer meets the search stays; one that is gone is not shown.
 */

/** How many entries of a search are shown, and kept: some of these may be gone. */
export const maxEntries = 100;
const entriesKept = 200;

interface FollowLimits {
  /** Beyond this many, a search forgets its marks: what came in before that moment then counts as having met it. */
  marks: number;
  /** Changes that one question to the index is about. */
  changesAtOnce: number;
  /** Questions of a reading: the next reading goes on from there. */
  questions: number;
}

/** 100,000 marks are 0.9 MB. */
const usualLimits: FollowLimits = { marks: 100_000, changesAtOnce: 1_000, questions: 20 };

interface FollowDeps extends Pick<ListDeps, 'lists' | 'mergedIds'> {
  searches: SavedSearches;
  index: Pick<SearchIndex, 'scan' | 'search' | 'findMany'>;
  changeFeed: ChangeFeed;
  now(): Date;
}

type SaveDeps = FollowDeps & { identity: { find(): Promise<string> }; slots: WorkSlots };

/** Stores a new search. Throws Problem `plan_expired`, `too_many_searches`, `rate_limited` or `search_unavailable`. */
export async function saveSearch(
  deps: SaveDeps,
  newSearch: Pick<SavedSearch, 'name' | 'filters'> & { query: SearchQuery },
  key: StoredKey,
  limits = usualLimits,
): Promise<SearchHead> {
  const { query, name, filters } = newSearch;
  requirePlanToSave(key, deps.now());
  const { version } = await requireCursor(deps, deps.now());
  const now = deps.now().toISOString();
  const met = await inSlot(deps.slots, 'export', key, () => markAll(deps, query, key, limits));
  const search: SavedSearch = {
    ...{ id: `srch_${randomBytes(12).toString('hex')}`, account: key.hash, name, filters, createdAt: now },
    feedSalt: newSalt(),
    feed: { version, entries: [], ...(met === null ? { met: '', metBefore: now } : { met, metBefore: null }) },
  };
  if (await deps.searches.create(search)) return search;
  throw new Problem(
    'too_many_searches',
    `Your account has ${maxSearches} saved searches, which is the most it can have. Delete one that you no longer need.`,
  );
}

/** Without an active plan, a customer can still read and delete saved searches. */
export function requirePlanToSave({ plan }: StoredKey, now: Date): void {
  requireActive(plan, now, 'to save searches');
}

/** The marks of all records that meet a query; null if these are too many. */
async function markAll(
  deps: FollowDeps,
  query: SearchQuery,
  key: StoredKey,
  limits: FollowLimits,
): Promise<string | null> {
  const scan = await deps.index.scan(await asExported(deps, query, key));
  try {
    if (scan.total > limits.marks) return null;
    const marks: string[] = [];
    for await (const batch of scan) marks.push(...batch.map(({ id }) => markOf(id)));
    return marks.join(' ');
  } finally {
    await scan.close();
  }
}

async function asExported(deps: FollowDeps, query: SearchQuery, key: StoredKey): Promise<SearchQuery> {
  return defaultToOutlets((await openQuery(deps, query, { key })).query);
}

/** A list that is left out and was deleted since has nothing to leave out. */
async function withoutGoneLists({ lists }: FollowDeps, query: SearchQuery, key: StoredKey): Promise<SearchQuery> {
  if (query.lists === undefined) return query;
  const leftOut = await Promise.all(query.lists.none.map((id) => lists.find(key.hash, id)));
  return { ...query, lists: { ...query.lists, none: leftOut.flatMap((list) => list?.id ?? []) } };
}

/** 48 bits: of a million records that meet a search for the first time, one in 2,800 times a single one is missed. */
function markOf(id: string): string {
  return hash('sha256', id, 'base64url').slice(0, 8);
}

/**
 * Follows a search, and returns the records of its feed, masked, the newest first, each with the time at which its change was
 * noted. With an expired plan it stands still until the plan is renewed.
 */
export async function readFeed(
  deps: FollowDeps,
  search: SavedSearch,
  query: SearchQuery,
  key: StoredKey,
  limits = usualLimits,
): Promise<{ record: MediaRecord; metAt: string }[]> {
  const { entries } = isActive(key.plan, deps.now()) ? await follow(deps, search, { query, key, limits }) : search.feed;
  const foundRecords = await deps.index.findMany(
    entries.map(({ id }) => id),
    'masked',
  );
  const records = new Map(foundRecords.map((record) => [record.id, record]));
  const feedEntries = entries.flatMap(({ id, metAt }) => {
    const record = records.get(id);
    return record === undefined ? [] : { record, metAt };
  });
  return feedEntries.slice(0, maxEntries);
}

async function follow(
  deps: FollowDeps,
  search: SavedSearch,
  { query, key, limits }: { query: SearchQuery; key: StoredKey; limits: FollowLimits },
): Promise<FeedProgress> {
  const position = await deps.changeFeed.findPosition();
  if (position === null || position.version === search.feed.version) return search.feed;
  const exported = await asExported(deps, await withoutGoneLists(deps, query, key), key);
  let progress = search.feed;
  // A restored store may have searches that are ahead of its feed.
  let version = Math.min(progress.version, position.version);
  for (let questions = 0; questions < limits.questions && version < position.version; questions += 1) {
    const range = { after: version, since: version, upTo: position.version, kinds, limit: limits.changesAtOnce };
    const { entries: changes } = await deps.changeFeed.read(range);
    const matching = await findMatching(
      deps,
      exported,
      changes.flatMap(({ id, kind }) => (kind === null ? [] : id)),
    );
    const last = changes.length < limits.changesAtOnce ? undefined : changes.at(-1);
    version = last?.version ?? position.version;
    const met = changes.flatMap(({ id, notedAt }) => {
      const record = matching.get(id);
      return record === undefined ? [] : { record, metAt: notedAt.toISOString() };
    });
    progress = withMet(progress, met, limits);
  }
  // Otherwise these matches may be of an index that has not heard of the changes: the next reading looks again.
  if ((await deps.changeFeed.findPosition())?.index !== position.index) return search.feed;
  const isAsRead = (stored: SavedSearch) => stored.feed.version === search.feed.version;
  const feed = { ...progress, version };
  await deps.searches.change(search.id, (stored) => (isAsRead(stored) ? { ...stored, feed } : stored));
  return feed;
}

/** Which of these records, at most 1,000, meet the query. A search by meaning is of the whole index: among few, all would be near. */
async function findMatching(
  { index }: FollowDeps,
  query: SearchQuery,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MediaRecord>> {
  if (ids.length === 0) return new Map();
  const filters = query.match === 'meaning' ? query.filters : [...query.filters, onlyIds(ids)];
  const { records } = await index.search(withWholeText({ ...query, filters }), firstPage(1_000), 'full');
  const askedIds = new Set(ids);
  return new Map(records.flatMap((record) => (askedIds.has(record.id) ? [[record.id, record]] : [])));
}

/** With the records that meet the search now, the earliest change first. */
function withMet(
  before: FeedProgress,
  met: readonly { record: MediaRecord; metAt: string }[],
  limits: FollowLimits,
): FeedProgress {
  if (met.length === 0) return before;
  const marks = new Set(before.met === '' ? [] : before.met.split(' '));
  const added = met.filter(({ record: { id, created_at } }) => {
    return !marks.has(markOf(id)) && created_at >= (before.metBefore ?? '');
  });
  const newMarks = added.map(({ record }) => markOf(record.id));
  const entries = added.map(({ record: { id }, metAt }) => ({ id, metAt })).reverse();
  const isFull = marks.size + added.length > limits.marks;
  const latest = () => added.reduce((last, { record }) => (record.created_at > last ? record.created_at : last), '');
  return {
    ...before,
    entries: [...entries, ...before.entries].slice(0, entriesKept),
    met: [...(isFull ? [] : marks), ...newMarks].join(' '),
    ...(isFull && { metBefore: latest() }),
  };
}
