import { store } from './dom.js';

/**
 * Searches that somebody saved, in this browser only. `query`: the parameters of GET /search that select; `seenAt`: when its
 * results were last looked at, ISO 8601.
 * @typedef {{ name: string, query: string, seenAt: string }} SavedSearch
 */

const storageName = 'masthead-searches';

/** Each asks the API once when the list is shown. */
export const maxSaved = 20;

/** @returns {SavedSearch[]} */
export function readSearches() {
  try {
    const saved = JSON.parse(localStorage.getItem(storageName) ?? '[]');
    return Array.isArray(saved) ? saved : [];
  } catch {
    return [];
  }
}

/**
 * Saves it, unless another search has its name or there are as many as can be: nothing that was saved is lost.
 * @param {SavedSearch} search
 * @returns {'saved' | 'taken' | 'full' | 'refused'} refused: the browser stores nothing
 */
export function saveSearch(search) {
  const known = readSearches();
  const others = known.filter(({ name }) => name !== search.name);
  if (known.some(({ name, query }) => name === search.name && query !== search.query)) return 'taken';
  if (others.length >= maxSaved) return 'full';
  return store(storageName, [search, ...others]) ? 'saved' : 'refused';
}

/** Returns false where the browser stores nothing. @param {string} name */
export function removeSearch(name) {
  return store(
    storageName,
    readSearches().filter((saved) => saved.name !== name),
  );
}

/** Notes that its results are looked at now. @param {string} name @param {Date} now */
export function markSeen(name, now) {
  const seenAt = now.toISOString();
  store(
    storageName,
    readSearches().map((saved) => (saved.name === name ? { ...saved, seenAt } : saved)),
  );
}

/** The parameters that count what has changed since it was looked at. @param {SavedSearch} search */
export function newsQuery({ query, seenAt }) {
  const parameters = new URLSearchParams(query);
  // A bound of its own stays if it is later.
  const own = parameters.get('updated_since');
  if (own === null || Date.parse(own) < Date.parse(seenAt)) parameters.set('updated_since', seenAt);
  parameters.set('per_page', '1');
  parameters.set('fields', 'id');
  return parameters;
}
