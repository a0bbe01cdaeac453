import { randomBytes } from 'node:crypto';
import {
  changeList,
  type ListChange,
  type ListStore,
  type ListSubject,
  type MediaList,
  maxLists,
  subjectKey,
} from '#accounts/media-list.ts';
import { requireActive } from '#accounts/plans.ts';
import { type Caller, type StoredKey, visibilityFor } from '#accounts/stored-key.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { MergedIdLookup } from '#records/record-store.ts';
import { Problem } from '#src/problem.ts';
import type { RowKind } from '../contact-row.ts';
import type { SearchIndex } from '../search-index.ts';
import { type Filter, type IdentityFilter, onlyIds, type SearchQuery } from '../search-query.ts';
import { countMatches } from '../search-records.ts';
import {
  type Direct,
  directEntries,
  type EntriesByRecord,
  keptContactId,
  type NamedByLists,
  namedBy,
} from './list-entries.ts';

export interface ListDeps {
  lists: ListStore;
  mergedIds: MergedIdLookup;
  index: Pick<SearchIndex, 'search' | 'findMany'>;
}

type OpenDeps = Pick<ListDeps, 'lists' | 'mergedIds'> & { index: Pick<SearchIndex, 'findMany'> };

/** A list under today's subjects: entries of merged records are of the kept ones. */
export type OpenedList = MediaList & { byRecord: EntriesByRecord; direct: Direct };

/** How many records one request to the index may name. */
export const recordsARequest = 1_000;

/** The list of the key's account. Throws Problem `not_found` for any other. */
export async function openList(deps: OpenDeps, id: string, key: StoredKey): Promise<OpenedList> {
  const list = await deps.lists.find(key.hash, id);
  if (list === null) throw noSuchList();
  const direct = await findDirect(deps, list.entries);
  const entries = directEntries(list.entries, direct);
  return { ...list, entries, direct, byRecord: Map.groupBy(entries, (entry) => entry.id) };
}

/** Where subjects are today. Reads kept records only for contacts of merged ones. */
async function findDirect({ mergedIds, index }: OpenDeps, subjects: readonly ListSubject[]): Promise<Direct> {
  const keptIds =
    subjects.length === 0 ? new Map<string, string>() : await mergedIds.resolve(subjects.map(({ id }) => id));
  const ofContacts = subjects.filter(({ contactId }) => contactId !== undefined);
  const keptRecords = await findPresent(
    index,
    ofContacts.flatMap(({ id }) => keptIds.get(id) ?? []),
  );
  return (subject) => {
    const id = keptIds.get(subject.id);
    if (id === undefined) return subject;
    const { contactId } = subject;
    const record = keptRecords.get(id);
    if (contactId === undefined || record === undefined) return { ...subject, id };
    return { ...subject, id, contactId: keptContactId(record, subject.id, contactId) ?? contactId };
  };
}

function noSuchList(): Problem {
  return new Problem('not_found', 'Your account has no list with this id. GET /api/v1/lists shows those that it has.');
}

/**
 * The query for an index: it names the records of lists and their contacts instead of the lists, and kept records instead of
 * merged ones, and the typed addresses for callers who see addresses. Also returns the list, if it is of records of one. `rows`:
 * what has a result. Throws Problem `key_missing` without a key, `not_found` for a list of another account.
 */
export async function openQuery(
  deps: OpenDeps & { now(): Date },
  { lists, ...selection }: SearchQuery,
  caller: Caller,
  rows: RowKind = selection.rows ?? 'records',
): Promise<{ query: SearchQuery; list: OpenedList | null }> {
  const { key } = caller;
  const filters = await directFilters(deps, selection.filters);
  const query = visibilityFor(caller, deps.now()) === 'full' ? withAddresses(selection) : selection;
  if (lists === undefined) return { query: { ...query, filters }, list: null };
  if (key === null) throw new Problem('key_missing', 'The parameter list needs the key of the account it belongs to.');
  const open = (ids: readonly string[]) => Promise.all(ids.map((id) => openList(deps, id, key)));
  const within = await open(lists.any);
  const named = namedBy(within.map(({ byRecord }) => byRecord));
  const leftOut = namedBy((await open(lists.none)).map(({ byRecord }) => byRecord));
  // A list that names some people of a medium leaves out the medium, but none of their colleagues.
  const none = rows === 'contacts' ? [...leftOut.whole] : idsOf(leftOut);
  const ofLists: Filter[] = [
    ...(within.length === 0 ? [] : [onlyIds(idsOf(named))]),
    ...(none.length === 0 ? [] : [{ identity: 'id' as const, any: [], none }]),
  ];
  return {
    query: {
      ...query,
      filters: [...filters, ...ofLists],
      ...(named.contacts.size > 0 && { listedContacts: named.contacts }),
      ...(rows === 'contacts' && leftOut.contacts.size > 0 && { unlistedContacts: leftOut.contacts }),
    },
    list: within.length === 1 ? (within[0] ?? null) : null,
  };
}

