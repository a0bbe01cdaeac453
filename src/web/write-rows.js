import { entryOf } from './account-lists.js';
import { openList } from './open-list.js';
import { statusName } from './views/list-columns.js';
import { rowKey, subjectOf } from './views/record-parts.js';
import { counted, write as number } from './words.js';

/** @typedef {import('./account-lists.js').Row} Row @typedef {import('./account-lists.js').Change} Change */

/**
 * Marking, removing and adding rows of the open list.
 * @param {import('./rows.js').Selection} selection @param {(change: Change, said: string, back: Change | null) => Promise<void>} write
 * `back`: what undoes the change
 */
export function createRowWrites(selection, write) {
  const { rows } = openList;
  const selected = () => [...selection.rows.keys()].flatMap((key) => rows.get(key) ?? []);
  const actions = {
    onRemove() {
      const removed = selected();
      selection.rows.clear();
      const message = `${number(removed.length)} removed.`;
      return write({ remove: removed.map(subjectOf) }, message, { add: removed.map(entryOf) });
    },
    /** @param {string} status */
    onStatus(status) {
      const changed = selected();
      const message = `${number(changed.length)} marked as “${statusName(status)}”.`;
      const back = { add: changed.map(entryOf) };
      return write({ add: changed.map((row) => ({ ...subjectOf(row), status })) }, message, back);
    },
    /** @param {readonly import('./pasted.js').Row[]} pasted */
    onAdd(pasted) {
      const added = pasted.filter((row) => !rows.has(rowKey(row)));
      const message = `${counted(pasted.length, 'entry is', 'entries are')} in the list now.`;
      // Entries not on the screen may have been in the list before, so adding them cannot be undone.
      const { page } = openList;
      const isShownWhole = page !== null && page.total_pages <= 1 && page.total === page.count;
      const back = isShownWhole ? { remove: added.map(subjectOf) } : null;
      return write({ add: pasted.map(subjectOf) }, message, back);
    },
  };
  return { selected, actions };
}
