import { useMemo, useState } from 'preact/hooks';
import lazy, { ErrorBoundary } from 'preact-iso/lazy';
import { html } from '../dom.js';
import { locale } from '../locale.js';
import { readTerms } from '../marks.js';
import { isFirstLook, roomForLinks, toPageQuery, toSearchQuery, urlOf, without } from '../search-state.js';
import { writeSnippets } from '../snippets.js';
import { explain, FaultCard } from './fault.js';
import { Chips, Filters } from './filters.js';
import { KeepAll } from './keep-all.js';
import { OverviewStrip, SampleNote } from './overview.js';
import { CopyButton, InTerms } from './parts.js';
import { Cards, Paging } from './results.js';
import { SaveSearch } from './saved-searches.js';
import { Table, ViewSwitch } from './table.js';
import { CountryMap } from './world-map.js';

/**
 * What the server found for the page's URL, and what the page needs to know of the service. The same is in the page for
 * its module.
 * @typedef {object} ExplorerData
 * @property {import('./results.js').SearchPage | null} found
 * @property {import('./filters.js').Facets | null} facets
 * @property {import('./overview.js').Overview | null} overview what the whole database holds; null if it was not asked
 * @property {import('./fault.js').Fault | null} fault
 * @property {readonly import('../search-state.js').FilterInfo[]} filters
 * @property {readonly { name: string, title: string }[]} formats of exports, the default first
 * @property {readonly string[]} wholePlans the plans that export every kind
 * @property {string} serviceUrl of the service, without a trailing slash
 */

const SideLater = later(Side);
const CardsLater = later(Cards);

/**
 * The whole page.
 * @param {{ data: ExplorerData, state: import('../search-state.js').SearchState, isBusy?: boolean, retries?: boolean, hasKey?: boolean, exporting?: any, onInput?: (event: any) => void, onChange?: (event: any) => void, onSubmit?: (event: any) => void, onClick?: (event: any) => void, onSave?: import('./saved-searches.js').OnSave }} props
 */
export function Explorer({ data, state, isBusy = false, retries = false, hasKey = false, exporting = null, ...on }) {
  const { search } = locale.text;
  const { overview, facets, found, fault, filters } = data;
  return html`<div onChange=${on.onChange} onClick=${on.onClick}>
    <form id="search" class="search" role="search" action="./" autocomplete="off" onSubmit=${on.onSubmit}>
      <h1><label for="q">${search.heading}</label></h1>
      <div class="joined">
        <input
          id="q"
          type="search"
          name="q"
          maxlength="500"
          placeholder=${search.placeholder}
          autocomplete="off"
          spellcheck=${false}
          dir="auto"
          value=${state.q}
          onInput=${on.onInput}
        />
        <button>${search.submit}</button>
      </div>
    </form>
    ${overview && facets && isFirstLook(state) ? html`<${OverviewStrip} overview=${overview} facets=${facets} />` : null}
    <div class="columns">
      <${SideLater} infos=${filters} state=${state} facets=${facets} />
      <section aria-labelledby="results" aria-busy=${isBusy}>
        <div class="bar">
          <h2 id="results" tabindex="-1">${search.results}</h2>
          <p role="status" aria-live="polite" class="count"><${Count} found=${found} fault=${fault} /></p>
          <${ViewSwitch} state=${state} />
          <${Sort} chosen=${state.sort} />
        </div>
        <${Chips} infos=${filters} state=${state} facets=${facets} />
        ${fault === null ? null : html`<${FaultCard} fault=${fault} retries=${retries} ...${fixes(state)} />`}
        ${found === null ? null : html`<${Found} onSave=${on.onSave ?? (() => 'saved')} found=${found} state=${state} hasKey=${hasKey} exporting=${exporting} infos=${filters} serviceUrl=${data.serviceUrl} />`}
        ${facets === null ? null : html`<${CountryMap} state=${state} countries=${facets.countries ?? []} />`}
      </section>
    </div>
  </div>`;
}

