import { readAccount, watchAccount } from './account.js';
import { followLists } from './account-lists.js';
import { askJson, faultOf, mayPass, secondsUntilRetry } from './api.js';
import { html } from './dom.js';
import { viewSending } from './export.js';
import { readKey } from './key.js';
import { data, placeOf, show } from './page.js';
import { createPanel, createSelection, pressedLink } from './rows.js';
import { places, readPageState, readState, titleOf, toQuery, toSearchQuery, urlOf } from './search-state.js';
import { Explorer } from './views/explorer.js';
import { hasDeclined } from './views/record-parts.js';

/** After the last typed letter, results are asked for when this time has passed, in milliseconds. */
const letterPauseMs = 50;
/** The counts are asked for this much later, because nobody needs them between letters and they use up the rate limit. */
const countPauseMs = 180;
/** A search that takes longer than this, in milliseconds, is late. */
const lateMs = 250;

const place = placeOf('#page');
const form = /** @type {HTMLFormElement} */ (place.querySelector('#search'));
/** What the page shows. At first, that is what the server found. @type {import('./views/explorer.js').ExplorerData} */
let page = data;
let state = readUrl();
/** Whether a search takes so long that the page says so: what it shows is not yet what is searched for. */
let isLate = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let lateness;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;
/** Whether this module has taken over the page. The first drawing must be the server's: the page without a key. */
let isTaken = false;
/** The search to which the shown counts belong. @type {string | null} */
let countedFor = page.facets === null ? null : String(toQuery(state));

const selection = createSelection(() => draw());
const panel = createPanel(place, { urlOf: (record) => urlOf(state, record), read: readRecord, draw: () => draw() });

const accountLists = followLists(draw);

let request = new AbortController();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pause;

function readUrl() {
  return readPageState(new URLSearchParams(location.search), data.of);
}

/** Finds a record among the results, or asks the service for it. @param {string} id */
function readRecord(id) {
  // Of people, the results have only a part of their media.
  const record = places[state.of].rows ? undefined : page.found?.results.find((record) => record.id === id);
  // An error leaves the results as they are.
  return record ?? askJson(`records/${encodeURIComponent(id)}`).catch((error) => faultOf(error) && null);
}

/** Asks for results and counts. Drops answers to earlier searches. @param {number} [countsAfterMs] how long the counts wait */
async function search(countsAfterMs = 0) {
  request.abort();
  request = new AbortController();
  const { signal } = request;
  clearTimeout(retry);
  lateness ??= setTimeout(() => draw({}, true), lateMs);
  try {
    const query = String(toQuery(state));
    // Results are shown without waiting for their counts.
    const results = askJson(`${places[state.of].search}?${toSearchQuery(state)}`, { signal }).then((results) => {
      if (signal.aborted) return;
      endWait();
      draw({ found: results, fault: null });
      panel.follow();
    });
    draw();
    // Another page of the same search has the same counts.
    const counts = query === countedFor ? page.facets : countLater(query, countsAfterMs, signal);
    const [, facets] = await Promise.all([results, counts]);
    if (signal.aborted) return;
    countedFor = query;
    draw({ facets });
  } catch (error) {
    if (signal.aborted) return;
    request.abort();
    endWait();
    const fault = faultOf(error);
    if (mayPass(fault)) countDown(fault);
    else draw({ fault, found: null });
  }
}

/** Counts down to another try. What was found before stays. @param {import('./views/fault.js').Fault} fault */
function countDown(fault) {
  const secondsLeft = secondsUntilRetry(fault);
  draw({ fault: { ...fault, retryAfter: secondsLeft } });
  retry = setTimeout(() => (secondsLeft > 1 ? countDown({ ...fault, retryAfter: secondsLeft - 1 }) : search()), 1_000);
}

function endWait() {
  clearTimeout(lateness);
  lateness = undefined;
  isLate = false;
}

/** @param {string} query @param {number} ms @param {AbortSignal} signal */
async function countLater(query, ms, signal) {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  const { rows } = places[state.of];
  return askJson(`facets?${query}${query && '&'}audiences=1${rows ? `&rows=${rows}` : ''}`, { signal });
}

