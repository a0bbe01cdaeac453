import { useMemo } from 'preact/hooks';
import lazy, { ErrorBoundary } from 'preact-iso/lazy';
import { html } from '../dom.js';
import { locale } from '../locale.js';
import { readTerms } from '../marks.js';
import {
  columnsOf,
  isFirstLook,
  roomForLinks,
  toPageQuery,
  toQuery,
  toSearchQuery,
  urlOf,
  without,
} from '../search-state.js';
import { InSelecting, Keep, KeysHelp, NeedsKey, SelectAll } from './bar.js';
import { explain, FaultCard } from './fault.js';
import { Chips, Filters } from './filters.js';
import { OverviewStrip, SampleNote } from './overview.js';
import { Panel } from './panel.js';
import { CopyButton, InTerms, Popup } from './parts.js';
import { InOpened } from './record-parts.js';
import { Cards, Paging } from './results.js';
import { SaveSearch } from './saved-searches.js';
import { pickColumns, Table, ViewSwitch } from './table.js';
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
 * @property {readonly { name: string, title: string }[]} tools that leads can be pushed into
 * @property {readonly string[]} wholePlans the plans that export every kind
 * @property {string} serviceUrl of the service, without a trailing slash
 */

const SideLater = later(Side);
const CardsLater = later(Cards);

/**
 * The whole page. `selection`: what is selected; null before the module is there. `exporting`, `pushing`: what the popups of these
 * names show to a caller with a key. `opened`: the record beside the list.
 * @param {{ data: ExplorerData, state: import('../search-state.js').SearchState, isBusy?: boolean, retries?: boolean, hasKey?: boolean, selection?: import('../selection.js').Selection | null, exporting?: any, pushing?: any, opened?: any, onInput?: (event: any) => void, onChange?: (event: any) => void, onSubmit?: (event: any) => void, onClick?: (event: any) => void, onClose?: () => void, onSave?: (name: string) => boolean }} props
 */
export function Explorer({ data, state, isBusy = false, retries = false, hasKey = false, opened = null, ...props }) {
  const { search } = locale.text;
  const { overview, facets, found, fault, filters } = data;
  return html`<div onChange=${props.onChange} onClick=${props.onClick}>
    <form id="search" class="search ${isFirstLook(state) ? 'first' : ''}" role="search" action="./" autocomplete="off" onSubmit=${props.onSubmit}>
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
          onInput=${props.onInput}
        />
        <button>${search.submit}</button>
      </div>
    </form>
    ${overview && facets && isFirstLook(state) ? html`<${OverviewStrip} overview=${overview} facets=${facets} />` : null}
    <div class="columns ${opened === null ? '' : 'with-panel'}">
      <${SideLater} infos=${filters} state=${state} facets=${facets} total=${found?.total ?? null} />
      <section aria-labelledby="results" aria-busy=${isBusy}>
        <h2 id="results" class="unseen" tabindex="-1">${search.results}</h2>
        <div class="bar">
          <${SelectAll} records=${found?.results ?? []} selection=${props.selection ?? null} />
          <p role="status" aria-live="polite" class="count"><${Count} found=${found} fault=${fault} /></p>
          <button type="button" class="quiet filters-button" popovertarget="filters">${locale.text.filters.show(state.filters.size)}</button>
          <div class="actions">
            ${found === null || found.total === 0 ? null : html`<${Actions} data=${data} found=${found} state=${state} hasKey=${hasKey} ...${props} />`}
          </div>
          <${ViewSwitch} state=${state} />
          <${Sort} chosen=${state.sort} />
          <${KeysHelp} />
        </div>
        <${Chips} infos=${filters} state=${state} facets=${facets} />
        ${fault === null ? null : html`<${FaultCard} fault=${fault} retries=${retries} ...${fixes(state)} />`}
        ${
          found === null
            ? null
            : html`<${InSelecting} value=${props.selection && { ...props.selection }}>
                <${InOpened} value=${opened?.id ?? ''}><${Found} found=${found} state=${state} hasKey=${hasKey} /></${InOpened}>
              </${InSelecting}>`
        }
        ${facets === null ? null : html`<${CountryMap} state=${state} countries=${facets.countries ?? []} />`}
      </section>
      ${
        opened === null
          ? null
          : html`<${Panel} record=${opened} onClose=${props.onClose ?? (() => {})}>
              <${Keep} id="keep-opened" hasKey=${hasKey} ids=${[opened.id]} query=${null} total=${1} />
            </${Panel}>`
      }
    </div>
  </div>`;
}

