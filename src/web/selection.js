/**
 * The records that are selected on a page, by their ids, on whatever page of results they were.
 * @typedef {ReturnType<typeof createSelection>} Selection
 */

/** @param {() => void} changed called after each change */
export function createSelection(changed) {
  /** @type {Map<string, any>} */
  const records = new Map();
  return {
    records,
    has: (/** @type {string} */ id) => records.has(id),
    toggle(/** @type {any} */ record) {
      if (!records.delete(record.id)) records.set(record.id, record);
      changed();
    },
    /** All of these, or none if all of them are. @param {readonly any[]} all */
    toggleAll(all) {
      const isAll = all.every(({ id }) => records.has(id));
      for (const record of all) {
        if (isAll) records.delete(record.id);
        else records.set(record.id, record);
      }
      changed();
    },
    clear() {
      records.clear();
      changed();
    },
  };
}
