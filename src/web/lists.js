import { readAccount, watchAccount } from './account.js';
import { createList, readLists, writeEntry, writeRecords } from './account-lists.js';
import { askJson, askTagged, faultOf, mayPass, send } from './api.js';
import { html, readStored, store } from './dom.js';
import { edited, editsOf, endEdit, isDisputed, keepEdit } from './edits.js';
import { viewSending } from './export.js';
import { readKey } from './key.js';
import { data, placeOf, show } from './page.js';
import { createPanel, createSelection, pressedLink } from './rows.js';
import { readState } from './search-state.js';
import { Lists, statusName } from './views/lists.js';
import { rowKey, rowName, subjectOf } from './views/record-parts.js';
import { counted, write as number } from './words.js';

/**
 * @typedef {{ list: string, status: string, sort: string, page: string, columns: string }} ListView what the URL says
 * @typedef {import('./account-lists.js').ListHead & { left: number, results: import('./account-lists.js').Row[],
 *   total: number, page: number, per_page: number, total_pages: number, masked: boolean }} ListPage
 * What happened since the last visit: how many records now have an invalid address, were merged into another, or are gone.
 * @typedef {{ since: string, invalid: number, merged: number, left: number }} News
 * @typedef {import('./account-lists.js').Row} Row
 * What was done, and what undoes it; or a question that stays until it is answered, and what says yes.
 * @typedef {{ said: string, undo: (() => void) | null, label?: string, stays?: true }} Done @typedef {import('./account-lists.js').Change} Change
 */

const perPage = 100;
/** Lists of at most this many entries are read whole, to count and to select what is in them. */
const maxWhole = 1_000;
/** Stored under this name: when somebody last looked at each list in this browser. */
const looksName = 'masthead-looks';

const place = placeOf('#page');
/** The account's lists; null until they are known. @type {import('./account-lists.js').ListHead[] | null} */
let heads = null;
/** @type {ListPage | null} */
let page = null;
let view = readView();
/** @type {import('./views/fault.js').Fault | null} */
let fault = null;
/** @type {Done | null} */
let done = null;
/** @type {News | null} */
let news = null;
/** How long a message about what was done stays, in milliseconds, unless somebody is at it. */
const messageMs = 8_000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let leaving;
/** The account's saved searches. @type {readonly import('./views/saved-searches.js').SavedSearch[]} */
let searches = [];
/** The path of the list or search that is deleted when the page is left. Until then, this can be undone. */
let doomed = '';
let isBusy = false;
/** The version of the open list, which a write of an edit must meet. @type {string | null} */
let tag = null;
/** What became of the last edit. @type {'' | 'Saving …' | 'Saved' | 'Not saved yet: trying again' | 'Not saved'} */
let saving = '';
let isSaving = false;
let nextSave = 0;
/** Counts requests, so that the answer to an earlier one can be ignored. */
let looks = 0;
/** The rows of the open list that were read so far, on any page of it, by their subjects. @type {Map<string, import('./account-lists.js').Row>} */
const rows = new Map();
/** Whether that is the whole list. */
let isWhole = false;
const selection = createSelection(draw);
const panel = createPanel(place, {
  urlOf: (record) => urlOf({}, record),
  read: (id) => [...rows.values()].find(({ record }) => record.id === id)?.record ?? null,
  draw,
});

/** @returns {ListView} */
function readView() {
  const given = new URLSearchParams(location.search);
  const read = (/** @type {string} */ name) => given.get(name) ?? '';
  return {
    list: read('list'),
    status: read('status'),
    sort: read('sort'),
    page: read('page'),
    columns: read('columns'),
  };
}

/** @param {Partial<ListView>} change @param {string} [record] what is open beside it */
function urlOf(change, record = '') {
  const given = Object.entries({ ...view, ...change, record }).filter(([, value]) => value !== '');
  return given.length === 0 ? './lists' : `./lists?${new URLSearchParams(given)}`;
}

