import { useMemo } from 'preact/hooks';
import { html } from '../dom.js';
import {
  columnsOf,
  everyKind,
  isOfList,
  places,
  toPageQuery,
  toQuery,
  toSearchQuery,
  urlOf,
  usualSort,
  withFilter,
} from '../search-state.js';
import { counted, write } from '../words.js';
import { InSelecting, Keep, KeysHelp, SelectAll } from './bar.js';
import { explain } from './fault.js';
import { Chips, Filters } from './filters.js';
import { InTerms, readTerms } from './marked.js';
import { Panel } from './media.js';
import { CopyButton, InPlan, NeedsPlan, Popup, Skeleton, useEnded } from './parts.js';
import { Pitch } from './pitch.js';
import { chosenOf, InListed, InOpened, RecordLink, subjectOf, Unmarked } from './record-parts.js';
import { Cards, lastPage, Paging } from './results.js';
import { SaveSearch } from './saved-searches.js';
import { ByMeaning, isByMeaning, Nothing, SearchFault, urlOfOther } from './search-advice.js';
import { pickColumns, Table, useColumns, ViewSwitch } from './table.js';
import { CountryMap } from './world-map.js';

/**
 * @typedef {import('../search-state.js').SearchState} SearchState
 * @typedef {import('./results.js').SearchPage} SearchPage
 * What the server found for the page's URL, and what the page and its module need to know about the service. `serviceUrl` has
 * no slash at its end.
 * @typedef {{ found: SearchPage | null, facets: import('./filters.js').Facets | null,
 *   fault: import('./fault.js').Fault | null, filters: readonly import('../search-state.js').FilterInfo[],
 *   serviceUrl: string, pitch: import('./pitch.js').PitchData | null } & import('../export.js').Service} ExplorerData
 */

/**
 * `isLate`: what is shown is not yet what is searched for. `selection`: null until the module is loaded. `exporting`, `pushing`: the content of their popups. `opened`: the open record.
 * @param {{ data: ExplorerData, state: SearchState, isLate?: boolean, hasKey?: boolean, account?: import('./frame.js').KeyPlan | null, selection?: import('../rows.js').Selection | null, isWhole?: boolean, exporting?: any, pushing?: any, opened?: any, listed?: import('./record-parts.js').Listed, lists?: readonly import('../account-lists.js').ListHead[], unmarked?: readonly import('../account-lists.js').ListHead[], onInput?: (event: any) => void, onChange?: (event: any) => void, onSubmit?: (event: any) => void, onClick?: (event: any) => void, onClose?: () => void }} props
 */
