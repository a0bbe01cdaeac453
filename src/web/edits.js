import { readStored, store } from './dom.js';
import { rowKey, subjectOf } from './views/record-parts.js';

/**
 * Notes and statuses that somebody gave and the service does not have yet. They are in this browser from the first letter on, so
 * that neither a lost connection nor a closed tab loses them.
 *
 * @typedef {import('./account-lists.js').Row} Row
 * @typedef {{ note?: string, status?: string }} Change
 * @typedef {import('./account-lists.js').Subject & { change: Change, before: Change }} Edit what to write, and what it replaces
 */

const name = 'masthead-edits';

/** What waits in a list, by the keys of its rows. @param {string} list @returns {Record<string, Edit>} */
export function editsOf(list) {
  return readStored(name)[list] ?? {};
}

/** Adds to what waits for a row. @param {string} list @param {Row} row @param {Change} change */
export function keepEdit(list, row, change) {
  const key = rowKey(row);
  const earlier = editsOf(list)[key];
  const before = { note: row.note ?? '', status: row.status, ...earlier?.before };
  put(list, { ...editsOf(list), [key]: { ...subjectOf(row), change: { ...earlier?.change, ...change }, before } });
}

/** Ends what waits for a row, unless it was changed since. @param {string} list @param {string} key @param {Edit} edit */
export function endEdit(list, key, edit) {
  const { [key]: present, ...others } = editsOf(list);
  if (JSON.stringify(present?.change) === JSON.stringify(edit.change)) put(list, others);
}

/** @param {string} list @param {Record<string, Edit>} edits */
function put(list, edits) {
  const { [list]: _, ...others } = readStored(name);
  store(name, Object.keys(edits).length === 0 ? others : { ...others, [list]: edits });
}

/** A row with what waits for it. @param {Row} row @param {Edit | undefined} edit @returns {Row} */
export function edited(row, edit) {
  return { ...row, ...edit?.change };
}

/** Whether somebody else has changed what an edit replaces, to something else. @param {Row} row @param {Edit | undefined} edit */
export function isDisputed(row, edit) {
  const present = { note: row.note ?? '', status: row.status };
  return Object.entries(edit?.change ?? {}).some(([field, value]) => {
    const there = present[/** @type {'note' | 'status'} */ (field)];
    return there !== edit?.before[/** @type {'note' | 'status'} */ (field)] && there !== value;
  });
}
