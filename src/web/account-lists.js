import { askJson } from './api.js';

export { faultOf } from './api.js';

/**
 * A list of the account, and a record in it, as the API has them.
 * @typedef {{ id: string, name: string, count: number, updated_at: string }} ListHead
 * @typedef {{ record: any, note: string | null, status: string, added_at: string }} Row
 * What to write to a list: what is absent of an entry stays.
 * @typedef {{ add?: { id: string, note?: string | null, status?: string }[], remove?: string[] }} Change
 */

/** As many records as the API takes in one write, and as a press keeps of what is found. */
export const maxWritten = 1_000;
const perPage = 100;

/** The account's lists, by name. @returns {Promise<ListHead[]>} */
export async function readLists() {
  return (await askJson('lists')).lists;
}

/** @param {string} name @returns {Promise<ListHead>} */
export function createList(name) {
  return send('lists', 'POST', { name });
}

/** @param {string} id @param {string} name */
export function renameList(id, name) {
  return send(`lists/${id}`, 'PATCH', { name });
}

/** Goes on when the page is left. @param {string} id */
export function deleteList(id) {
  return askJson(`lists/${id}`, { method: 'DELETE', keepalive: true });
}

/** @param {string} id @param {Change} change */
export async function writeRecords(id, { add = [], remove = [] }) {
  for (let from = 0; from < Math.max(add.length, remove.length); from += maxWritten) {
    const part = { add: add.slice(from, from + maxWritten), remove: remove.slice(from, from + maxWritten) };
    await send(`lists/${id}/records`, 'POST', part);
  }
}

/** The ids of what a search finds, the first `maxWritten`. @param {URLSearchParams} query @returns {Promise<string[]>} */
export async function findIds(query) {
  const ids = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { results, total_pages } = await askJson(`search?${query}&fields=id&per_page=${perPage}&page=${page}`);
    ids.push(...results.map((/** @type {any} */ { id }) => id));
    last = Math.min(total_pages, maxWritten / perPage);
  }
  return ids;
}

/** The records of these ids or domains, null for those that have none, in this order. @param {{ ids: string[] } | { domains: string[] }} asked */
export async function lookUp(asked) {
  const [[name = '', values = []] = []] = Object.entries(asked);
  /** @type {any[]} */
  const found = [];
  for (let from = 0; from < values.length; from += perPage) {
    const body = { [name]: values.slice(from, from + perPage), fields: ['id', 'name', 'kind'] };
    const { results } = await send('records/lookup', 'POST', body);
    found.push(...results.map((/** @type {any} */ { record }) => record));
  }
  return found;
}

/** @param {string} path @param {string} method @param {object} body */
function send(path, method, body) {
  return askJson(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}