export function Explorer({
  data,
  state,
  isLate = false,
  hasKey = false,
  account = null,
  opened = null,
  lists = noLists,
  unmarked = noLists,
  ...props
}) {
  const { facets, found, fault, filters } = data;
  const total = found?.total ?? 0;
  // Memoized, because it is a large part of the page that does not change when records are selected.
  const choices = useMemo(
    () => html`<${Filters} infos=${filters} state=${state} facets=${facets} total=${total} lists=${lists} />`,
    [filters, state, facets, total, lists],
  );
  const selecting = props.selection && { ...props.selection };
  return html`<${InPlan} value=${account}><div onChange=${props.onChange} onClick=${props.onClick}>
    <form id="search" class="search ${toPageQuery(state).size === 0 ? 'first' : ''}" role="search" action=${places[state.of].path} autocomplete="off" onSubmit=${props.onSubmit}>
      <h1><label for="q">${headings[state.of].label}</label></h1>
      <div class="line">
        <input
          id="q"
          type="search"
          name="q"
          maxlength="500"
          placeholder=${headings[state.of].example}
          autocomplete="off"
          spellcheck=${false}
          dir="auto"
          value=${state.q}
          onInput=${props.onInput}
        />
        <button>Search</button>
      </div>
    </form>
    ${data.pitch !== null && toPageQuery(state).size === 0 && html`<${Pitch} ...${data.pitch} />`}
    <div class="line">
      <${Tabs} state=${state} />
      ${choices}
    </div>
    <${Chips} infos=${filters} state=${state} facets=${facets} lists=${lists} />
    <${InListed} value=${props.listed ?? noneListed}><div class="columns ${opened === null ? '' : 'with-panel'}">
      <section aria-labelledby="results" aria-busy=${isLate}>
        <h2 id="results" class="unseen" tabindex="-1">${state.q.trim() === '' ? 'Results' : `Results for “${state.q.trim()}”`}</h2>
        <div class="bar line">
          ${found === null || found.results.length === 0 ? null : html`<${SelectAll} rows=${rowsOf(found, state)} selection=${props.selection ?? null} />`}
          <p role="status" aria-live="polite" class="count">${isLate ? 'Searching…' : countOf(found, fault)}</p>
          <div class="actions line">
            ${found === null || found.total === 0 ? null : html`<${Actions} found=${found} state=${state} hasKey=${hasKey} isLate=${isLate || fault !== null} ...${props} />`}
            ${found !== null && hasKey && state.of === 'media' && !isOfList(state) ? html`<${SaveSearch} query=${toQuery(state)} />` : null}
          </div>
          <${ViewSwitch} state=${state} />
          <${Sort} state=${state} />
        </div>
        ${found?.results.length ? html`<${Unmarked} lists=${unmarked} />` : null}
        ${fault === null ? null : html`<${SearchFault} fault=${fault} state=${state} />`}
        ${
          found === null
            ? fault === null && html`<${Skeleton} />`
            : html`<${InSelecting} value=${selecting}>
                <${InOpened} value=${opened?.id ?? ''}><${Found} found=${found} state=${state} infos=${filters} hasKey=${hasKey} /></${InOpened}>
              </${InSelecting}>`
        }
        ${facets?.countries?.length ? html`<${CountryMap} state=${state} countries=${facets.countries} />` : null}
        <div class="line">
          ${found === null || found.total === 0 ? null : html`<${Popup} id="code" shown="As code" label="This search as code" class="quiet needs-script"><${AsCode} state=${state} isWhole=${props.isWhole} serviceUrl=${data.serviceUrl} /></${Popup}>`}
          <${KeysHelp} />
        </div>
      </section>
      ${
        opened === null
          ? null
          : html`<${InSelecting} value=${selecting}>
              <${Panel} record=${opened} onClose=${props.onClose}>
                <${Keep} id="keep-opened" hasKey=${hasKey} subjects=${chosenOf(opened, props.selection)} query=${null} total=${null} />
              </${Panel}>
            </${InSelecting}>`
      }
    </div></${InListed}>
  </div></${InPlan}>`;
}

const noneListed = new Map();
/** @type {readonly import('../account-lists.js').ListHead[]} */
const noLists = [];

/** What each page looks for. */
const headings = {
  media: {
    label: 'Find newspapers, radio, podcasts, newsletters…',
    example: 'tech newsletters, radio leeds, nytimes.com',
  },
  people: {
    label: 'Find people by name, title, beat, medium, place…',
    example: 'climate reporter texas, ann one daily a',
  },
};

/** The same search for media, or for people at them. @param {{ state: SearchState }} props */
function Tabs({ state }) {
  const tab = (/** @type {SearchState['of']} */ subject, /** @type {string} */ label) =>
    state.of === subject
      ? html`<span class="chip" aria-current="page">${label}</span>`
      : html`<a class="chip" href=${urlOfOther(state, subject)}>${label}</a>`;
  return html`<nav class="tabs line" aria-label="What to find">${tab('media', 'Media')} ${tab('people', 'People')}</nav>`;
}

/** The rows of a page of results. @param {SearchPage} found @param {SearchState} state @returns {readonly import('./record-parts.js').Row[]} */
function rowsOf({ results }, { of }) {
  return of === 'people' ? results : results.map((record) => ({ record }));
}

/** A column with the order that its heading asks for: people are ordered by their own names. @param {import('./table.js').Column} column @param {SearchState} state @returns {import('./table.js').Column} */
function sortable({ sort = '', ...column }, { of }) {
  if (of === 'media') return sort === '' ? column : { ...column, sort };
  return column.name === 'contact' ? { ...column, sort: 'name' } : column;
}