/**
 * What can be done with what is selected, or else with all that is found.
 * @param {{ data: ExplorerData, found: import('./results.js').SearchPage, state: import('../search-state.js').SearchState, hasKey: boolean, selection?: import('../selection.js').Selection | null, exporting?: any, pushing?: any, onSave?: (name: string) => boolean }} props
 */
function Actions({ data, found, state, hasKey, selection, exporting, pushing, onSave = () => false }) {
  const { bar, push, export: words } = locale.text;
  const ids = [...(selection?.records.keys() ?? [])];
  const query = toSearchQuery({ ...state, page: 1 });
  return html`<${Keep} hasKey=${hasKey} ids=${ids} query=${query} total=${found.total} />
    <${Popup} id="export" shown=${words.label} class="needs-script">${exporting ?? html`<${NeedsKey} text=${bar.exportsNeed} />`}</${Popup}>
    <${Popup} id="push" shown=${bar.push} label=${push.heading} class="needs-script">${pushing ?? html`<${NeedsKey} text=${bar.exportsNeed} />`}</${Popup}>
    <${Popup} id="code" shown=${bar.code} label=${locale.text.code.heading}><${AsCode} state=${state} serviceUrl=${data.serviceUrl} /></${Popup}>
    ${
      isFirstLook(state)
        ? null
        : html`<${Popup} id="save" shown=${bar.save} label=${locale.text.searches.save} class="needs-script">
            <${SaveSearch} key=${urlOf(state)} suggested=${state.q} onSave=${onSave} />
          </${Popup}>`
    }`;
}

/** The filters: beside the results, and on a phone a sheet that says what it comes to. @param {{ infos: any, state: any, facets: any, total: number | null }} props */
function Side({ infos, state, facets, total }) {
  const { filters, search } = locale.text;
  return html`<aside aria-label=${filters.label}>
    <div id="filters" class="filters" popover="auto">
      <${Filters} infos=${infos} state=${state} facets=${facets} />
      <button form="search" class="no-script">${search.apply}</button>
      <p class="sheet-end">
        <button type="button" popovertarget="filters" popovertargetaction="hide">${total === null ? search.searching : filters.done(total)}</button>
      </p>
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
      ><span>${search.order}${' '}</span>
      <select form="search" name="sort">
        ${offered.map(([key, label]) => html`<option key=${key} value=${key === 'relevance' ? '' : key} selected=${key === sort}>${label}</option>`)}
      </select>
    </label>
    <button form="search" class="no-script">${search.apply}</button>`;
}

/** @param {{ found: import('./results.js').SearchPage, state: import('../search-state.js').SearchState, hasKey: boolean }} props */
function Found({ found, state, hasKey }) {
  const { table } = locale.text;
  // Most of the page, which stays the same while a search is under way or something else changes.
  const results = useMemo(
    () => html`<${InTerms} value=${readTerms(state.q)}>
      ${
        state.view === 'table'
          ? html`<${Table}
              label=${table.table}
              rows=${found.results.map((record) => ({ record }))}
              columns=${pickColumns(columnsOf(state))}
              sort=${state.sort}
              urlOfSort=${(/** @type {string} */ sort) => urlOf({ ...state, sort, page: 1 })}
            />`
          : html`<${CardsLater} found=${found} />`
      }
    </${InTerms}>`,
    [found, urlOf(state)],
  );
  return html`${found.corrected ? html`<${Corrected} state=${state} />` : null}
    ${found.results.length === 0 ? html`<${Nothing} found=${found} state=${state} />` : results}
    ${isByMeaning(state) || (found.total > 0 && found.total < fewFound && state.q.trim() !== '') ? html`<p class="hint"><${ByMeaning} state=${state} /></p>` : null}
    ${found.masked && found.results.length > 0 ? html`<${Unlock} hasKey=${hasKey} />` : null}
    ${found.results.some(({ id }) => id.startsWith('sample-')) ? html`<${SampleNote} />` : null}
    <${Paging} found=${found} urlOfPage=${(/** @type {number} */ page) => urlOf({ ...state, page })} />`;
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
    return html`${search.byMeaning}${' '}<a href=${urlOf(words)}>${search.byWords(query)}</a>`;
  }
  const filters = new Map(state.filters).set('match', ['meaning']);
  return html`<a href=${urlOf({ ...state, filters, page: 1 })}>${search.findNear(query)}</a>`;
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

