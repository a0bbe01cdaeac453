import { readAccount, startAccount } from './account.js';
import { askJson, faultOf } from './api.js';
import { html } from './dom.js';
import { viewExport } from './export.js';
import { createKeeper } from './keeper.js';
import { readKey } from './key.js';
import { data, placeOf, show } from './page.js';
import { saveSearch } from './saved-searches.js';
import { isFirstLook, readPageState, readState, toQuery, toSearchQuery, urlOf } from './search-state.js';
import { Explorer } from './views/explorer.js';
import { InKeeping } from './views/keep-box.js';

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

const keeper = createKeeper(() => draw());

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
      if (!signal.aborted) draw({ found, fault: null });
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
  if (!isSame && how === 'push') history.pushState(null, '', urlOf(state));
  else history.replaceState(null, '', urlOf(state));
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

/** What an export of the search can have. */
function foundKinds() {
  const plan = readAccount();
  return {
    kinds: shown.facets?.kinds ?? [],
    isWhole: plan?.status === 'active' && shown.wholePlans.includes(plan.plan),
  };
}

/** Keys that work as in a mail program, where nothing is typed. @param {KeyboardEvent} event */
function onKey(event) {
  const { key, ctrlKey, metaKey, altKey } = event;
  const target = /** @type {HTMLElement} */ (event.target);
  if (ctrlKey || metaKey || altKey || target.closest('input:not([type="checkbox"]), select, textarea')) return;
  const links = /** @type {HTMLElement[]} */ ([...place.querySelectorAll('.cards h3 a, tbody th a')]);
  const row = target.closest('.card, tbody tr');
  const at = links.findIndex((link) => row?.contains(link));
  /** @type {Record<string, () => HTMLElement | null | undefined>} */
  const targets = {
    '/': () => place.querySelector('#q'),
    j: () => links[at + 1],
    k: () => links[Math.max(at - 1, 0)],
    x: () => row?.querySelector('.keep input'),
    e: () => place.querySelector('.export button'),
  };
  const next = Object.hasOwn(targets, key) ? targets[key]?.() : null;
  if (!next) return;
  event.preventDefault();
  if (key === 'x') next.click();
  else next.focus();
}

/** @param {Partial<typeof shown>} [change] */
function draw(change = {}) {
  shown = { ...shown, ...change };
  const exporting = isTaken ? viewExport(state, shown.formats, draw, foundKinds()) : null;
  show(
    () => html`<${InKeeping} value=${{ ...keeper }}><${Explorer}
      data=${shown}
      state=${state}
      isBusy=${isBusy}
      retries=${isTaken}
      hasKey=${isTaken && readKey() !== null}
      exporting=${exporting}
      onInput=${onInput}
      onChange=${onChange}
      onSubmit=${onSubmit}
      onClick=${onClick}
      onSave=${onSave}
    /></${InKeeping}>`,
    place,
  );
}

place.addEventListener('focusin', () => {
  slid = null;
});

addEventListener('keydown', onKey);

addEventListener('popstate', () => {
  slid = null;
  state = readUrl();
  search();
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
