import { askJson, faultOf, send } from './api.js';
import { readKey } from './key.js';
import { subjectOf } from './views/record-parts.js';

/** A list, as the API shows it. @typedef {{ id: string, name: string, count: number, updated_at: string }} ListHead */
/** What an entry names: a medium, or one contact of it. @typedef {{ id: string, contact_id?: string | null }} Subject */
/** An entry of a list. @typedef {import('./views/record-parts.js').Row & { note: string | null, status: string, added_at: string, contacted_at?: string | null }} Row */
/** What to write to a list. What is not given stays as it is. */
/** @typedef {{ add?: readonly (Subject & { note?: string | null, status?: string, contacted_at?: string | null })[], remove?: readonly Subject[] }} Change */

/** How many records the API takes in one write. */
const maxWritten = 1_000;
const perPage = 100;

/** The account's lists, by name. @returns {Promise<ListHead[]>} */
export async function readLists() {
  return (await askJson('lists')).lists;
}

/** How many entries of lists a page of results reads to mark what they have, the lists that changed last before others. */
const maxMarked = 1_000;
/** Stored under this name while the tab is open: the entries of lists that were read, without addresses. */
const markedName = 'masthead-listed';

/** The lists of an account, what they have, and those too long to be read. @typedef {{ lists: readonly ListHead[], listed: import('./views/record-parts.js').Listed, unmarked: readonly ListHead[] }} AccountLists */
/** @type {AccountLists} */
const noneListed = { lists: [], listed: new Map(), unmarked: [] };

/** What the lists of the account have, for a page. `look` reads it, as each change of a list does, and `draw` shows it. @param {() => void} draw */
export function followLists(draw) {
  let accountLists = noneListed;
  async function look() {
    const key = readKey();
    const newLists = await readListed(key);
    if (readKey() !== key) return;
    accountLists = newLists;
    draw();
  }
  /** What the lists other than this one have. @param {string} list */
  const outside = (list) => ({
    listed: new Map(
      [...accountLists.listed].map(([id, entries]) => [id, entries.filter((entry) => entry.list !== list)]),
    ),
    unmarked: accountLists.unmarked.filter(({ id }) => id !== list),
  });
  addEventListener('listed', look);
  // Another tab may have changed them.
  document.addEventListener('visibilitychange', () => document.hidden || look());
  return { current: () => accountLists, outside, look };
}

/** The lists of the account, the one that changed last first, and what they have; none without a key or an answer. @param {string | null} key */
function readListed(key) {
  return key === null ? noneListed : readMarked().catch((error) => faultOf(error) && noneListed);
}

/** A list is read again when it has changed. @returns {Promise<AccountLists>} */
async function readMarked() {
  const lists = (await readLists()).toSorted((a, b) => b.updated_at.localeCompare(a.updated_at));
  const stored = JSON.parse(sessionStorage.getItem(markedName) ?? '{}');
  /** @type {typeof stored} */
  const readNow = {};
  const listed = new Map();
  const unmarked = [];
  let room = maxMarked;
  for (const list of lists) {
    const { id, name, count, updated_at: at } = list;
    if (count > room) {
      unmarked.push(list);
      continue;
    }
    room -= count;
    readNow[id] = stored[id]?.at === at ? stored[id] : { at, entries: await readEntries(id) };
    for (const { id: medium, ...entry } of readNow[id].entries)
      listed.set(medium, [...(listed.get(medium) ?? []), { list: id, name, ...entry }]);
  }
  sessionStorage.setItem(markedName, JSON.stringify(readNow));
  return { lists, listed, unmarked };
}

/** @param {string} list */
async function readEntries(list) {
  const entries = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { results, total_pages } = await askJson(`lists/${list}?fields=id&dates=1&per_page=${perPage}&page=${page}`);
    last = total_pages;
    for (const row of results) {
      entries.push({ ...subjectOf(row), status: row.status, contacted_at: row.contacted_at });
    }
  }
  return entries;
}

/** @param {string} name @returns {Promise<ListHead>} */
export function createList(name) {
  return send('lists', { name });
}

/** What is written to have an entry as this row shows it. @param {Row} row */
export const entryOf = (row) => ({
  ...subjectOf(row),
  note: row.note,
  status: row.status,
  contacted_at: row.contacted_at ?? null,
});

/** @param {string} id @param {Change} change @param {string | null} tag the version that the list must have; null for any */
export async function writeRecords(id, { add = [], remove = [] }, tag = null) {
  for (let from = 0; from < Math.max(add.length, remove.length); from += maxWritten) {
    const part = { add: add.slice(from, from + maxWritten), remove: remove.slice(from, from + maxWritten) };
    await send(`lists/${id}/records`, part, { headers: ifMatch(from === 0 ? tag : null) });
  }
  dispatchEvent(new Event('listed'));
}

/** Writes one entry if the list still has this version. @param {string} id @param {Subject} entry @param {string | null} tag */
export function writeEntry(id, entry, tag) {
  return send(`lists/${id}/records`, { add: [entry] }, { headers: ifMatch(tag) });
}

/** @param {string | null} tag @returns {Record<string, string>} */
const ifMatch = (tag) => (tag === null ? {} : { 'If-Match': tag });

/** The media that a search finds, or the people, at most this many. @param {URLSearchParams} query @param {number} most @param {boolean} ofPeople @returns {Promise<Subject[]>} */
export async function findSubjects(query, most, ofPeople) {
  const path = ofPeople ? `contacts?${query}` : `search?${query}&fields=id`;
  const subjects = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { results, total_pages } = await askJson(`${path}&per_page=${perPage}&page=${page}`);
    subjects.push(...(ofPeople ? results.map(subjectOf) : results));
    last = Math.min(total_pages, most / perPage);
  }
  return subjects;
}

/**
 * What a lookup finds for each of these values, in the same order: a record, or null, and how many it may mean.
 * @param {'urls' | 'emails'} name
 * @param {readonly string[]} values
 * @returns {Promise<{ record: any, matches: number }[]>}
 */
export async function lookUp(name, values) {
  const fields = ['id', 'name', 'kind', 'city', 'region', 'country_name', 'contacts'];
  const answers = [];
  for (let from = 0; from < values.length; from += perPage) {
    const { results } = await send('records/lookup', { [name]: values.slice(from, from + perPage), fields });
    answers.push(...results);
  }
  return answers;
}
