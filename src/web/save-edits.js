import { writeEntry } from './account-lists.js';
import { faultOf, mayPass, secondsUntilRetry } from './api.js';
import { editsOf, endEdit, isDisputed } from './edits.js';
import { subjectOf } from './views/record-parts.js';

/** @typedef {import('./account-lists.js').Row} Row */
/** What became of the last edit. @typedef {'' | 'Saving …' | 'Saved' | 'Not saved yet: trying again' | 'Not saved'} Saving */

/**
 * Saves what was edited in a list, an entry at a time. If the service cannot take it now, this is tried again.
 * @param {{ list: () => string, tag: () => string | null, rows: ReadonlyMap<string, Row>, read: () => Promise<void>,
 *   onSaved: (row: Row) => void, onFault: (fault: import('./views/fault.js').Fault) => void, draw: () => void }} desk
 * `list`: the open one; `tag`: its version, which a write must meet; `rows`: those that were read; `read`: reads them again.
 */
export function createSaver({ list: openList, tag, rows, read, onSaved, onFault, draw }) {
  let isSaving = false;
  let next = 0;
  const saver = {
    /** @type {Saving} */
    state: '',
    /** While somebody types, not every letter. */
    saveSoon() {
      clearTimeout(next);
      next = setTimeout(saver.save, 1_000);
    },
    async save() {
      clearTimeout(next);
      if (isSaving) return saver.saveSoon();
      isSaving = true;
      try {
        for (let edit = findUnsaved(); edit !== null; edit = findUnsaved()) await saveOne(...edit);
      } catch (error) {
        const fault = faultOf(error);
        const isPassing = mayPass(fault);
        if (isPassing) next = setTimeout(saver.save, 1_000 * secondsUntilRetry(fault));
        else onFault(fault);
        saver.state = isPassing ? 'Not saved yet: trying again' : 'Not saved';
      }
      isSaving = false;
      draw();
    },
  };

  /** The first edit of a row that was read, and that nobody else has changed. @returns {[string, string, import('./edits.js').Edit, Row] | null} */
  function findUnsaved() {
    const list = openList();
    for (const [key, edit] of Object.entries(editsOf(list))) {
      const row = rows.get(key);
      if (row !== undefined && !isDisputed(row, edit)) return [list, key, edit, row];
    }
    return null;
  }

  /** @param {string} list @param {string} key @param {import('./edits.js').Edit} edit @param {Row} row */
  async function saveOne(list, key, edit, row) {
    saver.state = 'Saving …';
    draw();
    try {
      await writeEntry(list, { ...subjectOf(row), ...edit.change }, tag());
    } catch (error) {
      const { code, status } = faultOf(error);
      // The record is gone, so no later try can save it.
      if (status === 400) endEdit(list, key, edit);
      if (code !== 'list_changed') throw error;
      // Somebody else wrote to the list: with what is there now, this edit is saved or disputed.
      saver.state = '';
      return read();
    }
    endEdit(list, key, edit);
    saver.state = 'Saved';
    onSaved(row);
    await read();
  }

  return saver;
}
