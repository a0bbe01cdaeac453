/**
 * What is searched for, with the API's names. `of`, `view` and `columns` are only for the page. No `columns`: the usual ones.
 * @typedef {{ of: 'media' | 'people', q: string, filters: Map<string, string[]>, sort: string, page: number, view: 'cards' | 'table',
 *   columns: string[] }} SearchState
 * A filter. `list`: its list in the facets. `values`: all its values, if they are not counted. `isOpen`: takes any value; the list
 * has only the most common. `isSwitch`: on or off, such as `has_email`. `bound`: takes one value, such as `min_audience`.
 * `histogram`: the list in the facets with the counts to draw, and the filter (`upTo`) that is the other end of the range.
 * @typedef {{ parameter: string, label: string, list?: string, values?: readonly string[], isOpen?: boolean,
 *   isSwitch?: boolean, bound?: 'date' | 'number', histogram?: { list: string, upTo: string } }} FilterInfo
 */

/** The value of the filter `kind` that leaves nothing out: an export without it has only outlets. */
export const everyKind = 'outlet|podcast|newsletter';

/** Parameters that are not filters. `record` is the one that is open beside the rows. */
const notFilters = new Set(['q', 'sort', 'page', 'view', 'columns', 'record']);

const usualColumns = {
  media: ['name', 'kind', 'email', 'trust', 'place', 'audience'],
  people: ['name', 'contact', 'email', 'trust', 'place', 'audience'],
};

/** What finds the results of each page in the API, and the path of the page. */
export const places = /** @type {const} */ ({
  media: { path: './', search: 'search', rows: null },
  people: { path: './people', search: 'contacts', rows: 'contacts' },
});

/** Reads the parameters of a page's URL or form. The order of filters does not matter: the same search gives the same state. @param {URLSearchParams} parameters @param {SearchState['of']} [of] @returns {SearchState} */
export function readState(parameters, of = 'media') {
  const filters = new Map();
  for (const name of [...new Set(parameters.keys())].sort()) {
    if (notFilters.has(name)) continue;
    const values = readList(parameters, name).sort();
    if (values.length > 0) filters.set(name, values);
  }
  const columns = readList(parameters, 'columns');
  const q = parameters.get('q') ?? '';
  const sort = parameters.get('sort') ?? '';
  return {
    of,
    q,
    filters,
    sort: sort === usualSort({ of, q }) ? '' : sort,
    page: Math.max(Number.parseInt(parameters.get('page') ?? '1', 10) || 1, 1),
    view: parameters.get('view') === 'table' ? 'table' : 'cards',
    columns: String(columns) === String(usualColumns[of]) ? [] : columns,
  };
}

/** The order that a page has unless its URL names one: without words to match, media that can be written to come first. @param {Pick<SearchState, 'of' | 'q'>} state */
export function usualSort({ of, q }) {
  return of === 'media' && q.trim() === '' ? 'reachable' : 'relevance';
}

/** How long the query of a page's URL may be, in code points. The many links of the page repeat it. */
export const maxQuery = { characters: 2_000, values: 60 };

/** Whether a page can show the search of its URL. Like the API, it counts characters, not the bytes of their escapes. @param {URLSearchParams} parameters */
export function fitsPage(parameters) {
  const values = String(parameters).split(/&|%7C/).length;
  const typed = [...parameters].map(([name, value]) => `${name}=${value.trim()}`).join('&');
  return values <= maxQuery.values && [...typed.normalize('NFC')].length <= maxQuery.characters;
}

/** Reads the state from a page's URL; if the URL is too long, the state of an empty search. @param {URLSearchParams} parameters @param {SearchState['of']} of */
export function readPageState(parameters, of) {
  return readState(fitsPage(parameters) ? parameters : new URLSearchParams(), of);
}

/** @param {URLSearchParams} parameters @param {string} name */
function readList(parameters, name) {
  const values = parameters.getAll(name).flatMap((text) => text.split('|'));
  return [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))];
}

/** Whether a search is among what a list has, not only without what one has. @param {Pick<SearchState, 'filters'>} state */
export function isOfList({ filters }) {
  return (filters.get('list') ?? []).some((list) => !list.startsWith('!'));
}

/** The title of the page, which tells searches apart in tabs and in the browser's history. @param {SearchState} state */
export function titleOf({ q, of }) {
  const subject = [q.trim(), of === 'people' ? 'People' : ''].filter(Boolean).join(', ');
  return subject === '' ? 'Masthead: find media and their contacts' : `${subject} – Masthead`;
}

/** The columns of the table; its first is always the name. @param {SearchState} state */
export function columnsOf({ columns, of }) {
  return columns.length === 0 ? usualColumns[of] : [...new Set(['name', ...columns])];
}

/** The filters and text as parameters, without what only pages need. @param {SearchState} state */
export function toQuery({ q, filters }) {
  const parameters = new URLSearchParams();
  if (q.trim() !== '') parameters.set('q', q.trim());
  for (const [name, values] of filters) parameters.append(name, values.join('|'));
  return parameters;
}

/** All parameters of GET /search, which orders by relevance unless another order is named. @param {SearchState} state */
export function toSearchQuery(state) {
  const parameters = toQuery(state);
  const sort = state.sort || usualSort(state);
  if (sort !== 'relevance') parameters.set('sort', sort);
  if (state.page > 1) parameters.set('page', String(state.page));
  return parameters;
}

/** All parameters of the page. @param {SearchState} state */
export function toPageQuery(state) {
  const parameters = toQuery(state);
  if (state.sort !== '') parameters.set('sort', state.sort);
  if (state.page > 1) parameters.set('page', String(state.page));
  if (state.view === 'table') parameters.set('view', 'table');
  if (state.columns.length > 0) parameters.set('columns', state.columns.join('|'));
  return parameters;
}

/** The URL of a state, relative to the service's root. `record`: the one that is open beside the rows. @param {SearchState} state @param {string} [record] */
export function urlOf(state, record = '') {
  const query = toPageQuery(state);
  if (record !== '') query.set('record', record);
  const { path } = places[state.of];
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The state without one value of a filter. @param {SearchState} state @param {string} parameter @param {string} value @returns {SearchState} */
export function without(state, parameter, value) {
  const filters = new Map(state.filters);
  const rest = (filters.get(parameter) ?? []).filter((chosen) => chosen !== value);
  if (rest.length > 0) filters.set(parameter, rest);
  else filters.delete(parameter);
  return { ...state, filters, page: 1 };
}

/** Adds a value to a filter, or removes it if it was chosen. A filter that excluded the value (`!value`) goes. @param {SearchState} state @param {string} parameter @param {string} value @returns {SearchState} */
export function toggled(state, parameter, value) {
  const chosen = state.filters.get(parameter) ?? [];
  if (chosen.includes(value)) return without(state, parameter, value);
  const values = [...chosen.filter((chosenValue) => chosenValue !== `!${value}`), value];
  return { ...state, filters: new Map(state.filters).set(parameter, values), page: 1 };
}

/** The state with this filter set to one value. @param {SearchState} state @param {string} parameter @param {string} value @returns {SearchState} */
export function withFilter(state, parameter, value) {
  return { ...state, filters: new Map(state.filters).set(parameter, [value]), page: 1 };
}

/** The state without any filter. @param {SearchState} state @returns {SearchState} */
export function unfiltered(state) {
  return { ...state, filters: new Map(), page: 1 };
}
