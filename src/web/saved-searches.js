import { store } from './dom.js';

/**
 * Searches that somebody saved, in this browser only. `query`: the parameters of GET /search that select; `seenAt`: when its
 * results were last looked at, ISO 8601.
 * @typedef {{ name: string, query: string, seenAt: string }} SavedSearch
 */

const storageName = 'masthead-searches';

/** Each asks the API once when they are shown. */
const maxSaved = 20;

/** @returns {SavedSearch[]} */
export function readSearches() {
  try {
    const saved = JSON.parse(localStorage.getItem(storageName) ?? '[]');
    return Array.isArray(saved) ? saved : [];
  } catch {
    return [];
  }
}

/** Saves it in the place of one of its name. Returns false where there is no room for it. @param {SavedSearch} search */
export function saveSearch(search) {
  const all = [search, ...readSearches().filter(({ name }) => name !== search.name)];
  return all.length <= maxSaved && store(storageName, all);
}

/** @param {string} removed its name */
export function removeSearch(removed) {
  store(
    storageName,
    readSearches().filter(({ name }) => name !== removed),
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
