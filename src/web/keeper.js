import { askJson, faultOf } from './api.js';
import { currentList, maxKept, readLists, saveLists, toggleKept, withAdded } from './kept-lists.js';
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