/** Reads the lists, and a page of the open one: the one in the URL, or otherwise the one that was changed last. */
async function look() {
  looks += 1;
  const mine = looks;
  if (readKey() === null) {
    [heads, page, searches] = [null, null, []];
    return draw();
  }
  isBusy = true;
  draw();
  try {
    const [known, found, saved] = await Promise.all([readLists(), readPage(view.list), readSearches()]);
    const others = known.filter(({ id }) => `lists/${id}` !== doomed);
    const [latest] = others.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at));
    const shown = found ?? (await readPage(latest?.id ?? ''));
    if (mine !== looks) return;
    [heads, page, fault] = [others, shown, null];
    searches = saved.filter(({ id }) => `searches/${id}` !== doomed);
    for (const row of page?.results ?? []) rows.set(rowKey(row), row);
    if (page !== null && view.list !== page.id) {
      view = { ...view, list: page.id };
      history.replaceState(null, '', urlOf({}));
    }
  } catch (error) {
    fault = faultOf(error);
  }
  isBusy = false;
  draw();
  panel.follow();
}

/** Reads the saved searches. Lists are shown without them, too: a key may be for lists alone. @returns {Promise<typeof searches>} */
async function readSearches() {
  return (await askJson('searches').catch(faultOf)).searches ?? [];
}

/** Reads a page of a list; null if there is no such list. @param {string} id @returns {Promise<ListPage | null>} */
async function readPage(id) {
  if (id === '' || `lists/${id}` === doomed) return null;
  const given = Object.entries({ ...view, list: '' }).filter(([, value]) => value !== '');
  const query = new URLSearchParams([['per_page', String(perPage)], ...given]);
  try {
    const answer = await askTagged(`lists/${encodeURIComponent(id)}?${query}`);
    tag = answer.tag;
    return answer.body;
  } catch (error) {
    if (faultOf(error).status === 404) return null;
    throw error;
  }
}

/** Reads all pages of the open list that were not read. */
async function readRest() {
  const { list, status } = view;
  if (page === null || page.count > maxWhole) return;
  for (let at = 1, last = status === '' && page.total_pages === 1 ? 0 : 1; at <= last; at += 1) {
    const next = await askJson(`lists/${encodeURIComponent(list)}?per_page=${perPage}&page=${at}`).catch(faultOf);
    if (view.list !== list || next.results === undefined) return;
    for (const row of next.results) rows.set(rowKey(row), row);
    last = next.total_pages;
  }
  isWhole = true;
  draw();
}

/** Shows what happened to the list since the last visit, and notes the time of this one. */
async function lookForNews() {
  news = null;
  if (page === null) return;
  const { id, count, left } = page;
  const { [id]: since, ...others } = readStored(looksName);
  store(looksName, { ...others, [id]: new Date().toISOString() });
  if (since === undefined) return;
  const changed = new URLSearchParams({ list: id, email_status: 'invalid', updated_since: since });
  const found = await askJson(`search?${changed}&fields=id&per_page=1`).catch(faultOf);
  const merged = Math.max((heads?.find((head) => head.id === id)?.count ?? count) - count - left, 0);
  news = { since, invalid: found.total ?? 0, merged, left };
  draw();
}

/** Shows what the URL says. */
async function follow() {
  const before = view;
  view = readView();
  panel.follow();
  if (JSON.stringify(view) === JSON.stringify(before)) return;
  if (view.list === before.list) return look();
  forgetOpen();
  await start();
}

/** Forgets the rows, the selection and the messages of the open list, because another one is shown. */
function forgetOpen() {
  tell(null);
  news = null;
  rows.clear();
  isWhole = false;
  selection.rows.clear();
}

/** @param {Partial<ListView>} change */
function go(change) {
  history.pushState(null, '', urlOf(change));
  return follow();
}

/** Changes the account's lists, says so, and reads them again. @param {() => Promise<unknown>} act @param {Done | null} then */
async function change(act, then = null) {
  isBusy = true;
  draw();
  try {
    await act();
    tell(then);
    await look();
  } catch (error) {
    fault = faultOf(error);
    isBusy = false;
    draw();
  }
}

/** Writes to the open list. @param {Change} what @param {string} said @param {Change | null} back what undoes it */
async function write(what, said, back) {
  const { list } = view;
  const act = async () => {
    await writeRecords(list, what);
    for (const subject of what.remove ?? []) rows.delete(JSON.stringify(subject));
  };
  await change(act, { said, undo: back && (() => write(back, 'Undone.', null)) });
  await readRest();
}

function selectedRows() {
  return [...selection.rows.keys()].flatMap((key) => rows.get(key) ?? []);
}

/** An entry as it was. @param {import('./account-lists.js').Row} row */
const entryOf = (row) => ({ ...subjectOf(row), note: row.note, status: row.status });

/** Saves soon: while somebody types, not every letter. */
function saveSoon() {
  clearTimeout(nextSave);
  nextSave = setTimeout(saveEdits, 1_000);
}

