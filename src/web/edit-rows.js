import { entryOf } from './account-lists.js';
import { edited, editsOf, endEdit, keepEdit } from './edits.js';
import { openList } from './open-list.js';
import { createSaver } from './save-edits.js';
import { statusName } from './views/list-columns.js';
import { rowKey, rowName, subjectOf } from './views/record-parts.js';
import { counted, write as number } from './words.js';

/**
 * @typedef {import('./account-lists.js').Row} Row @typedef {import('./account-lists.js').Subject} Entry
 * @typedef {import('./account-lists.js').Change} Change
 */

/**
 * Editing notes, statuses and dates in the rows of the open list.
 * @param {{ list: () => string, read: () => Promise<void>, tell: (done: import('./done.js').Done | null) => void,
 *   writeBack: (entry: Entry) => void, onFault: (fault: import('./views/fault.js').Fault) => void, draw: () => void }} desk
 * `list`: the open one; `writeBack`: writes an entry as it was.
 */
export function createRowEdits({ list, read, tell, writeBack, onFault, draw }) {
  const saver = createSaver({
    list,
    tag: () => openList.tag,
    rows: openList.rows,
    read,
    onSaved: (row) => tell({ said: `${rowName(row)} is saved.`, act: () => writeBack(entryOf(row)) }),
    onFault,
    draw,
  });
  const actions = {
    /** @param {Row} row @param {import('./edits.js').Change} change */
    onType(row, change) {
      keepEdit(list(), row, change);
      saver.saveSoon();
    },
    /** @param {Row} row @param {import('./edits.js').Change} change */
    onEdit(row, change) {
      const { note, status } = edited(row, editsOf(list())[rowKey(row)]);
      // Leaving a field changes nothing after the last letter.
      const isNew = (change.note ?? note ?? '') !== (note ?? '') || (change.status ?? status) !== status;
      if (isNew) keepEdit(list(), row, change);
      return saver.save();
    },
    /** Of a row that somebody else has changed, too: writes what waits here all the same, or leaves what is there. @param {Row} row @param {boolean} isOurs */
    onSettle(row, isOurs) {
      const edit = editsOf(list())[rowKey(row)];
      if (edit === undefined) return;
      endEdit(list(), rowKey(row), edit);
      if (isOurs) keepEdit(list(), row, edit.change);
      return saver.save();
    },
  };

  /** Asks somebody who writes to an address whether the person is contacted now. @param {Row | undefined} row */
  function askWhetherContacted(row) {
    if (row === undefined) return;
    const { status } = edited(row, editsOf(list())[rowKey(row)]);
    if (status !== 'none' && status !== 'to_contact') return;
    const markAsContacted = () => {
      tell(null);
      actions.onEdit(row, { status: 'contacted' });
    };
    tell({ said: `Did you write to ${rowName(row)}?`, act: markAsContacted, label: 'Mark as contacted', stays: true });
    draw();
  }

  return { saver, actions, askWhetherContacted };
}

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
