/**
 * What is searched for, as the page's URL says it: under the names that the API takes.
 * @typedef {{ q: string, filters: Map<string, string[]>, sort: string, page: number }} SearchState
 *
 * The filters of the registry, as the page was given them. `list`: its list among the facets. `values`: a closed list
 * that is not counted. `isSwitch`: asks for records where something is known. `bound`: takes one value of this type.
 * @typedef {{ parameter: string, label: string, list?: string, values?: string[], isSwitch?: boolean, bound?: 'date' | 'number' }} FilterInfo
 */

/** @type {FilterInfo[]} */
export const filterInfos = JSON.parse(document.querySelector('#filters')?.textContent ?? '[]');

/**
 * The state in the given parameters, by default those of the page's URL.
 * @returns {SearchState}
 */
export function readState(parameters = new URLSearchParams(location.search)) {
  const filters = new Map();
  const others = new Set(['q', 'sort', 'page']);
  for (const name of new Set(parameters.keys())) {
    if (others.has(name)) continue;
    const values = parameters
      .getAll(name)
      .flatMap((text) => text.split('|'))
      .filter((value) => value.trim() !== '');
    if (values.length > 0) filters.set(name, values);
  }
  return {
    q: parameters.get('q') ?? '',
    filters,
    sort: parameters.get('sort') ?? '',
    page: Math.max(Number.parseInt(parameters.get('page') ?? '1', 10) || 1, 1),
  };
}

/** The filters and text as parameters, without what only pages need. @param {SearchState} state */
export function toQuery({ q, filters }) {
  const parameters = new URLSearchParams();
  if (q.trim() !== '') parameters.set('q', q.trim());
  for (const [name, values] of filters) parameters.set(name, values.join('|'));
  return parameters;
}

/** All parameters of the page and of GET /search. @param {SearchState} state */
export function toPageQuery(state) {
  const parameters = toQuery(state);
  if (state.sort !== '') parameters.set('sort', state.sort);
  if (state.page > 1) parameters.set('page', String(state.page));
  return parameters;
}

/**
 * @param {SearchState} state
 * @param {string} parameter
 * @param {string} value
 */
export function toggle(state, parameter, value) {
  const values = state.filters.get(parameter) ?? [];
  const isSingle = filterInfos.some((info) => info.parameter === parameter && info.bound !== undefined);
  const rest = isSingle ? [] : values.filter((known) => known !== value);
  if (!values.includes(value)) rest.push(value);
  if (rest.length > 0) state.filters.set(parameter, rest);
  else state.filters.delete(parameter);
}
