import { currentList, readLists, saveLists, toggleKept } from './kept-lists.js';
import { locale } from './page.js';

/** The list that records are kept in, as views use it. Calls back when it changes, also in another tab. @param {() => void} changed */
export function createKeeper(changed) {
  let keeping = readLists(locale.text.lists.first);
  addEventListener('storage', () => {
    keeping = readLists(locale.text.lists.first);
    changed();
  });
  return {
    has: (/** @type {string} */ id) => currentList(keeping).some((kept) => kept.id === id),
    toggle(/** @type {any} */ record) {
      // Read again: another tab may have kept something.
      const known = readLists(locale.text.lists.first);
      keeping = toggleKept(known, record);
      saveLists(keeping);
      changed();
      return keeping !== known;
    },
  };
}