/** Saves what was edited in the open list, an entry at a time. If the service cannot take it now, this is tried again. */
async function saveEdits() {
  clearTimeout(nextSave);
  if (isSaving) return saveSoon();
  isSaving = true;
  try {
    for (let next = findUnsaved(); next !== null; next = findUnsaved()) await saveEdit(...next);
  } catch (error) {
    const found = faultOf(error);
    const isPassing = mayPass(found);
    if (isPassing) nextSave = setTimeout(saveEdits, 1_000 * (found.retryAfter ?? 5));
    else fault = found;
    saving = isPassing ? 'Not saved yet: trying again' : 'Not saved';
  }
  isSaving = false;
  draw();
}

/** The first edit of a row that was read, and that nobody else has changed. @returns {[string, string, import('./edits.js').Edit, Row] | null} */
function findUnsaved() {
  const { list } = view;
  for (const [key, edit] of Object.entries(editsOf(list))) {
    const row = rows.get(key);
    if (row !== undefined && !isDisputed(row, edit)) return [list, key, edit, row];
  }
  return null;
}

/** @param {string} list @param {string} key @param {import('./edits.js').Edit} edit @param {Row} row */
async function saveEdit(list, key, edit, row) {
  saving = 'Saving …';
  draw();
  try {
    await writeEntry(list, { ...subjectOf(row), ...edit.change }, tag);
  } catch (error) {
    const { code, status } = faultOf(error);
    // The record is gone, so no later try can save it.
    if (status === 400) endEdit(list, key, edit);
    if (code !== 'list_changed') throw error;
    // Somebody else wrote to the list: with what is there now, this edit is saved or disputed.
    return look();
  }
  endEdit(list, key, edit);
  saving = 'Saved';
  const undo = () => write({ add: [entryOf(row)] }, 'Undone.', null);
  tell({ said: `${rowName(row)} is saved.`, undo });
  await look();
}

/** Deletes it for good. Afterwards, the back button must not show an offer to undo that either. */
function endDoomed() {
  if (doomed === '') return;
  // keepalive: the request goes on after the page is left.
  askJson(doomed, { method: 'DELETE', keepalive: true }).catch(faultOf);
  tell(null);
  draw();
}

/** What users can do with lists and their rows. @typedef {typeof actions} Actions */
const actions = {
  /** @param {string} name */
  onCreate: (name) =>
    change(async () => {
      const { id } = await createList(name);
      forgetOpen();
      history.pushState(null, '', urlOf({ list: id, status: '', sort: '', page: '' }));
      view = readView();
    }),
  /** @param {string} columns */
  onColumns: (columns) => go({ columns }),
  /** @param {string} name */
  onRename: (name) => change(() => send(`lists/${view.list}`, { name }, { method: 'PATCH' })),
  onDelete() {
    endDoomed();
    const { list } = view;
    const said = `“${page?.name}” is deleted.`;
    doomed = `lists/${list}`;
    [page, news] = [null, null];
    view = { ...view, list: '', status: '', sort: '', page: '' };
    const undo = () => {
      doomed = '';
      go({ list });
    };
    return change(async () => {}, { said, undo });
  },
  /** @param {{ id: string, name: string }} search */
  onForget({ id, name }) {
    endDoomed();
    doomed = `searches/${id}`;
    const undo = () => {
      doomed = '';
      change(async () => {});
    };
    return change(async () => {}, { said: `“${name}” is deleted.`, undo });
  },
  /** @param {{ id: string, name: string }} search */
  onEndFeed: ({ id, name }) =>
    change(() => send(`searches/${id}/feed-token`, {}), {
      said: `The feed of “${name}” has another address. The one before is at its end.`,
      undo: null,
    }),
  onRemove() {
    const removed = selectedRows();
    selection.rows.clear();
    const said = `${number(removed.length)} removed.`;
    return write({ remove: removed.map(subjectOf) }, said, { add: removed.map(entryOf) });
  },
  /** @param {string} status */
  onStatus(status) {
    const changed = selectedRows();
    const said = `${number(changed.length)} marked as “${statusName(status)}”.`;
    return write({ add: changed.map((row) => ({ ...subjectOf(row), status })) }, said, { add: changed.map(entryOf) });
  },
  /** @param {Row} row @param {string} note */
  onType(row, note) {
    keepEdit(view.list, row, { note });
    saveSoon();
  },
  /** @param {Row} row @param {import('./edits.js').Change} change */
  onEdit(row, change) {
    keepEdit(view.list, row, change);
    return saveEdits();
  },
  /** Of a row that somebody else has changed, too: writes what waits here all the same, or leaves what is there. @param {Row} row @param {boolean} isOurs */
  onSettle(row, isOurs) {
    const edit = editsOf(view.list)[rowKey(row)];
    if (edit === undefined) return;
    endEdit(view.list, rowKey(row), edit);
    if (isOurs) keepEdit(view.list, row, edit.change);
    return saveEdits();
  },
  /** @param {readonly { id: string }[]} records */
  onAdd(records) {
    const added = records.map((record) => ({ record })).filter((row) => !rows.has(rowKey(row)));
    // Records not on the screen may have been in the list before, so adding them cannot be undone.
    const back = page?.total_pages === 1 && page.total === page.count ? { remove: added.map(subjectOf) } : null;
    return write(
      { add: records.map(({ id }) => ({ id })) },
      `${counted(records.length, 'medium is', 'media are')} in the list now.`,
      back,
    );
  },
  onClose: panel.close,
  onDismiss() {
    tell(null);
    draw();
  },
};

