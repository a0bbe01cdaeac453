import { html } from '../dom.js';
import { places, toPageQuery, urlOf, withFilter, without } from '../search-state.js';
import { counted, word } from '../words.js';
import { FaultCard } from './fault.js';
import { deepestPage } from './results.js';

/**
 * What to do where a search finds nothing, or is wrong.
 * @typedef {import('../search-state.js').SearchState} SearchState
 * @typedef {import('./results.js').SearchPage} SearchPage
 */

/** @param {SearchState} state */
export function isByMeaning({ filters }) {
  return filters.get('match')?.[0] === 'meaning';
}

/** Offers the search by meaning; of one, says that it is, and offers the words. @param {{ state: SearchState }} props */
export function ByMeaning({ state }) {
  const query = state.q.trim();
  if (!isByMeaning(state))
    return html`<a href=${urlOf(withFilter(state, 'match', 'meaning'))}>Find what is near in meaning to “${query}”</a>`;
  return html`These are the nearest in meaning; most need not have your words.${' '}
    <a href=${urlOf(without(state, 'match', 'meaning'))}>Search for the words “${query}”</a>`;
}

/** The URL of the same search for media, or for people. Each has orders of its own, and meaning is of media. @param {SearchState} state @param {SearchState['of']} of */
export const urlOfOther = (state, of) =>
  urlOf({ ...without(state, 'match', 'meaning'), of, sort: '', page: 1, columns: [] });

/** Says what to leave out or correct, and how much that finds. @param {{ found: SearchPage, state: SearchState, infos: readonly import('../search-state.js').FilterInfo[] }} props */
export function Nothing({ found: { total, suggestions = [] }, state, infos }) {
  if (total > 0)
    return html`<p class="hint">This page is past the end. <a href=${urlOf({ ...state, page: 1 })}>Go to the first page</a></p>`;
  const advice =
    suggestions.length === 0 ? 'Try fewer words or filters. Small typos are tolerated.' : 'These searches find some:';
  const nameOf = (/** @type {string} */ drops) =>
    state.filters.has(drops)
      ? (infos.find(({ parameter }) => parameter === drops)?.label ?? word(drops))
      : drops === 'q'
        ? state.q.trim()
        : drops;
  return html`<div class="hint">
    <p><strong>Nothing matches this search.</strong> ${advice}</p>
    <ul>
      ${suggestions.map(
        ({ q = '', filters = {}, drops, total: count }) => html`<li key=${drops}>
          <a href="${places[state.of].path}?${new URLSearchParams({ ...(q && { q }), ...filters })}">${filters[drops] ? `With ${word(drops)}: ${filters[drops]}` : `Without “${nameOf(drops)}”`}</a>${' '}
          <small>${counted(count, 'result')}</small>
        </li>`,
      )}
      ${state.of === 'people' ? html`<li><a href=${urlOfOther(state, 'media')}>Look among media</a></li>` : null}
      ${state.q.trim() === '' || state.of === 'people' || isByMeaning(state) ? null : html`<li><${ByMeaning} state=${state} /></li>`}
    </ul>
  </div>`;
}

/** What is wrong with a search, with links to what corrects it, or leaves it out. @param {{ fault: import('./fault.js').Fault, state: SearchState }} props */
export function SearchFault({ fault, state }) {
  /** The page's URL with other values of a parameter. @type {(name: string, changed?: (values: string[]) => string[], renamed?: string) => string} */
  const urlWith = (name, changed = () => [], renamed = name) => {
    const parameters = toPageQuery(state);
    const values = changed((parameters.get(name) ?? '').split('|'));
    parameters.delete(name);
    if (values.length > 0) parameters.set(renamed, values.join('|'));
    return `${places[state.of].path}?${parameters}`;
  };
  /** The page's URL with the wrong value, or the wrong name of a parameter, replaced by the right one. @type {(error: import('./fault.js').FieldError) => string} */
  const urlOfFix = ({ name, code, message, did_you_mean: right = '' }) => {
    if (code === 'unknown_parameter') return urlWith(name, (values) => values, right);
    const isWrong = (/** @type {string} */ value) => message.startsWith(JSON.stringify(value.replace(/^!/, '')));
    return urlWith(name, (values) => values.map((value) => (isWrong(value) ? value.replace(/[^!].*/, right) : value)));
  };
  return html`<${FaultCard} fault=${fault} level="h3">
    ${fault.code === 'page_too_deep' ? html`<p><a class="button" href=${urlOf({ ...state, page: 1 })}>Go to the first page</a> <a href=${urlOf({ ...state, page: deepestPage })}>Go to the last one, to export all</a></p>` : null}
    <ul>
      ${(fault.code === 'page_too_deep' ? [] : fault.errors).map(
        (error) => html`<li>
          ${error.message}${' '}
          ${error.did_you_mean !== undefined ? html`<a class="button" href=${urlOfFix(error)}>Use ${error.did_you_mean}</a>${' '}` : null}
          <a href=${urlWith(error.name)}>Remove ${error.name}</a>
        </li>`,
      )}
    </ul>
    ${fault.status === 400 ? null : html`<a class="button" href=${urlOf(state)}>Try again now</a>`}
  </${FaultCard}>`;
}