/**
 * The actions for the selected records, or for all results if none is selected.
 * @param {{ found: SearchPage, state: SearchState, hasKey: boolean, isLate: boolean, selection?: import('../rows.js').Selection | null, exporting?: any, pushing?: any }} props
 */
function Actions({ found, state, hasKey, isLate, selection, exporting, pushing }) {
  const subjects = [...(selection?.rows.values() ?? [])].map(subjectOf);
  const isPartial = found.dropped !== undefined;
  const query = toSearchQuery({ ...(isPartial ? withFilter(state, 'whole', '1') : state), page: 1 });
  const needsPlan = html`<${NeedsPlan} what="Exports, and leads for campaigns, come" />`;
  return html`<${Keep} hasKey=${hasKey} subjects=${subjects} query=${query} total=${isPartial ? null : found.total} ofPeople=${state.of === 'people'} disabled=${isLate} />
    <${Popup} id="export" shown="Export" class="needs-script" disabled=${isLate}>${exporting ?? needsPlan}</${Popup}>
    <${Popup} id="push" shown="Send to campaign" class="needs-script" disabled=${isLate}>${pushing ?? needsPlan}</${Popup}>`;
}

/** @param {SearchPage | null} found @param {import('./fault.js').Fault | null} fault */
function countOf(found, fault) {
  if (fault !== null) return explain(fault).title;
  if (found === null) return 'Searching…';
  const { total, page } = found;
  if (total === 0) return 'Nothing found';
  return `${counted(total, 'result')}${page > 1 ? `, page ${write(page)} of ${write(lastPage(found))}` : ''}`;
}

/** @type {Record<string, string>} */
const sorts = {
  relevance: 'Best match',
  reachable: 'Addresses first',
  audience: 'Largest audience',
  name: 'Name, A to Z',
  updated: 'Newest first',
  '-audience': 'Smallest audience',
  '-name': 'Name, Z to A',
  '-updated': 'Oldest first',
};

/** The orders that people can have. */
const sortsOfPeople = ['relevance', 'name', '-name', 'updated', '-updated'];

/** @param {{ state: SearchState }} props */
function Sort({ state }) {
  const usual = usualSort(state);
  const sort = state.sort || usual;
  const offered = Object.entries(sorts).filter(
    ([key]) =>
      key === sort ||
      (!key.startsWith('-') &&
        (state.of === 'media' ? key !== 'relevance' || key === usual : sortsOfPeople.includes(key))),
  );
  return html`<label class="sort"
      ><span class="unseen">Order${' '}</span>
      <select form="search" name="sort">
        ${offered.map(([key, label]) => html`<option key=${key} value=${key === usual ? '' : key} selected=${key === sort}>${key === 'relevance' && state.q.trim() === '' ? 'By medium' : label}</option>`)}
      </select>
    </label>
    <button form="search" class="no-script">Apply</button>`;
}