/** Asks somebody who writes to an address whether the person is contacted now. @param {Row | undefined} row */
function askWhetherContacted(row) {
  if (row === undefined) return;
  const { status } = edited(row, editsOf(view.list)[rowKey(row)]);
  if (status !== 'none' && status !== 'to_contact') return;
  const undo = () => {
    tell(null);
    actions.onEdit(row, { status: 'contacted' });
  };
  tell({ said: `Did you write to ${rowName(row)}?`, undo, label: 'Mark as contacted', stays: true });
  draw();
}

/** @param {MouseEvent} event */
function onClick(event) {
  /** @type {HTMLElement | null} */
  const written =
    /** @type {HTMLElement} */ (event.target).closest('a[href^="mailto:"]')?.closest('[data-row]') ?? null;
  if (written !== null) return askWhetherContacted(rows.get(written.dataset.row ?? ''));
  const pressed = pressedLink(event);
  if (pressed === null) return;
  event.preventDefault();
  if (pressed.id !== undefined) return panel.open(pressed.id);
  go({ status: '', sort: '', page: '', ...Object.fromEntries(pressed.url.searchParams) });
}

/** Shows what was done, and for a while how to undo it. @param {Done | null} next */
function tell(next) {
  clearTimeout(leaving);
  done = next;
  if (next !== null && !next.stays) leaving = setTimeout(leave, messageMs);
}

function leave() {
  const isUsed = place.querySelector('.done:is(:hover, :focus-within)') !== null;
  tell(isUsed ? done : null);
  draw();
}

function draw() {
  const list = readState(new URLSearchParams({ list: view.list }));
  // The API exports only whole lists. If a status is chosen, the rows on this page are sent instead.
  const edits = editsOf(view.list);
  const whole = isWhole ? [...rows.values()].map((row) => edited(row, edits[rowKey(row)])) : null;
  const ofStatus = whole?.filter(({ status }) => status === view.status) ?? page?.results ?? [];
  const isAll = whole !== null && selection.rows.size === whole.length;
  const sent = view.status !== '' && selection.rows.size === 0 ? ofStatus : isAll ? [] : selectedRows();
  const keysSent = new Set(sent.map(rowKey));
  const unsent = [...rows.values()].filter((row) => !keysSent.has(rowKey(row)));
  const ofPeople = [...rows.values()].some((row) => subjectOf(row).contact_id !== null);
  const sending = viewSending(data, list, sent, { ofPeople, unsent, fileName: page?.name ?? '' });
  const props = {
    heads,
    searches,
    page,
    view,
    fault,
    done,
    news,
    isBusy,
    saving,
    edits,
    whole,
    hasKey: readKey() !== null,
    account: readAccount(),
    opened: panel.record,
  };
  show(
    () => html`<div onClick=${onClick}>
      <${Lists} ...${props} ...${sending} ...${actions} selection=${selection} rows=${selectedRows()} urlOf=${urlOf} />
    </div>`,
    place,
  );
}

async function start() {
  await look();
  await lookForNews();
  await saveEdits();
  await readRest();
}

addEventListener('online', saveEdits);
addEventListener('popstate', follow);
addEventListener('pagehide', endDoomed);

// Removes what the server shows without JavaScript.
place.replaceChildren();
draw();
watchAccount(start).then(draw);
start();