/** @param {{ infos: any, state: any, facets: any }} props */
function Side({ infos, state, facets }) {
  const { filters, search } = locale.text;
  const [isOpen, open] = useState(false);
  return html`<aside aria-label=${filters.label} class=${isOpen ? 'unfolded' : ''}>
    <button type="button" class="fold needs-script" aria-expanded=${isOpen} aria-controls="filter-list" onClick=${() => open(!isOpen)}>
      ${isOpen ? filters.hide : filters.show}
    </button>
    <div id="filter-list">
      <${Filters} infos=${infos} state=${state} facets=${facets} />
      <button form="search" class="no-script">${search.apply}</button>
    </div>
  </aside>`;
}

/** @param {{ found: import('./results.js').SearchPage | null, fault: import('./fault.js').Fault | null }} props */
function Count({ found, fault }) {
  const { text } = locale;
  const { search } = text;
  if (fault !== null) return explain(fault).title;
  if (found === null) return search.searching;
  const { total, page, total_pages } = found;
  if (total === 0) return search.nothing;
  return page > 1 ? `${search.count(total)}, ${search.page(page, total_pages)}` : search.count(total);
}

/** @param {{ chosen: string }} props */
function Sort({ chosen }) {
  const { search } = locale.text;
  const sort = chosen === '' ? 'relevance' : chosen;
  const offered = Object.entries(search.sorts).filter(([key]) => !key.startsWith('-') || key === sort);
  return html`<label class="sort"
      >${search.order}${' '}
      <select form="search" name="sort">
        ${offered.map(([key, label]) => html`<option key=${key} value=${key === 'relevance' ? '' : key} selected=${key === sort}>${label}</option>`)}
      </select>
    </label>
    <button form="search" class="no-script">${search.apply}</button>`;
}

/**
 * @param {{ onSave: import('./saved-searches.js').OnSave, found: import('./results.js').SearchPage, state: import('../search-state.js').SearchState, hasKey: boolean, exporting: any, infos: readonly import('../search-state.js').FilterInfo[], serviceUrl: string }} props
 */
function Found({ onSave, found, state, hasKey, exporting, infos, serviceUrl }) {
  // Most of the page, which stays the same while a search is under way or the export changes.
  const results = useMemo(
    () => html`<${InTerms} value=${readTerms(state.q)}>
      ${state.view === 'table' ? html`<${Table} found=${found} state=${state} />` : html`<${CardsLater} found=${found} />`}
    </${InTerms}>`,
    [found, state],
  );
  return html`${exporting}
    ${found.corrected ? html`<${Corrected} state=${state} />` : null}
    ${isByMeaning(state) || (found.total < fewFound && state.q.trim() !== '') ? html`<${ByMeaning} state=${state} />` : null}
    ${found.results.length === 0 ? html`<${Nothing} total=${found.total} state=${state} />` : results}
    ${found.masked && found.results.length > 0 ? html`<${Unlock} hasKey=${hasKey} />` : null}
    ${found.results.some(({ id }) => id.startsWith('sample-')) ? html`<${SampleNote} />` : null}
    <${Paging} found=${found} urlOfPage=${(/** @type {number} */ page) => urlOf({ ...state, page })} />
    ${found.total === 0 ? null : html`<${KeepAll} key=${urlOf({ ...state, page: 1 })} query=${toSearchQuery({ ...state, page: 1 })} />`}
    ${isFirstLook(state) ? null : html`<${SaveSearch} key=${urlOf(state)} suggested=${state.q} onSave=${onSave} />`}
    <${AsCode} state=${state} infos=${infos} serviceUrl=${serviceUrl} />`;
}

/** Says that typos were forgiven, and offers the search without that. @param {{ state: import('../search-state.js').SearchState }} props */
function Corrected({ state }) {
  const { search } = locale.text;
  const filters = new Map(state.filters).set('strict', ['1']);
  return html`<p class="hint">
    ${search.corrected}${' '}<a href=${urlOf({ ...state, filters, page: 1 })}>${search.strict(state.q.trim())}</a>
  </p>`;
}

/** Where words find fewer records, the page offers what is near in meaning. */
const fewFound = 5;

/** @param {import('../search-state.js').SearchState} state */
function isByMeaning({ filters }) {
  return filters.get('match')?.[0] === 'meaning';
}

/** Offers the search by meaning; of one, says that it is, and offers the words. @param {{ state: import('../search-state.js').SearchState }} props */
function ByMeaning({ state }) {
  const { search } = locale.text;
  const query = state.q.trim();
  if (isByMeaning(state)) {
    const words = without(state, 'match', 'meaning');
    return html`<p class="hint">${search.byMeaning}${' '}<a href=${urlOf(words)}>${search.byWords(query)}</a></p>`;
  }
  const filters = new Map(state.filters).set('match', ['meaning']);
  return html`<p class="hint"><a href=${urlOf({ ...state, filters, page: 1 })}>${search.findNear(query)}</a></p>`;
}

