import { html, nothing, render } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { startAccount } from './account.js';
import { askJson, explain } from './api.js';
import { copyButton } from './copy-button.js';
import { viewExport } from './export.js';
import { viewChips, viewFilters } from './filters.js';
import { formatCount } from './format.js';
import { readKey } from './key.js';
import { viewPaging, viewResults } from './results.js';
import { readState, toggle, toPageQuery, toQuery } from './search-state.js';

/** How long a person may pause between letters before the search is sent, in milliseconds. */
const pauseMs = 180;

const place = /** @type {HTMLElement} */ (document.querySelector('#page'));
let state = readState();
/** @type {import('./results.js').SearchPage | null} */
let found = null;
/** @type {any} */
let facets = null;
/** @type {ReturnType<typeof explain> | null} */
let fault = null;
let isBusy = true;
/** The search that the facets are counts of. @type {string | null} */
let countedFor = null;
/** On phones the filters are collapsed. */
let areFiltersOpen = false;

let asked = new AbortController();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pause;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;

/** Requests what the state describes. An outdated answer is dropped, and its request aborted. */
async function search() {
  asked.abort();
  clearTimeout(retry);
  asked = new AbortController();
  const { signal } = asked;
  isBusy = true;
  draw();
  try {
    const query = String(toQuery(state));
    // Results are shown without waiting for their counts.
    const shown = askJson(`search?${toPageQuery(state)}`, { signal }).then((page) => {
      if (signal.aborted) return;
      found = page;
      fault = null;
      draw();
    });
    // Another page of the same search has the same counts.
    const counts = query === countedFor ? facets : askJson(`facets?${query}`, { signal });
    const [, counted] = await Promise.all([shown, counts]);
    if (signal.aborted) return;
    facets = counted;
    countedFor = query;
  } catch (error) {
    if (signal.aborted) return;
    asked.abort();
    fault = explain(error);
    found = null;
    if (fault.retryAfter !== null) retry = setTimeout(search, fault.retryAfter * 1000);
  }
  isBusy = false;
  draw();
}

/**
 * Goes to another state, under a URL of its own.
 * @param {'push' | 'replace'} how
 */
function go(how) {
  const query = String(toPageQuery(state));
  const url = query === '' ? './' : `./?${query}`;
  if (how === 'push') history.pushState(null, '', url);
  else history.replaceState(null, '', url);
  return search();
}

/**
 * @param {string} parameter
 * @param {string} value
 */
function onToggle(parameter, value) {
  toggle(state, parameter, value);
  state.page = 1;
  go('push');
}

function onClear() {
  state.filters.clear();
  state.page = 1;
  go('push');
  place.querySelector('input')?.focus();
}

/** @param {InputEvent} event */
function onType(event) {
  state.q = /** @type {HTMLInputElement} */ (event.target).value;
  state.page = 1;
  clearTimeout(pause);
  pause = setTimeout(() => go('replace'), pauseMs);
}

/** @param {SubmitEvent} event */
function onSubmit(event) {
  event.preventDefault();
  clearTimeout(pause);
  go('push');
}

/** @param {Event} event */
function onSort(event) {
  state.sort = /** @type {HTMLSelectElement} */ (event.target).value;
  state.page = 1;
  go('push');
}

/**
 * @param {MouseEvent} event
 * @param {number} page
 */
async function onPage(event, page) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  state.page = page;
  await go('push');
  const heading = /** @type {HTMLElement | null} */ (place.querySelector('#results'));
  heading?.focus();
  heading?.scrollIntoView();
}

function draw() {
  render(view(), place);
}

const sorts = [
  ['', 'Best match'],
  ['audience', 'Largest audience'],
  ['name', 'Name, A to Z'],
  ['updated', 'Newest first'],
];

function view() {
  return html`<form class="search" role="search" @submit=${onSubmit}>
      <label for="q">Find newspapers, radio, podcasts, newsletters…</label>
      <div class="joined">
        <input
          id="q"
          type="search"
          name="q"
          maxlength="500"
          placeholder="tech newsletters, radio leeds, nytimes.com"
          autocomplete="off"
          spellcheck="false"
          .value=${live(state.q)}
          @input=${onType}
        />
        <button>Search</button>
      </div>
    </form>
    <div class="columns">
      <aside aria-label="Filters" class=${areFiltersOpen ? 'unfolded' : ''}>
        <button
          type="button"
          class="fold"
          aria-expanded=${areFiltersOpen}
          aria-controls="filter-list"
          @click=${() => {
            areFiltersOpen = !areFiltersOpen;
            draw();
          }}
        >
          ${areFiltersOpen ? 'Hide filters' : 'Filters'}
        </button>
        <div id="filter-list">${viewFilters(state, facets, onToggle, draw)}</div>
      </aside>
      <section aria-labelledby="results" aria-busy=${isBusy}>
        <div class="bar">
          <h2 id="results" tabindex="-1">Results</h2>
          <p role="status" aria-live="polite" class="count">${describeCount()}</p>
          <label class="sort"
            >Order
            <select @change=${onSort}>
              ${sorts.map(
                ([value, label]) =>
                  html`<option value=${value} ?selected=${(state.sort === 'relevance' ? '' : state.sort) === value}>${label}</option>`,
              )}
            </select>
          </label>
        </div>
        ${viewChips(state, facets, onToggle, onClear)} ${fault === null ? nothing : viewFault(fault)}
        ${found === null ? nothing : viewFound(found)}
      </section>
    </div>`;
}

