import { readAccount, watchAccount } from './account.js';
import { createList, readLists, writeRecords } from './account-lists.js';
import { askJson, askTagged, faultOf, send } from './api.js';
import { html } from './dom.js';
import { createMessage } from './done.js';
import { edited, editsOf, endEdit, keepEdit } from './edits.js';
import { viewSending } from './export.js';
import { readKey } from './key.js';
import { findNews } from './list-news.js';
import { readView, urlOfView } from './list-view.js';
import { data, placeOf, show } from './page.js';
import { createPanel, createSelection, pressedLink } from './rows.js';
import { createSaver } from './save-edits.js';
import { readState } from './search-state.js';
import { statusName } from './views/list-columns.js';
import { Lists } from './views/lists.js';
import { rowKey, rowName, subjectOf } from './views/record-parts.js';
import { counted, write as number } from './words.js';

/**
 * @typedef {import('./list-view.js').ListView} ListView @typedef {import('./list-news.js').News} News
 * @typedef {import('./account-lists.js').ListHead & { left: number, results: import('./account-lists.js').Row[],
 *   total: number, page: number, per_page: number, total_pages: number, masked: boolean }} ListPage
 * @typedef {import('./account-lists.js').Row} Row @typedef {import('./done.js').Done} Done @typedef {import('./account-lists.js').Change} Change
 */

const perPage = 100;
/** Lists of at most this many entries are read whole, to count and to select what is in them. */
const maxWhole = 1_000;

const place = placeOf('#page');
/** The account's lists; null until they are known. @type {import('./account-lists.js').ListHead[] | null} */
let heads = null;
/** @type {ListPage | null} */
let page = null;
let view = readView();
/** @type {import('./views/fault.js').Fault | null} */
let fault = null;
/** @type {News | null} */
let news = null;
/** The account's saved searches. @type {readonly import('./views/saved-searches.js').SavedSearch[]} */
let searches = [];
/** The path of the list or search that is deleted when the page is left. Until then, this can be undone. */
let doomed = '';
let isBusy = false;
/** The version of the open list, which a write of an edit must meet. @type {string | null} */
let tag = null;
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
const message = createMessage(place, draw);
const { tell } = message;
const saver = createSaver({
  list: () => view.list,
  tag: () => tag,
  rows,
  read: look,
  onSaved(row) {
    const undo = () => write({ add: [entryOf(row)] }, 'Undone.', null);
    tell({ said: `${rowName(row)} is saved.`, undo });
  },
  onFault(found) {
    fault = found;
  },
  draw,
});

/** @param {Partial<ListView>} change @param {string} [record] what is open beside it */
const urlOf = (change, record) => urlOfView({ ...view, ...change }, record);

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
  const query = new URLSearchParams([['per_page', String(perPage)], ['dates', '1'], ...given]);
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
    const next = await askJson(`lists/${encodeURIComponent(list)}?dates=1&per_page=${perPage}&page=${at}`).catch(
      faultOf,
    );
    if (view.list !== list || next.results === undefined) return;
    for (const row of next.results) rows.set(rowKey(row), row);
    last = next.total_pages;
  }
  isWhole = true;
  draw();
}

async function lookForNews() {
  news = null;
  if (page === null) return;
  const { id } = page;
  const found = await findNews(page, heads?.find((head) => head.id === id)?.count);
  if (view.list === id) news = found;
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
const entryOf = (row) => ({
  ...subjectOf(row),
  note: row.note,
  status: row.status,
  contacted_at: row.contacted_at ?? null,
});

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
  /** @param {string} sort */
  onSort: (sort) => go({ sort, page: '' }),
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
  /** @param {Row} row @param {import('./edits.js').Change} change */
  onType(row, change) {
    keepEdit(view.list, row, change);
    saver.saveSoon();
  },
  /** @param {Row} row @param {import('./edits.js').Change} change */
  onEdit(row, change) {
    const { note, status } = edited(row, editsOf(view.list)[rowKey(row)]);
    // Leaving a field changes nothing after the last letter.
    const isNew = (change.note ?? note ?? '') !== (note ?? '') || (change.status ?? status) !== status;
    if (isNew) keepEdit(view.list, row, change);
    return saver.save();
  },
  /** Of a row that somebody else has changed, too: writes what waits here all the same, or leaves what is there. @param {Row} row @param {boolean} isOurs */
  onSettle(row, isOurs) {
    const edit = editsOf(view.list)[rowKey(row)];
    if (edit === undefined) return;
    endEdit(view.list, rowKey(row), edit);
    if (isOurs) keepEdit(view.list, row, edit.change);
    return saver.save();
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
  const sending = viewSending(data, list, sent, { ofPeople, unsent });
  const props = {
    heads,
    searches,
    page,
    view,
    fault,
    done: message.done,
    news,
    isBusy,
    saving: saver.state,
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
  await saver.save();
  await readRest();
}

addEventListener('online', saver.save);
addEventListener('popstate', follow);
addEventListener('pagehide', endDoomed);

// Removes what the server shows without JavaScript.
place.replaceChildren();
draw();
watchAccount(start).then(draw);
start();
