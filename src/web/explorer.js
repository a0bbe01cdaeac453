import { readAccount, startAccount } from './account.js';
import { askJson, faultOf } from './api.js';
import { html } from './dom.js';
import { countKinds, stateOf, viewExport } from './export.js';
import { readKey } from './key.js';
import { startKeys } from './keys.js';
import { data, placeOf, show } from './page.js';
import { viewPush } from './push.js';
import { saveSearch } from './saved-searches.js';
import { isFirstLook, readPageState, readState, toQuery, toSearchQuery, urlOf } from './search-state.js';
import { createSelection } from './selection.js';
import { Explorer } from './views/explorer.js';

/** How long a person may pause between letters before the results are asked for, in milliseconds. */
const letterPauseMs = 50;
/** The same for what takes more of the limit than it gives at once: the counts beside them, and steps of a slider. */
const pauseMs = 180;

const place = placeOf('#page');
const form = /** @type {HTMLFormElement} */ (place.querySelector('#search'));
/** What is shown, which the server found at first. @type {import('./views/explorer.js').ExplorerData} */
let shown = data;
let state = readUrl();
let isBusy = false;
/** Whether this module has taken the page over. Until then it shows what the server did: the page without a key. */
let isTaken = false;
/** The search that the facets are counts of. @type {string | null} */
let countedFor = shown.facets === null ? null : String(toQuery(state));

const selection = createSelection(() => draw());
/** The record beside the list, and whether this page's history has the list before it. @type {any} */
let opened = null;
let isAfterList = false;

/** The slider of the last search, as long as it has the focus: its next step is no new entry of the history. @type {Element | null} */
let slid = null;

let asked = new AbortController();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pause;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;

function readUrl() {
  return readPageState(new URLSearchParams(location.search));
}

/**
 * Requests what the state describes. An outdated answer is dropped, and its request aborted.
 * @param {number} [countsAfterMs] the counts of a search that is still being typed can wait
 */
async function search(countsAfterMs = 0) {
  asked.abort();
  clearTimeout(retry);
  asked = new AbortController();
  const { signal } = asked;
  isBusy = true;
  draw();
  try {
    const query = String(toQuery(state));
    // Results are shown without waiting for their counts.
    const results = askJson(`search?${toSearchQuery(state)}`, { signal }).then((found) => {
      if (signal.aborted) return;
      draw({ found, fault: null });
      if (state.record !== '') open();
    });
    // Another page of the same search has the same counts.
    const counts = query === countedFor ? shown.facets : countLater(query, countsAfterMs, signal);
    const [, facets, overview] = await Promise.all([results, counts, lookAround(signal)]);
    if (signal.aborted) return;
    countedFor = query;
    isBusy = false;
    draw({ facets, overview });
  } catch (error) {
    if (signal.aborted) return;
    asked.abort();
    isBusy = false;
    fail(faultOf(error));
  }
}

/** @param {string} query @param {number} ms @param {AbortSignal} signal */
async function countLater(query, ms, signal) {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  return askJson(`facets?${withHistogram(query)}`, { signal });
}

/** @param {string} query */
function withHistogram(query) {
  return query === '' ? 'audiences=1' : `${query}&audiences=1`;
}

/** What the whole database holds: asked once, for the first look. @param {AbortSignal} signal */
async function lookAround(signal) {
  if (shown.overview !== null || !isFirstLook(state)) return shown.overview;
  const newest = await askJson('search?sort=updated&per_page=1&fields=updated_at', { signal });
  return { updatedAt: newest.results[0]?.updated_at ?? null };
}

/** @param {import('./views/fault.js').Fault} fault */
function fail(fault) {
  if (fault.retryAfter !== null) retry = setTimeout(() => go(state, 'replace'), fault.retryAfter * 1000);
  draw({ fault, found: null });
}

/**
 * Goes to another state, under a URL of its own.
 * @param {import('./search-state.js').SearchState} next
 * @param {'push' | 'replace'} how
 * @param {number} [countsAfterMs]
 */
function go(next, how, countsAfterMs) {
  clearTimeout(pause);
  const isSame = urlOf(next) === urlOf(readUrl());
  state = next;
  const url = urlOf(state, state.record);
  if (!isSame && how === 'push') history.pushState(null, '', url);
  else history.replaceState(null, '', url);
  isAfterList = false;
  open();
  return search(countsAfterMs);
}

/** The state that the controls of the page show. Any of them leads to the first page. */
function readForm() {
  // @ts-expect-error A form without files is a list of texts.
  return readState(new URLSearchParams(new FormData(form)));
}

/** @param {Event} event */
function onChange({ target }) {
  const { form, name } = /** @type {HTMLInputElement} */ (target);
  // Not form.id: a control has that name.
  if (form?.getAttribute('id') !== 'search' || name === 'q') return;
  const slider = document.activeElement?.closest('input[type="range"]') ?? null;
  if (slider === null) go(readForm(), 'push');
  else slide(slider);
}

/** Each arrow key on a slider is a change. @param {Element} slider */
function slide(slider) {
  state = readForm();
  draw();
  clearTimeout(pause);
  pause = setTimeout(() => {
    if (urlOf(state) === urlOf(readUrl())) return;
    go(state, slid === slider ? 'replace' : 'push');
    slid = slider;
  }, pauseMs);
}