function idsOf({ whole, contacts }: NamedByLists): string[] {
  return [...whole, ...contacts.keys()];
}

function withAddresses(query: SearchQuery): SearchQuery {
  return query.text === null ? query : { ...query, text: { ...query.text, addresses: query.text.typedAddresses } };
}

/** Only filters for ids cost a lookup. */
async function directFilters(
  deps: Pick<ListDeps, 'mergedIds'>,
  filters: readonly Filter[],
): Promise<readonly Filter[]> {
  const ids = filters.flatMap((filter) => (isOfIds(filter) ? [...filter.any, ...filter.none] : []));
  const keptIds = ids.length === 0 ? new Map<string, string>() : await deps.mergedIds.resolve(ids);
  const directAll = (recordIds: readonly string[]) => [...new Set(recordIds.map((id) => keptIds.get(id) ?? id))];
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
  requireActive(plan, now, 'to write to your lists');
}

/** A list, and the version that is written or deleted; null for any. */
interface ListVersion {
  id: string;
  version: number | null;
}

/** What a list cannot take: its place in `add`, and whether the record is there but has no such contact. */
export interface UnknownSubject {
  place: number;
  isContact: boolean;
}

/**
 * Changes a list, all or nothing. If there are no such records or contacts to add, it writes nothing and returns these as
 * `unknown`; an entry that the list has can be changed after its contact is gone. Throws Problem `list_changed` if the list is
 * no longer of this version, `list_full`, `plan_expired` or `not_found`.
 */
export async function writeList(
  deps: ListDeps,
  { id, version, change }: ListVersion & { change: ListChange },
  key: StoredKey,
  now: Date,
): Promise<{ list: MediaList } | { unknown: readonly UnknownSubject[] }> {
  if (change.name !== undefined || change.add !== undefined) requireActivePlan(key, now);
  const direct = await findDirect(deps, [...(change.add ?? []), ...(change.remove ?? [])]);
  const next = { ...change, add: change.add?.map(direct) ?? [], remove: change.remove?.map(direct) ?? [] };
  const added = await findPresent(
    deps.index,
    next.add.map((entry) => entry.id),
  );
  const before = await openList(deps, id, key);
  if (version !== null && before.version !== version) throw listChanged();
  const listed = new Set(before.entries.map(subjectKey));
  const unknown = next.add.flatMap((subject, place) => {
    const record = added.get(subject.id);
    if (record === undefined) return { place, isContact: false };
    const isThere = isContactOf(record, subject.contactId) || listed.has(subjectKey(subject));
    return isThere ? [] : { place, isContact: true };
  });
  if (unknown.length > 0) return { unknown };
  const leftIds = await findLeft(deps, before);
  // What others write meanwhile stays.
  const list = await deps.lists.write(key.hash, id, (stored) => {
    if (version !== null && stored.version !== version) return null;
    const entries = directEntries(stored.entries, before.direct).filter((entry) => !leftIds.has(entry.id));
    return changeList(stored, entries, next, now);
  });
  if (list === null) throw version === null ? noSuchList() : listChanged();
  return { list };
}

function isContactOf({ contacts }: MediaRecord, contactId: string | undefined): boolean {
  return contactId === undefined || contacts.some((contact) => contact.id === contactId);
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

/** The ids of entries whose records were deleted or suppressed. */
async function findLeft(deps: ListDeps, { byRecord }: OpenedList): Promise<ReadonlySet<string>> {
  const ids = [...byRecord.keys()];
  if ((await countPresent(deps, ids)) === ids.length) return new Set();
  const presentIds = await findPresent(deps.index, ids);
  return new Set(ids.filter((id) => !presentIds.has(id)));
}

/** The records with these ids that callers can find, masked. */
async function findPresent(
  index: Pick<SearchIndex, 'findMany'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MediaRecord>> {
  const records = new Map<string, MediaRecord>();
  const unique = [...new Set(ids)];
  for (let from = 0; from < unique.length; from += recordsARequest) {
    for (const record of await index.findMany(unique.slice(from, from + recordsARequest), 'masked'))
      records.set(record.id, record);
  }
  return records;
}

export function countPresent({ index }: Pick<ListDeps, 'index'>, ids: Iterable<string>): Promise<number> {
  return countMatches(index, { text: null, filters: [onlyIds(ids)] });
}
