import { readStored, store } from './dom.js';
import { rowKey, subjectOf } from './views/record-parts.js';

/**
 * Notes, statuses and dates that somebody gave and the service does not have yet. They are in this browser from the first letter on, so
 * that neither a lost connection nor a closed tab loses them.
 *
 * @typedef {import('./account-lists.js').Row} Row
 * @typedef {{ note?: string, status?: string, contacted_at?: string | null }} Change
 * @typedef {import('./account-lists.js').Subject & { change: Change, before: Change }} Edit what to write, and what it replaces
 */

const name = 'masthead-edits';

/** What waits in a list, by the keys of its rows. @param {string} list @returns {Record<string, Edit>} */
export function editsOf(list) {
  return readStored(name)[list] ?? {};
}

/** What an edit may change of a row. @param {Row} row @returns {Required<Change>} */
const valuesOf = (row) => ({ note: row.note ?? '', status: row.status, contacted_at: row.contacted_at ?? null });

/** Adds to what waits for a row. @param {string} list @param {Row} row @param {Change} change */
export function keepEdit(list, row, change) {
  const earlier = editsOf(list)[rowKey(row)];
  const before = { ...valuesOf(row), ...earlier?.before };
  const edit = { ...subjectOf(row), change: { ...earlier?.change, ...change }, before };
  put(list, { ...editsOf(list), [rowKey(row)]: edit });
}

/** Ends what waits for a row. What was typed while an edit was saved waits on, and replaces that. @param {string} list @param {string} key @param {Edit} edit */
export function endEdit(list, key, edit) {
  const { [key]: earlier, ...otherEdits } = editsOf(list);
  const isSame = earlier === undefined || JSON.stringify(earlier.change) === JSON.stringify(edit.change);
  put(
    list,
    isSame ? otherEdits : { ...otherEdits, [key]: { ...earlier, before: { ...earlier.before, ...edit.change } } },
  );
}

/** @param {string} list @param {Record<string, Edit>} edits */
function put(list, edits) {
  const { [list]: _, ...otherLists } = readStored(name);
  store(name, Object.keys(edits).length === 0 ? otherLists : { ...otherLists, [list]: edits });
}

/** A row with what waits for it. @param {Row} row @param {Edit | undefined} edit @returns {Row} */
export function edited(row, edit) {
  return { ...row, ...edit?.change };
}

/** Whether somebody else has changed what an edit replaces, to something else. @param {Row} row @param {Edit | undefined} edit */
export function isDisputed(row, edit) {
  if (edit === undefined) return false;
  const { change, before } = edit;
  const values = valuesOf(row);
  const changed = /** @type {(keyof Change)[]} */ (Object.keys(change));
  return changed.some((field) => values[field] !== before[field] && values[field] !== change[field]);
}