function onInput() {
  state = readForm();
  clearTimeout(pause);
  pause = setTimeout(() => go(state, 'replace', pauseMs), letterPauseMs);
}

/** @param {SubmitEvent} event */
function onSubmit(event) {
  event.preventDefault();
  go(readForm(), 'push');
}

/** Links to other states of this page are followed here, without loading it. @param {MouseEvent} event */
async function onClick(event) {
  const link = /** @type {HTMLElement} */ (event.target).closest('a');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  // Not link.href, which is no text where the link is in a picture.
  const url = new URL(link.getAttribute('href') ?? '', location.href);
  const { id } = link.dataset;
  if (id !== undefined) {
    event.preventDefault();
    return goTo(id);
  }
  if (url.origin !== location.origin || url.pathname !== location.pathname) return;
  // What corrects an error goes through the server, which knows `Germany` as `DE`.
  if (link.closest('.fault') !== null) return;
  event.preventDefault();
  const isPaging = link.closest('.paging') !== null;
  await go(readState(url.searchParams), 'push');
  // The link may be gone; keys go on at the results.
  const heading = /** @type {HTMLElement} */ (place.querySelector('#results'));
  heading.focus({ preventScroll: !isPaging });
}

/** @param {string} name */
function onSave(name) {
  return saveSearch({ name, query: String(toQuery(state)), seenAt: new Date().toISOString() });
}

/** Shows the record of the URL beside the list, or none; only what is not in the list is asked for. */
async function open() {
  const id = state.record;
  opened = id === '' ? null : (shown.found?.results.find((record) => record.id === id) ?? opened);
  draw();
  if (id === '' || opened?.id === id) return;
  try {
    opened = await askJson(`records/${encodeURIComponent(id)}`);
  } catch (error) {
    // The list is there all the same.
    faultOf(error);
    opened = null;
  }
  draw();
}

/** @param {string} record its id; empty for none */
function goTo(record) {
  const isNext = state.record !== '' && record !== '';
  state = { ...state, record };
  const url = urlOf(state, record);
  if (isNext) history.replaceState(history.state, '', url);
  else history.pushState(null, '', url);
  isAfterList ||= !isNext;
  return open();
}

/** Back to the list as it was, where the focus returns to. */
async function close() {
  const id = state.record;
  if (id === '') return;
  if (isAfterList) history.back();
  else history.replaceState(null, '', urlOf(state));
  state = { ...state, record: '' };
  isAfterList = false;
  await open();
  /** @type {HTMLElement | null} */ (place.querySelector(`a.opens[data-id="${CSS.escape(id)}"]`))?.focus();
}

/** What the popups of exports and pushes show: of what is selected, or else of all that is found. */
function viewSending() {
  const selected = [...selection.records.values()];
  const isSelected = selected.length > 0;
  const plan = readAccount();
  const found = {
    kinds: isSelected ? countKinds(selected) : (shown.facets?.kinds ?? []),
    isWhole: plan?.status === 'active' && shown.wholePlans.includes(plan.plan),
    isSelected,
  };
  const sent = isSelected ? stateOf(selected) : state;
  return {
    exporting: viewExport(sent, shown.formats, draw, found),
    pushing: viewPush(toQuery(sent), shown.tools),
  };
}

/** @param {Partial<typeof shown>} [change] */
function draw(change = {}) {
  shown = { ...shown, ...change };
  show(
    () => html`<${Explorer}
      data=${shown}
      state=${state}
      isBusy=${isBusy}
      retries=${isTaken}
      hasKey=${isTaken && readKey() !== null}
      selection=${isTaken ? selection : null}
      opened=${isTaken ? opened : null}
      ...${isTaken ? viewSending() : {}}
      onInput=${onInput}
      onChange=${onChange}
      onSubmit=${onSubmit}
      onClick=${onClick}
      onClose=${close}
      onSave=${onSave}
    />`,
    place,
  );
}

place.addEventListener('focusin', () => {
  slid = null;
});

startKeys(place, close);

addEventListener('popstate', () => {
  slid = null;
  const before = String(toSearchQuery(state));
  state = readUrl();
  if (String(toSearchQuery(state)) !== before) search();
  open();
});

/**
 * Whether something was typed, ticked or chosen since the server made the form. Its other fields keep what is typed by
 * themselves (`Field`).
 */
function isTouched() {
  return [...form.elements].some((control) => {
    if (control instanceof HTMLSelectElement) {
      const chosen = [...control.options].findIndex(({ defaultSelected }) => defaultSelected);
      return control.selectedIndex !== Math.max(chosen, 0);
    }
    if (!(control instanceof HTMLInputElement)) return false;
    if (control.type === 'checkbox') return control.checked !== control.defaultChecked;
    return control.type === 'search' && control.value !== control.defaultValue;
  });
}

// What somebody did before this module was there is not lost.
const meant = isTouched() ? readForm() : null;
draw();
isTaken = true;
if (meant !== null) go(meant, 'replace');
// No key makes an invalid search valid.
else if (readKey() !== null && shown.fault?.status !== 400) search();
else if (shown.fault !== null) fail(shown.fault);
// What an export can have depends on the plan, which is known only then.
startAccount(() => go(state, 'replace')).then(() => draw());
if (state.record !== '') open();
