import { askJson, faultOf } from './api.js';
import { currentList, maxKept, readLists, saveLists, toggleKept, withAdded, withOpen } from './kept-lists.js';
import { locale } from './locale.js';

/** The list that records are kept in, as views use it. Calls back when it changes, also in another tab. @param {() => void} changed */
export function createKeeper(changed) {
  let keeping = readLists(locale.text.lists.first);
  addEventListener('storage', () => {
    keeping = readLists(locale.text.lists.first);
    changed();
  });
  return {
    get current() {
      return keeping.current;
    },
    get names() {
      return Object.keys(keeping.lists);
    },
    /** Records go into this list from now on, also one that is new. Returns false where the browser refuses. */
    open(/** @type {string} */ name) {
      const next = withOpen(readLists(locale.text.lists.first), name);
      if (!saveLists(next)) return false;
      keeping = next;
      changed();
      return true;
    },
    has: (/** @type {string} */ id) => currentList(keeping).some((kept) => kept.id === id),
    toggle(/** @type {any} */ record) {
      // Read again: another tab may have kept something.
      const known = readLists(locale.text.lists.first);
      const next = toggleKept(known, record);
      const outcome = next === known ? 'full' : saveLists(next) ? 'kept' : 'refused';
      keeping = outcome === 'kept' ? next : known;
      changed();
      return outcome;
    },
    add(/** @type {readonly any[]} */ records) {
      const known = readLists(locale.text.lists.first);
      const next = withAdded(known, records);
      if (!saveLists(next)) return null;
      keeping = next;
      changed();
      return currentList(keeping).length - currentList(known).length;
    },
    async offerAll(/** @type {URLSearchParams} */ query) {
      try {
        const { results, total } = await askJson(`search?${query}&per_page=${maxKept}&fields=id,name,kind`);
        const known = readLists(locale.text.lists.first);
        const kept = currentList(known);
        const others = results.filter((/** @type {any} */ { id }) => !kept.some((record) => record.id === id));
        const fitting = others.slice(0, maxKept - kept.length);
        const isAll = total === results.length && fitting.length === others.length;
        return { list: known.current, fitting, total, isAll };
      } catch (error) {
        return { fault: faultOf(error) };
      }
    },
  };
}
