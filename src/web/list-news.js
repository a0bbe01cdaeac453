import { askJson, faultOf } from './api.js';
import { readStored, store } from './dom.js';

/** What happened since the last visit: how many records now have an invalid address, were merged into another, or are gone. @typedef {{ since: string, invalid: number, merged: number, left: number }} News */

/** Stored under this name: when somebody last looked at each list in this browser. */
const looksName = 'masthead-looks';

/**
 * What happened to a list since the last visit, null at the first one. Notes the time of this one.
 * @param {import('./open-list.js').ListPage} page @param {number} [writtenCount] how many entries it had when it was last written
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
