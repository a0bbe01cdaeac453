import { randomBytes } from 'node:crypto';
import {
  changeList,
  type ListChange,
  type ListEntry,
  type ListStatus,
  type ListStore,
  type MediaList,
  maxLists,
} from '#accounts/media-list.ts';
import { isActive } from '#accounts/plans.ts';
import type { Caller, StoredKey } from '#accounts/stored-key.ts';
import type { MergedIdLookup } from '#records/record-store.ts';
import { Problem } from '#src/problem.ts';
import type { SearchIndex } from './search-index.ts';
import { type Filter, type IdentityFilter, onlyIds, type SearchQuery } from './search-query.ts';
import { countMatches, type SearchPage, type SearchRequest, searchRecords } from './search-records.ts';

export interface ListDeps {
  lists: ListStore;
  mergedIds: MergedIdLookup;
  index: Pick<SearchIndex, 'search' | 'findMany'>;
}

/** A list with its entries by the id of the record. Entries of merged records are under the id of the kept one. */
export type OpenedList = MediaList & {
  byRecord: ReadonlyMap<string, ListEntry>;
  /** The ids of kept records, by those of merged ones. */
  keptIds: ReadonlyMap<string, string>;
};

/** How many records one request to the index may name. */
const batchSize = 1_000;

/** The list of the key's account. Throws Problem `not_found` for any other. */
export async function openList(
  { lists, mergedIds }: Pick<ListDeps, 'lists' | 'mergedIds'>,
  id: string,
  key: StoredKey,
): Promise<OpenedList> {
  const list = await lists.find(key.hash, id);
  if (list === null) throw noSuchList();
  const keptIds = await mergedIds.resolve(list.entries.map((entry) => entry.id));
  return { ...list, keptIds, byRecord: entriesByRecord(list.entries, keptIds) };
}

function entriesByRecord(entries: readonly ListEntry[], keptIds: ReadonlyMap<string, string>): Map<string, ListEntry> {
  const byRecord = new Map<string, ListEntry>();
  for (const entry of entries) {
    const record = keptIds.get(entry.id) ?? entry.id;
    // A note on the record itself comes before a note on its double.
    if (entry.id === record || !byRecord.has(record)) byRecord.set(record, { ...entry, id: record });
  }
  return byRecord;
}

function noSuchList(): Problem {
  return new Problem('not_found', 'Your account has no list with this id. GET /api/v1/lists shows those that it has.');
}

/**
 * The query for an index: it names the records of the list instead of the list, and kept records instead of merged ones.
 * Also returns the list, or null. Throws Problem `key_missing` without a key, `not_found` for a list of another account.
 */
export async function openQuery(
  deps: Pick<ListDeps, 'lists' | 'mergedIds'>,
  { list: id, ...query }: SearchQuery,
  { key }: Caller,
): Promise<{ query: SearchQuery; list: OpenedList | null }> {
  const filters = await directFilters(deps, query.filters);
  if (id === undefined) return { query: { ...query, filters }, list: null };
  if (key === null) throw new Problem('key_missing', 'The parameter list needs the key of the account it belongs to.');
  const list = await openList(deps, id, key);
  return { query: { ...query, filters: [...filters, onlyIds(list.byRecord.keys())] }, list };
}

/** Only filters for ids cost a lookup. */
async function directFilters(
  deps: Pick<ListDeps, 'mergedIds'>,
  filters: readonly Filter[],
): Promise<readonly Filter[]> {
  const direct = await directIds(
    deps,
    filters.flatMap((filter) => (isOfIds(filter) ? [...filter.any, ...filter.none] : [])),
  );
  const directAll = (ids: readonly string[]) => [...new Set(ids.map(direct))];
  return filters.map((filter) =>
    isOfIds(filter) ? { ...filter, any: directAll(filter.any), none: directAll(filter.none) } : filter,
  );
}

function isOfIds(filter: Filter): filter is IdentityFilter {
  return 'identity' in filter && filter.identity === 'id';
}

/** Stores a new list. Throws Problem `plan_expired` or `too_many_lists`. */
export async function createList(
  { lists }: Pick<ListDeps, 'lists'>,
  name: string,
  key: StoredKey,
  now: Date,
): Promise<MediaList> {
  requireActivePlan(key, now);
  const at = now.toISOString();
  const id = `lst_${randomBytes(12).toString('hex')}`;
  const list = { id, account: key.hash, name, createdAt: at, updatedAt: at, version: 1, entries: [] };
  if (await lists.create(list)) return list;
  throw new Problem(
    'too_many_lists',
    `Your account has ${maxLists} lists, which is the most it can have. Delete one that you no longer need.`,
  );
}