/** @param {{ found: SearchPage, state: SearchState, infos: ExplorerData['filters'], hasKey: boolean }} props */
function Found({ found, state, infos, hasKey }) {
  const { total, also = [], corrected, dropped = [], masked } = found;
  const results = rowsOf(found, state);
  const columns = useColumns();
  // Memoized, because it is most of the page and does not change while a search is running.
  const rows = useMemo(
    () => html`<${InTerms} value=${readTerms(state.q)}>
      ${
        state.view === 'table'
          ? html`<${Table}
              label="Table"
              rows=${results}
              columns=${pickColumns(columns, columnsOf(state)).map((column) => sortable(column, state))}
              sort=${state.sort}
              urlOfSort=${(/** @type {string} */ sort) => urlOf({ ...state, sort, page: 1 })}
            />`
          : html`<${Cards} rows=${results} />`
      }
    </${InTerms}>`,
    [found, urlOf(state)],
  );
  const query = state.q.trim();
  const offersMeaning = state.of === 'media' && (isByMeaning(state) || (total > 0 && total < fewFound && query !== ''));
  return html`${dropped.length > 0 ? html`<p class="hint"><strong>Not all of these have ${quoteFirst(dropped)}.</strong> Exports, campaigns and lists take only those that have all you typed. <a href=${urlOf(withFilter(state, 'whole', '1'))}>Show only those</a></p>` : null}
    ${corrected && dropped.length === 0 ? html`<p class="hint">These results include similar spellings, or lack a word. <a href=${urlOf(withFilter(state, 'strict', '1'))}>Search for exactly “${query}”</a></p>` : null}
    ${results.length === 0 ? html`<${Nothing} found=${found} state=${state} infos=${infos} />` : rows}
    ${also.length > 0 ? html`<p class="hint">Near in meaning:${also.map((record, place) => html`${place > 0 ? ', ' : ' '}<${RecordLink} key=${record.id} record=${record} />`)}</p>` : null}
    ${offersMeaning ? html`<p class="hint"><${ByMeaning} state=${state} /></p>` : null}
    ${masked && results.length > 0 ? html`<${Unlock} hasKey=${hasKey} />` : null}
    ${
      results.some(({ record }) => record.id.startsWith('sample-'))
        ? html`<p class="note"><strong>Sample data.</strong> The records here are invented. The first import of your own replaces them: <code>npm run indexer -- import FILE</code></p>`
        : null
    }
    <${Paging} found=${found} urlOfPage=${(/** @type {number} */ page) => urlOf({ ...state, page })} />`;
}

/** The first three, and how many more: “climate”, “policy”, “midwest”, and 2 more. @param {readonly string[]} words */
function quoteFirst(words) {
  const quoted = words.slice(0, 3).map((word) => `“${word}”`);
  const more = words.length > 3 ? [`${words.length - 3} more`] : [];
  return new Intl.ListFormat('en', { type: 'conjunction' }).format([...quoted, ...more]);
}

/** If a search finds fewer records, the page offers to search by meaning. */
const fewFound = 5;

/** @param {{ hasKey: boolean }} props */
function Unlock({ hasKey }) {
  if (useEnded()) return html`<${NeedsPlan} />`;
  return html`<p class="note">
    Emails are shown as <span class="mask">a***@example.org</span>.${' '}
    ${
      hasKey
        ? null
        : html`With a plan you see full addresses and can export: <a href="plans">see plans</a><span class="needs-script">, or sign in above.</span>`
    }
  </p>`;
}

/** For a terminal; the key is a variable. @param {{ state: SearchState, isWhole?: boolean, serviceUrl: string }} props */
function AsCode({ state, isWhole = true, serviceUrl }) {
  const query = toQuery(state);
  // If no kind is named, an export has only outlets. So name all kinds, if the plan allows that.
  if (isWhole && !query.has('kind')) query.set('kind', everyKind);
  if (state.of === 'people') query.set('rows', 'contacts');
  // URLSearchParams escapes apostrophes, so nothing typed can end the quotes.
  const curl = (/** @type {string} */ options, /** @type {string} */ path, /** @type {URLSearchParams} */ query) =>
    `curl ${options}-H "Authorization: Bearer $KEY" '${serviceUrl}/api/v1/${path}${query.size === 0 ? '' : `?${query}`}'`;
  const part = (/** @type {string} */ id, /** @type {string} */ name, /** @type {string} */ command) =>
    html`<section aria-labelledby="code-${id}">
      <h3 id="code-${id}">${name}</h3>
      <pre tabindex="0"><code>${command}</code></pre>
      <${CopyButton} text=${command} label="Copy the code for ${name}" />
    </section>`;
  return html`<h2>This search as code</h2>
    ${part('curl', 'Search', curl('', places[state.of].search, toSearchQuery(state)))} ${part('export', query.has('kind') ? 'All of it as a file' : 'Outlets as a file', curl('-fOJ ', 'export', query))}
    <p class="note">Clients for TypeScript and Python, and tools for models, are in the <a href="docs">API reference</a>.</p>`;
}