/** @param {{ hasKey: boolean }} props */
function Unlock({ hasKey }) {
  const { search } = locale.text;
  return html`<p class="remark">
    ${search.masked} <span class="mask">a***@example.org</span>.${' '}
    ${
      hasKey
        ? html`${search.planEnded} <a href="plans">${search.buyNew}</a>${search.toSeeFull}`
        : html`${search.planShows} <a href="plans">${search.seePlans}</a><span class="needs-script">${search.orKey}</span>`
    }
  </p>`;
}

/** @param {{ total: number, state: import('../search-state.js').SearchState }} props */
function Nothing({ total, state }) {
  const { search } = locale.text;
  if (total > 0)
    return html`<p class="hint">${search.pastEnd} <a href=${urlOf({ ...state, page: 1 })}>${search.firstPage}</a></p>`;
  return html`<div class="hint">
    <p><strong>${search.noMatch}</strong> ${search.noMatchAdvice}</p>
    ${state.filters.size > 0 ? html`<a class="button" href=${urlOf({ ...state, filters: new Map(), page: 1 })}>${search.removeFilters}</a>` : null}
  </div>`;
}

/** Where each way out of an error leads. @param {import('../search-state.js').SearchState} state */
function fixes(state) {
  const url = (/** @type {URLSearchParams} */ parameters) => `./?${parameters}`;
  return {
    urlAgain: urlOf(state),
    fixable: Math.floor(roomForLinks(state) / 2),
    urlWithout(/** @type {string} */ name) {
      const parameters = toPageQuery(state);
      parameters.delete(name);
      return url(parameters);
    },
    /** Puts the right word where the wrong one stands; for an unknown parameter, the right name. */
    urlOfFix(/** @type {import('./fault.js').FieldError} */ { name, code, message, did_you_mean: right = '' }) {
      const parameters = toPageQuery(state);
      const given = (parameters.get(name) ?? '').split('|');
      if (code === 'unknown_parameter') {
        parameters.delete(name);
        parameters.set(right, given.join('|'));
      } else {
        const isWrong = (/** @type {string} */ value) => message.startsWith(JSON.stringify(value.replace(/^!/, '')));
        const corrected = given.map((value) => (isWrong(value) ? value.replace(/[^!].*/, right) : value));
        parameters.set(name, corrected.join('|'));
      }
      return url(parameters);
    },
  };
}

/**
 * The view, which takes over its part of the server's page in a task of its own: what a person does in between is not kept
 * waiting for the whole page. Its part has to be one element. On the server, and once it has taken over, it is the view.
 * @template {import('preact').FunctionComponent<any>} View
 * @param {View} view
 * @returns {View}
 */
export function later(view) {
  if (typeof document === 'undefined') return view;
  const Later = lazy(async () => {
    await new Promise((resolve) => setTimeout(resolve));
    return { default: view };
  });
  const whole = (/** @type {any} */ props) => html`<${ErrorBoundary}><${Later} ...${props} /></${ErrorBoundary}>`;
  return /** @type {View} */ (whole);
}

/**
 * The same search for programs, each way ready to paste.
 * @param {{ state: import('../search-state.js').SearchState, infos: readonly import('../search-state.js').FilterInfo[], serviceUrl: string }} props
 */
export function AsCode({ state, infos, serviceUrl }) {
  const { code, frame } = locale.text;
  const snippets = Object.entries(writeSnippets(state, infos, serviceUrl));
  return html`<details class="code">
    <summary>${code.heading}</summary>
    ${snippets.map(
      ([way, snippet]) => html`<section key=${way} aria-labelledby="code-${way}">
        <h3 id="code-${way}">${code.ways[way]}</h3>
        <pre tabindex="0"><code>${snippet}</code></pre>
        <${CopyButton} textOf=${() => snippet} label=${code.copy(code.ways[way] ?? way)} />
      </section>`,
    )}
    <p class="note">${code.more} <a href="docs">${frame.reference}</a>.</p>
  </details>`;
}