function describeCount() {
  if (fault !== null) return fault.title;
  if (found === null) return 'Searching…';
  const { total, page, total_pages } = found;
  if (total === 0) return 'Nothing found';
  const count = total === 1 ? '1 result' : `${formatCount(total)} results`;
  return page > 1 ? `${count}, page ${formatCount(page)} of ${formatCount(total_pages)}` : count;
}

/** @param {import('./results.js').SearchPage} page */
function viewFound(page) {
  const urlOf = (/** @type {number} */ number) => `./?${toPageQuery({ ...state, page: number })}`;
  return html`<div class="take">${viewExport(state, draw)} ${viewCurl()}</div>
    ${page.masked && page.results.length > 0 ? viewUnlock() : nothing}
    ${page.corrected ? html`<p class="hint">These results include similar spellings.</p>` : nothing}
    ${page.results.length === 0 ? viewNothing(page) : viewResults(page)} ${viewPaging(page, urlOf, onPage)}`;
}

function viewUnlock() {
  return html`<p class="hint">
    Emails are shown as <span class="mask">a***@example.org</span>.
    ${
      readKey() === null
        ? html`With a plan you see full addresses and can export: <a href="plans">see plans</a>, or enter your key above.`
        : html`Your plan has ended: <a href="plans">buy a new one</a> to see full addresses.`
    }
  </p>`;
}

/** @param {import('./results.js').SearchPage} page */
function viewNothing({ total }) {
  if (total > 0)
    return html`<p class="hint">This page is past the end. <a href="./?${toPageQuery({ ...state, page: 1 })}">Go to the first page</a></p>`;
  return html`<div class="hint">
    <p><strong>No results match all of these filters.</strong> Try fewer words or filters. Small typos are tolerated.</p>
    ${state.filters.size > 0 ? html`<button type="button" @click=${onClear}>Remove all filters</button>` : nothing}
  </div>`;
}

/** @param {ReturnType<typeof explain>} shown */
function viewFault({ title, advice, errors, code, detail }) {
  return html`<div class="fault" role="alert">
    <h3>${title}</h3>
    <p>${advice}</p>
    ${
      errors.length > 0
        ? html`<ul>
            ${errors.map(
              (error) => html`<li>
                ${error.message}
                ${
                  error.did_you_mean === undefined
                    ? nothing
                    : html`<button type="button" @click=${() => onCorrect(error)}>Use ${error.did_you_mean}</button>`
                }
                <button type="button" class="quiet" @click=${() => onDrop(error.name)}>Remove ${error.name}</button>
              </li>`,
            )}
          </ul>`
        : html`<p class="note">${detail}</p>`
    }
    ${code === 'invalid_request' ? nothing : html`<button type="button" @click=${search}>Try again now</button>`}
  </div>`;
}

/**
 * Puts the right word where the wrong one stands; for an unknown parameter, the right name.
 * @param {import('./api.js').FieldError} error
 */
function onCorrect({ name, code, message, did_you_mean: right = '' }) {
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
  state = readState(parameters);
  go('push');
}

/** @param {string} name */
function onDrop(name) {
  const parameters = toPageQuery(state);
  parameters.delete(name);
  state = readState(parameters);
  go('push');
}

/** The same search for a terminal. The key is a shell variable: it is never written out. */
function viewCurl() {
  const url = new URL(`api/v1/search?${toPageQuery(state)}`, document.baseURI);
  const header = readKey() === null ? '' : '-H "Authorization: Bearer $KEY" ';
  // URLSearchParams escapes apostrophes, so nothing typed can end the quotes.
  const command = `curl ${header}'${url}'`;
  return html`<details class="curl">
    <summary>Run this search with curl</summary>
    <pre tabindex="0"><code>${command}</code></pre>
    ${copyButton(() => command)}
    <p class="note">More in the <a href="docs">API reference</a>.</p>
  </details>`;
}

addEventListener('popstate', () => {
  state = readState();
  search();
});

search();
startAccount(search);