/** @param {typeof state} next @param {'push' | 'replace'} how of its URL @param {number} [countsAfterMs] */
function go(next, how, countsAfterMs) {
  clearTimeout(pause);
  const isSame = urlOf(next) === urlOf(readUrl());
  state = next;
  // Signing in or out changes no state, so it keeps the history and the open record.
  if (!isSame && how === 'push') history.pushState(null, '', urlOf(state));
  else if (!isSame) history.replaceState(null, '', urlOf(state));
  panel.follow();
  return search(countsAfterMs);
}

/** The state that the controls of the page show, on the first page of results. */
function readForm() {
  // @ts-expect-error This form has no files, so all its values are texts.
  return readState(new URLSearchParams(new FormData(form)), data.of);
}

/** @param {Event} event */
function onChange({ target }) {
  const { form: formOfTarget, name } = /** @type {HTMLInputElement} */ (target);
  // Not form.id, because the form has a control named `id`.
  if (formOfTarget?.getAttribute('id') === 'search' && name !== 'q') go(readForm(), 'push');
}

function onInput() {
  state = readForm();
  clearTimeout(pause);
  pause = setTimeout(() => go(state, 'replace', countPauseMs), letterPauseMs);
}

/** @param {SubmitEvent} event */
function onSubmit(event) {
  event.preventDefault();
  go(readForm(), 'push');
}

/** Links to other states of this page are followed here, without loading it. @param {MouseEvent} event */
async function onClick(event) {
  const pressed = pressedLink(event);
  // Links that correct an error are loaded from the server, which reads `Germany` as `DE`.
  if (pressed === null || pressed.link.closest('.fault') !== null) return;
  event.preventDefault();
  const { link, url, id } = pressed;
  if (id !== undefined) return panel.open(id);
  const isPaging = link.closest('.paging') !== null;
  await go(readState(url.searchParams, data.of), 'push');
  // The link may be gone from the page, so the focus goes to the results.
  const heading = /** @type {HTMLElement} */ (place.querySelector('#results'));
  heading.focus({ preventScroll: !isPaging });
}

/** @param {Partial<typeof page>} [change] @param {boolean} [isLateNow] */
function draw(change = {}, isLateNow = isLate) {
  isLate = isLateNow;
  page = { ...page, ...change };
  document.title = titleOf(state);
  document.documentElement.classList.toggle('keyed', readKey() !== null);
  const selected = [...selection.rows.values()];
  const declined = selected.filter((row) => hasDeclined(row, accountLists.current().listed));
  const ofModule = isTaken && {
    hasKey: readKey() !== null,
    selection,
    opened: panel.record,
    ...accountLists.current(),
    account: readAccount(),
    ...viewSending(page, state, selected, { ofPeople: state.of === 'people', declined: declined.length }),
  };
  const on = { onInput, onChange, onSubmit, onClick, onClose: panel.close };
  show(() => html`<${Explorer} data=${page} state=${state} isLate=${isLate} ...${ofModule} ...${on} />`, place);
}

addEventListener('popstate', () => {
  const before = String(toSearchQuery(state));
  state = readUrl();
  if (String(toSearchQuery(state)) === before) draw();
  else search();
  panel.follow();
});

// Keeps what somebody typed, ticked or chose before this module was loaded.
const typed = readForm();
const isTyped = urlOf({ ...typed, page: state.page }) !== urlOf(state);
const typedQuery = page.fault === null && isTyped ? typed : null;
// With a key, the results are asked for again, before the page is taken over. An invalid search stays invalid.
const isForKey = typedQuery === null && readKey() !== null && page.fault?.status !== 400;
if (isForKey) search();
else draw();
isTaken = true;
if (typedQuery !== null) go(typedQuery, 'replace');
// Draws again when the plan is known, because it decides what an export can have.
watchAccount(() => {
  accountLists.look();
  return go(state, 'replace');
}).then(() => draw());
addEventListener('online', () => page.fault !== null && search());
if (page.fault !== null && mayPass(page.fault)) countDown(page.fault);
accountLists.look();
panel.follow();
