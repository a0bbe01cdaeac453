/**
 * What is searched for, by the API's names. `view` and `columns` (none for the usual ones) are the page's own.
 * @typedef {{ q: string, filters: Map<string, string[]>, sort: string, page: number, view: 'cards' | 'table',
 *   columns: string[] }} SearchState
 * A filter. `list`: among the facets. `values`: closed, not counted. `isOpen`: takes any; its list has the most common.
 * `isSwitch`: for what is known. `bound`: takes one value. `histogram`: counts for the range from here up to `upTo`.
 * @typedef {{ parameter: string, label: string, list?: string, values?: readonly string[], isOpen?: boolean,
 *   isSwitch?: boolean, bound?: 'date' | 'number', histogram?: { list: string, upTo: string } }} FilterInfo
 */

/** Parameters that are not filters. `record` is what is open beside the rows. */
const others = new Set(['q', 'sort', 'page', 'view', 'columns', 'record']);

const usualColumns = ['name', 'kind', 'email', 'trust', 'place', 'audience'];

/** Reads a page's URL, or its form: one search has one state, in whichever order they have its filters. @param {URLSearchParams} parameters @returns {SearchState} */
export function readState(parameters) {
  const filters = new Map();
  for (const name of [...new Set(parameters.keys())].sort()) {
    if (others.has(name)) continue;
    const values = readList(parameters, name).sort();
    if (values.length > 0) filters.set(name, values);
  }
  const columns = readList(parameters, 'columns');
  return {
    q: parameters.get('q') ?? '',
    filters,
    sort: parameters.get('sort')?.replace(/^relevance$/, '') ?? '',
    page: Math.max(Number.parseInt(parameters.get('page') ?? '1', 10) || 1, 1),
    view: parameters.get('view') === 'table' ? 'table' : 'cards',
    columns: String(columns) === String(usualColumns) ? [] : columns,
  };
}

/** What the URL of a page may hold: its links repeat it. */
export const maxQuery = { characters: 2_000, values: 60 };

/** Whether a page can show the search of its URL. @param {URLSearchParams} parameters */
export function fitsPage(parameters) {
  const values = String(parameters).split(/&|%7C/).length;
  return values <= maxQuery.values && String(parameters).length <= maxQuery.characters;
}

/** The state in a page's URL; the first look if that is too long. @param {URLSearchParams} parameters */
export function readPageState(parameters) {
  return readState(fitsPage(parameters) ? parameters : new URLSearchParams());
}

/** @param {URLSearchParams} parameters @param {string} name */
function readList(parameters, name) {
  const given = parameters.getAll(name).flatMap((text) => text.split('|'));
  return [...new Set(given.map((value) => value.trim()).filter((value) => value !== ''))];
}

/** The columns of the table; its first is always the name. @param {SearchState} state */
export function columnsOf({ columns }) {
  return columns.length === 0 ? usualColumns : [...new Set(['name', ...columns])];
}

/** The filters and text as parameters, without what only pages need. @param {SearchState} state */
export function toQuery({ q, filters }) {
  const parameters = new URLSearchParams();
  if (q.trim() !== '') parameters.set('q', q.trim());
  for (const [name, values] of filters) parameters.append(name, values.join('|'));
  return parameters;
}

/** All parameters of GET /search. @param {SearchState} state */
export function toSearchQuery(state) {
  const parameters = toQuery(state);
  if (state.sort !== '') parameters.set('sort', state.sort);
  if (state.page > 1) parameters.set('page', String(state.page));
  return parameters;
}

/** All parameters of the page. @param {SearchState} state */
export function toPageQuery(state) {
  const parameters = toSearchQuery(state);
  if (state.view === 'table') parameters.set('view', 'table');
  if (state.columns.length > 0) parameters.set('columns', state.columns.join('|'));
  return parameters;
}

/** Where the page shows this state, relative to the service's root. `record`: what is open beside it, by default nothing. @param {SearchState} state @param {string} [record] */
export function urlOf(state, record = '') {
  const query = toPageQuery(state);
  if (record !== '') query.set('record', record);
  return query.size === 0 ? './' : `./?${query}`;
}

/** The state without one value of a filter. @param {SearchState} state @param {string} parameter @param {string} value @returns {SearchState} */
export function without(state, parameter, value) {
  const filters = new Map(state.filters);
  const rest = (filters.get(parameter) ?? []).filter((known) => known !== value);
  if (rest.length > 0) filters.set(parameter, rest);
  else filters.delete(parameter);
  return { ...state, filters, page: 1 };
}

/** The state with one more value of a filter, or without it if it was chosen. What excluded the value goes. @param {SearchState} state @param {string} parameter @param {string} value @returns {SearchState} */
export function toggled(state, parameter, value) {
  const chosen = state.filters.get(parameter) ?? [];
  if (chosen.includes(value)) return without(state, parameter, value);
  const values = [...chosen.filter((known) => known !== `!${value}`), value];
  return { ...state, filters: new Map(state.filters).set(parameter, values), page: 1 };
}

/** The state with another filter, or a switch on. @param {SearchState} state @param {string} parameter @param {string} value @returns {SearchState} */
export function withFilter(state, parameter, value) {
  return { ...state, filters: new Map(state.filters).set(parameter, [value]), page: 1 };
}

/** The state without any filter. @param {SearchState} state @returns {SearchState} */
export function unfiltered(state) {
  return { ...state, filters: new Map(), page: 1 };
}
