import { type ListEntry, type ListStatus, listStatuses } from '#accounts/media-list.ts';
import { type Caller, visibilityFor } from '#accounts/stored-key.ts';
import { emptyContact, firstContact, isUsable, type KeptContact } from '#records/contacts/contact.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { nameKey } from '#text/fold.ts';
import { bestFirst, onlyIds, type Sort, sortKeys } from '../search-query.ts';
import { numberPage, type PageNumbers, type SearchRequest, searchRecords } from '../search-records.ts';
import type { EntriesByRecord } from './list-entries.ts';
import { countPresent, type ListDeps, type OpenedList, recordsARequest } from './lists.ts';

/** The orders of a list besides those of searches. */
export const listSortKeys = ['status', 'note', 'added', 'contacted'] as const;
export type ListSortKey = Sort['key'] | (typeof listSortKeys)[number];

/** A page of a list. With statuses, only entries that have one of them. */
export interface ListPageRequest extends Omit<SearchRequest, 'query' | 'sort'> {
  list: OpenedList;
  statuses: readonly ListStatus[];
  sort: { key: ListSortKey; reversed: boolean };
}

/** An entry with its record. `contact` is null where it names the medium itself, or a contact that is gone. */
export interface ListRow {
  record: MediaRecord;
  contact: KeptContact | null;
  entry: ListEntry;
}

export interface ListPage {
  /** `total`: the entries of the statuses asked for. */
  page: PageNumbers;
  rows: readonly ListRow[];
  /** The entries whose records are there. */
  count: number;
  /** The entries whose records were deleted or suppressed since the list was last written, or whose contacts are gone. */
  left: number;
}

/** A page of entries, by default in the order of their records in searches; those of one record as they came. */
export async function readList(deps: ListDeps, request: ListPageRequest, caller: Caller, now: Date): Promise<ListPage> {
  const { sort, list } = request;
  const namesContacts = list.entries.some(({ contactId }) => contactId !== undefined);
  return !namesContacts && isOfSearches(sort)
    ? readRecords(deps, { ...request, sort }, caller, now)
    : readEntries(deps, request, caller, now);
}

function isOfSearches(sort: ListPageRequest['sort']): sort is Sort {
  return (sortKeys as readonly string[]).includes(sort.key);
}

/** Of a list of media alone, the index makes the page. */
async function readRecords(
  deps: ListDeps,
  { list: { byRecord }, statuses, ...request }: ListPageRequest & { sort: Sort },
  caller: Caller,
  now: Date,
): Promise<ListPage> {
  const isAll = statuses.length === 0;
  const shownEntries = [...byRecord.values()].flat().filter(({ status }) => isAll || statuses.includes(status));
  const query = { text: null, filters: [onlyIds(shownEntries.map(({ id }) => id))] };
  const [{ records, ...page }, count] = await Promise.all([
    searchRecords(deps.index, { ...request, query }, caller, now),
    isAll ? null : countPresent(deps, byRecord.keys()),
  ]);
  const presentCount = count ?? page.total;
  const rows = records.flatMap((record) => rowsOf(record, byRecord));
  return { page, rows, count: presentCount, left: byRecord.size - presentCount };
}

/** Reads all records of the list: only they tell which entries are there, and a record may have several. */
async function readEntries(
  { index }: ListDeps,
  { list, statuses, sort, page, perPage }: ListPageRequest,
  caller: Caller,
  now: Date,
): Promise<ListPage> {
  const query = { text: null, filters: [onlyIds(list.byRecord.keys())] };
  const order = { sort: isOfSearches(sort) ? sort : bestFirst, limit: recordsARequest };
  const comparedEntries: ComparedEntry[] = [];
  let [count, withoutContact] = [0, 0];
  for (let offset = 0, total = 1; offset < total; offset += recordsARequest) {
    const batch = await index.search(query, { ...order, offset }, 'masked');
    total = batch.total;
    for (const row of batch.records.flatMap((record) => rowsOf(record, list.byRecord))) {
      count += 1;
      if (row.contact === null && row.entry.contactId !== undefined) withoutContact += 1;
      if (statuses.length > 0 && !statuses.includes(row.entry.status)) continue;
      comparedEntries.push({ entry: row.entry, value: rowValues[sort.key]?.(row) ?? null });
    }
  }
  const pageEntries = inOrder(comparedEntries, sort).slice((page - 1) * perPage, page * perPage);
  const visibility = visibilityFor(caller, now);
  const records = await index.findMany([...new Set(pageEntries.map(({ entry }) => entry.id))], visibility);
  const byId = new Map(records.map((record) => [record.id, record]));
  const rows = pageEntries.flatMap(({ entry }) => {
    const record = byId.get(entry.id);
    return record === undefined ? [] : rowOf(record, entry);
  });
  const numbers = numberPage(comparedEntries.length, { page, perPage }, visibility);
  return { page: numbers, rows, count, left: list.entries.length - count + withoutContact };
}

/** What a row is compared by where the index does not order it; null is unknown. */
const rowValues: { [key in ListSortKey]?: (row: ListRow) => string | number | null } = {
  status: ({ entry: { status } }) => (status === 'none' ? null : listStatuses.indexOf(status)),
  note: ({ entry: { note } }) => note && nameKey(note),
  added: ({ entry }) => entry.addedAt,
  contacted: ({ entry }) => entry.contactedAt ?? null,
  // A person without an address may be at a medium that has one.
  reachable: ({ record, contact, entry }) =>
    isUsable(contact ?? (entry.contactId ? emptyContact('') : firstContact(record))) ? 1 : 0,
};

/** The largest value comes first: the latest, or those that can be reached. */
const largestFirst: readonly ListSortKey[] = ['added', 'contacted', 'reachable'];

interface ComparedEntry {
  entry: ListEntry;
  value: string | number | null;
}

/** Unknown values stay last; among equals, the order of before stays. */
function inOrder(entries: readonly ComparedEntry[], { key, reversed }: ListPageRequest['sort']): ComparedEntry[] {
  const sign = reversed === largestFirst.includes(key) ? 1 : -1;
  return entries.toSorted(({ value: a }, { value: b }) => {
    if (a === b) return 0;
    if (a === null || b === null) return a === null ? 1 : -1;
    return a < b ? -sign : sign;
  });
}

function rowsOf(record: MediaRecord, byRecord: EntriesByRecord): ListRow[] {
  return (byRecord.get(record.id) ?? []).map((entry) => rowOf(record, entry));
}

function rowOf(record: MediaRecord, entry: ListEntry): ListRow {
  return { record, contact: record.contacts.find(({ id }) => id === entry.contactId) ?? null, entry };
}
