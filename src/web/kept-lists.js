import { store } from './dom.js';
import { fitsPage } from './search-state.js';

/**
 * Records that somebody keeps: in this browser only, under names of their own, without addresses.
 * @typedef {{ id: string, name: string, kind: string, note: string }} Kept
 * @typedef {{ current: string, lists: Record<string, Kept[]> }} Keeping
 */

const storageName = 'masthead-lists';

/** As many as the API takes ids at once. */
export const maxKept = 100;

/** @param {string} firstName what the first list is called @returns {Keeping} */
export function readLists(firstName) {
  try {
    const { current, lists } = JSON.parse(localStorage.getItem(storageName) ?? '');
    const names = Object.keys(lists).filter((name) => Array.isArray(lists[name]));
    const [first] = names;
    if (first !== undefined) return { current: names.includes(current) ? current : first, lists };
  } catch {
    // Nothing is kept yet, or something else wrote it.
  }
  return { current: firstName, lists: { [firstName]: [] } };
}

/** Returns false where the browser stores nothing. @param {Keeping} keeping */
export function saveLists(keeping) {
  return store(storageName, keeping);
}

/** @param {Keeping} keeping */
export function currentList({ current, lists }) {
  return Object.hasOwn(lists, current) ? (lists[current] ?? []) : [];
}

/** With this list open, which is new if there is none of its name. @param {Keeping} keeping @param {string} name @returns {Keeping} */
export function withOpen({ lists }, name) {
  return { current: name, lists: { ...lists, [name]: currentList({ current: name, lists }) } };
}

/** With other records in its current list. @param {Keeping} keeping @param {Kept[]} kept @returns {Keeping} */
export function withList(keeping, kept) {
  return { ...keeping, lists: { ...keeping.lists, [keeping.current]: kept } };
}

/**
 * With the record in the current list, or without it if it was there. A full list stays as it is.
 * @param {Keeping} keeping
 * @param {{ id: string, name: string, kind: string }} record
 */
export function toggleKept(keeping, { id, name, kind }) {
  const kept = currentList(keeping);
  const others = kept.filter((known) => known.id !== id);
  if (others.length < kept.length) return withList(keeping, others);
  return kept.length < maxKept ? withList(keeping, [...kept, { id, name, kind, note: '' }]) : keeping;
}

/**
 * With these records in the current list too: those that it lacks, as far as there is room.
 * @param {Keeping} keeping
 * @param {readonly { id: string, name: string, kind: string }[]} records
 */
export function withAdded(keeping, records) {
  const kept = currentList(keeping);
  const known = new Set(kept.map(({ id }) => id));
  const added = records.filter(({ id }) => !known.has(id)).map(({ id, name, kind }) => ({ id, name, kind, note: '' }));
  return withList(keeping, [...kept, ...added].slice(0, maxKept));
}

/** The parameters that find exactly these records. @param {readonly Kept[]} kept */
export function queryOf(kept) {
  const parameters = new URLSearchParams({ id: kept.map(({ id }) => id).join('|') });
  const kinds = new Set(kept.map(({ kind }) => kind));
  // Without a kind, an export has outlets only.
  if (kinds.size > 1 || !kinds.has('outlet')) parameters.set('kind', [...kinds].join('|'));
  return parameters;
}

/** The parameters of a page that shows these records as rows. @param {readonly Kept[]} kept */
export function pageQueryOf(kept) {
  const parameters = queryOf(kept);
  parameters.set('view', 'table');
  return parameters;
}

/**
 * A list in as few parts as a page can show, since ids can be too long for one URL: mostly one.
 * @param {readonly Kept[]} kept
 */
export function partsOf(kept) {
  /** @type {Kept[][]} */
  const parts = [];
  for (const record of kept) {
    const part = parts.at(-1);
    if (part !== undefined && fitsPage(pageQueryOf([...part, record]))) part.push(record);
    else parts.push([record]);
  }
  return parts;
}