/** Without an active plan, a customer can still read lists and remove records and lists. */
function requireActivePlan({ plan }: StoredKey, now: Date): void {
  if (isActive(plan, now)) return;
  throw new Problem('plan_expired', `Your plan ended at ${plan.expiresAt}. Buy a new one to write to your lists.`);
}

/** A list, and the version that is written or deleted; null for any. */
interface ListVersion {
  id: string;
  version: number | null;
}

/**
 * Changes a list, all or nothing. If no record has some of the ids to add, it writes nothing and returns these as `unknown`.
 * Throws Problem `list_changed` if the list is no longer of this version, `list_full`, `plan_expired` or `not_found`.
 */
export async function writeList(
  deps: ListDeps,
  { id, version, change }: ListVersion & { change: ListChange },
  key: StoredKey,
  now: Date,
): Promise<{ list: MediaList } | { unknown: readonly string[] }> {
  if (change.name !== undefined || change.add !== undefined) requireActivePlan(key, now);
  const direct = await directIds(deps, [...(change.add ?? []).map((entry) => entry.id), ...(change.remove ?? [])]);
  const add = change.add?.map((entry) => ({ ...entry, id: direct(entry.id) }));
  const found = await findPresent(deps, add?.map((entry) => entry.id) ?? []);
  const unknown = change.add?.map((entry) => entry.id).filter((one) => !found.has(direct(one))) ?? [];
  const before = await openList(deps, id, key);
  if (version !== null && before.version !== version) throw listChanged();
  if (unknown.length > 0) return { unknown };
  const left = await findLeft(deps, before);
  const next = { ...change, ...(add && { add }), ...(change.remove && { remove: change.remove.map(direct) }) };
  // What others write meanwhile stays.
  const list = await deps.lists.write(key.hash, id, (held) => {
    if (version !== null && held.version !== version) return null;
    const entries = [...entriesByRecord(held.entries, before.keptIds).values()].filter((entry) => !left.has(entry.id));
    return changeList(held, entries, next, now);
  });
  if (list === null) throw version === null ? noSuchList() : listChanged();
  return { list };
}

/** Deletes a list; with a version, only if it still has that version. Throws Problem `not_found` or `list_changed`. */
export async function removeList(
  { lists }: Pick<ListDeps, 'lists'>,
  { id, version }: ListVersion,
  key: StoredKey,
): Promise<void> {
  if (await lists.remove(key.hash, id, version)) return;
  throw version !== null && (await lists.find(key.hash, id)) !== null ? listChanged() : noSuchList();
}

function listChanged(): Problem {
  return new Problem('list_changed', 'This list was changed meanwhile. Read it again, and repeat what you still want.');
}

async function directIds(
  { mergedIds }: Pick<ListDeps, 'mergedIds'>,
  ids: readonly string[],
): Promise<(id: string) => string> {
  const kept = ids.length === 0 ? new Map<string, string>() : await mergedIds.resolve(ids);
  return (id) => kept.get(id) ?? id;
}

/** The ids of entries whose records were deleted or suppressed. */
async function findLeft(deps: ListDeps, { byRecord }: OpenedList): Promise<ReadonlySet<string>> {
  if ((await countPresent(deps, byRecord.keys())) === byRecord.size) return new Set();
  const present = await findPresent(deps, [...byRecord.keys()]);
  return new Set([...byRecord.keys()].filter((id) => !present.has(id)));
}

async function findPresent({ index }: ListDeps, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let from = 0; from < ids.length; from += batchSize) {
    for (const { id } of await index.findMany(ids.slice(from, from + batchSize), 'masked')) found.add(id);
  }
  return found;
}

function countPresent({ index }: Pick<ListDeps, 'index'>, ids: Iterable<string>): Promise<number> {
  return countMatches(index, { text: null, filters: [onlyIds(ids)] });
}

/** A page of a list. With statuses, only entries that have one of them. */
export type ListPageRequest = Omit<SearchRequest, 'query'> & { list: OpenedList; statuses: readonly ListStatus[] };

/** A page in the order of searches, how many records the list has, and how many were deleted since it was last written. */
export async function readList(
  deps: ListDeps,
  { list: { byRecord }, statuses, ...request }: ListPageRequest,
  caller: Caller,
  now: Date,
): Promise<{ page: SearchPage; count: number; left: number }> {
  const isAll = statuses.length === 0;
  const wanted = [...byRecord.values()].filter(({ status }) => isAll || statuses.includes(status));
  const query = { text: null, filters: [onlyIds(wanted.map(({ id }) => id))] };
  const [page, count] = await Promise.all([
    searchRecords(deps.index, { ...request, query }, caller, now),
    isAll ? null : countPresent(deps, byRecord.keys()),
  ]);
  const present = count ?? page.total;
  return { page, count: present, left: byRecord.size - present };
}