/** Says what to leave out or correct, and how much that finds. @param {{ found: import('./results.js').SearchPage, state: import('../search-state.js').SearchState }} props */
function Nothing({ found: { total, suggestions = [] }, state }) {
  const { search } = locale.text;
  if (total > 0)
    return html`<p class="hint">${search.pastEnd} <a href=${urlOf({ ...state, page: 1 })}>${search.firstPage}</a></p>`;
  return html`<div class="hint">
    <p><strong>${search.noMatch}</strong> ${suggestions.length === 0 ? search.noMatchAdvice : search.tryThis}</p>
    <ul>
      ${suggestions.map(
        ({ q = '', filters = {}, drops, total: count }) => html`<li key=${drops}>
          <a href="./?${new URLSearchParams({ ...(q && { q }), ...filters })}">${wordsOf(drops, filters[drops], state)}</a>${' '}
          <small>${search.count(count)}</small>
        </li>`,
      )}
      ${state.q.trim() === '' || isByMeaning(state) ? null : html`<li><${ByMeaning} state=${state} /></li>`}
    </ul>
    ${state.filters.size > 0 ? html`<a class="button" href=${urlOf({ ...state, filters: new Map(), page: 1 })}>${search.removeFilters}</a>` : null}
  </div>`;
}

/** What a suggestion changes: a filter that it drops or corrects, or else words. @param {string} drops @param {string | undefined} corrected @param {import('../search-state.js').SearchState} state */
function wordsOf(drops, corrected, { filters }) {
  const { search } = locale.text;
  if (corrected !== undefined) return search.instead(locale.word(drops), corrected);
  return search.without(filters.has(drops) ? locale.word(drops) : `“${drops}”`);
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
 * The same search for programs, ready to paste into a terminal. The key is a variable.
 * @param {{ state: import('../search-state.js').SearchState, serviceUrl: string }} props
 */
function AsCode({ state, serviceUrl }) {
  const { code, frame } = locale.text;
  const all = toQuery(state);
  // Without a kind, an export has outlets only.
  if (!all.has('kind')) all.set('kind', 'outlet|podcast|newsletter');
  // URLSearchParams escapes apostrophes, so nothing typed can end the quotes.
  const write = (/** @type {string} */ options, /** @type {string} */ path, /** @type {URLSearchParams} */ query) =>
    `curl ${options}-H "Authorization: Bearer $KEY" '${serviceUrl}/api/v1/${path}${query.size === 0 ? '' : `?${query}`}'`;
  const commands = { curl: write('', 'search', toSearchQuery(state)), export: write('-fOJ ', 'export', all) };
  return html`<h2>${code.heading}</h2>
    ${Object.entries(commands).map(
      ([way, command]) => html`<section key=${way} aria-labelledby="code-${way}">
        <h3 id="code-${way}">${code.ways[way]}</h3>
        <pre tabindex="0"><code>${command}</code></pre>
        <${CopyButton} textOf=${() => command} label=${code.copy(code.ways[way] ?? way)} />
      </section>`,
    )}
    <p class="note">${code.more} <a href="docs">${frame.reference}</a>.</p>`;
}
