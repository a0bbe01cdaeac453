import { askJson, askTagged, faultOf } from './api.js';
import { readStored, store } from './dom.js';
import { rowKey } from './views/record-parts.js';

/**
 * @typedef {import('./account-lists.js').Row} Row
 * @typedef {import('./account-lists.js').ListHead & { left: number, results: Row[],
 *   total: number, page: number, per_page: number, total_pages: number, masked: boolean }} ListPage
 */

const perPage = 100;
/** Lists of at most this many entries are read whole, to count and to select what is in them. */
const maxWhole = 1_000;

/** The list that the page shows: a page of it, and what was read of its other pages. @typedef {typeof openList} OpenList */
export const openList = {
  /** @type {ListPage | null} */
  page: null,
  /** The version of the list, which a write of an edit must meet. @type {string | null} */
  tag: null,
  /** The rows that were read so far, on any page, by their subjects. @type {Map<string, Row>} */
  rows: new Map(),
  /** Whether these are the whole list. */
  isWhole: false,

  /** Reads a page of a list; null if there is no such list. @param {string} id @param {ListView} view @returns {Promise<ListPage | null>} */
  async readPage(id, view) {
    if (id === '') return null;
    const parameters = Object.entries({ ...view, list: '' }).filter(([, value]) => value !== '');
    const query = new URLSearchParams([['per_page', String(perPage)], ['dates', '1'], ...parameters]);
    try {
      const answer = await askTagged(`lists/${encodeURIComponent(id)}?${query}`);
      openList.tag = answer.tag;
      return answer.body;
    } catch (error) {
      if (faultOf(error).status === 404) return null;
      throw error;
    }
  },

  /** @param {ListPage | null} page */
  show(page) {
    openList.page = page;
    openList.add(page?.results ?? []);
  },

  /** Reads all pages that were not read, unless the list is long. @param {() => ListView} viewNow what is shown now */
  async readRest(viewNow) {
    const { list, status } = viewNow();
    const { page } = openList;
    if (page === null || page.count > maxWhole) return;
    for (let at = 1, last = status === '' && page.total_pages === 1 ? 0 : 1; at <= last; at += 1) {
      const path = `lists/${encodeURIComponent(list)}?dates=1&per_page=${perPage}&page=${at}`;
      const next = await askJson(path).catch(faultOf);
      if (viewNow().list !== list || next.results === undefined) return;
      openList.add(next.results);
      last = next.total_pages;
    }
    openList.isWhole = true;
  },

  /** @param {readonly Row[]} rows */
  add(rows) {
    for (const row of rows) openList.rows.set(rowKey(row), row);
  },

  forget() {
    openList.rows.clear();
    openList.isWhole = false;
  },
};

/** What the URL of the page of lists says. @typedef {{ list: string, status: string, sort: string, page: string, columns: string }} ListView */

/** @returns {ListView} */
export function readView() {
  const parameters = new URLSearchParams(location.search);
  const readValue = (/** @type {string} */ name) => parameters.get(name) ?? '';
  return {
    list: readValue('list'),
    status: readValue('status'),
    sort: readValue('sort'),
    page: readValue('page'),
    columns: readValue('columns'),
  };
}

/** @param {ListView} view @param {string} [record] what is open beside it */
export function urlOfView(view, record = '') {
  const parameters = Object.entries({ ...view, record }).filter(([, value]) => value !== '');
  return parameters.length === 0 ? './lists' : `./lists?${new URLSearchParams(parameters)}`;
}

/** What happened since the last visit: how many records now have an invalid address, were merged into another, or are gone. @typedef {{ since: string, invalid: number, merged: number, left: number }} News */

/** Stored under this name: when somebody last looked at each list in this browser. */
const looksName = 'masthead-looks';

/**
 * What happened to a list since the last visit, null at the first one. Notes the time of this one.
 * @param {ListPage} page @param {number} [writtenCount] how many entries it had when it was last written
 * @returns {Promise<News | null>}
 */
export async function findNews({ id, count, left }, writtenCount = count) {
  const { [id]: since, ...otherLooks } = readStored(looksName);
  store(looksName, { ...otherLooks, [id]: new Date().toISOString() });
  if (since === undefined) return null;
  const changed = new URLSearchParams({ list: id, email_status: 'invalid', updated_since: since });
  const invalid = await askJson(`search?${changed}&fields=id&per_page=1`).catch(faultOf);
  return { since, invalid: invalid.total ?? 0, merged: Math.max(writtenCount - count - left, 0), left };
}
