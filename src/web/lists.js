import { readAccount, startAccount } from './account.js';
import { createList, deleteList, readLists, renameList, writeRecords } from './account-lists.js';
import { askJson, faultOf } from './api.js';
import { html, store } from './dom.js';
import { countKinds, stateOf, viewExport } from './export.js';
import { readKey } from './key.js';
import { startKeys } from './keys.js';
import { locale } from './locale.js';
import { data, placeOf, show } from './page.js';
import { viewPush } from './push.js';
import { newsQuery, readSearches, removeSearch, saveSearch } from './saved-searches.js';
import { readState, toQuery } from './search-state.js';
import { createSelection } from './selection.js';
import { Lists } from './views/lists.js';
import { SavedSearches } from './views/saved-searches.js';

/**
 * What the URL says: the open list, what of it is shown, and the record beside it.
 * @typedef {{ list: string, status: string, sort: string, page: string, record: string }} ListView
 * A page of a list, as the API has it.
 * @typedef {import('./account-lists.js').ListHead & { left: number, results: import('./account-lists.js').Row[], total: number, page: number, per_page: number, total_pages: number, masked: boolean }} ListPage
 * What has become of a list since it was looked at: how many records have an address that is invalid by now, became another
 * record, or are gone.
 * @typedef {{ since: string, invalid: number, merged: number, left: number }} News
 * What was done last, and what undoes it.
 * @typedef {{ said: string, undo: (() => void) | null }} Done
 */

const perPage = 100;
/** Where this browser notes when somebody looked at each list. */
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
/** A list that is deleted when the page is left: until then that can be undone. */
let doomed = '';
let isBusy = false;
/** Counts the looks: what an earlier one is answered comes too late. */
let looks = 0;
/** @type {readonly { value: string, count?: number }[]} */
let kinds = [];
/** How many records of each saved search are new. @type {Map<string, number>} */
const searchNews = new Map();
const selection = createSelection(() => draw());
/** What is known of the selected records, whatever page they are on. @type {Map<string, import('./account-lists.js').Row>} */
const rows = new Map();

/** @returns {ListView} */
function readView() {
  const given = new URLSearchParams(location.search);
  const read = (/** @type {string} */ name) => given.get(name) ?? '';
  return { list: read('list'), status: read('status'), sort: read('sort'), page: read('page'), record: read('record') };
}

/** @param {Partial<ListView>} change */
function urlOf(change) {
  const given = Object.entries({ ...view, record: '', ...change }).filter(([, value]) => value !== '');
  return given.length === 0 ? './lists' : `./lists?${new URLSearchParams(given)}`;
}

/** Reads the lists, and the page of the one that is open: that of the URL, or else the one that was looked at last. */
async function look() {
  looks += 1;
  const mine = looks;
  if (readKey() === null) {
    [heads, page] = [null, null];
    return draw();
  }
  isBusy = true;
  draw();
  try {
    const seen = readLooks();
    const [latest = ''] = Object.keys(seen).sort((a, b) => (seen[b] ?? '').localeCompare(seen[a] ?? ''));
    const [known, found] = await Promise.all([readLists(), readPage(view.list || latest)]);
    const others = known.filter(({ id }) => id !== doomed);
    const shown = found ?? (await readPage(others[0]?.id ?? ''));
    if (mine !== looks) return;
    [heads, page] = [others, shown];
    if (page !== null && view.list !== page.id) {
      view = { ...view, list: page.id };
      history.replaceState(null, '', urlOf({ record: view.record }));
    }
    for (const row of page?.results ?? []) rows.set(row.record.id, row);
    fault = null;
  } catch (error) {
    fault = faultOf(error);
  }
  isBusy = false;
  draw();
}

/** Null where there is no such list. @param {string} id @returns {Promise<ListPage | null>} */
async function readPage(id) {
  if (id === '' || id === doomed) return null;
  const given = Object.entries({ status: view.status, sort: view.sort, page: view.page });
  const query = new URLSearchParams([['per_page', String(perPage)], ...given.filter(([, value]) => value !== '')]);
  try {
    return await askJson(`lists/${encodeURIComponent(id)}?${query}`);
  } catch (error) {
    const found = faultOf(error);
    if (found.status === 404) return null;
    throw error;
  }
}

/** @returns {Record<string, string>} */
function readLooks() {
  try {
    return JSON.parse(localStorage.getItem(looksName) ?? '{}');
  } catch {
    return {};
  }
}

/** Says what has become of the list since the last look, and notes this one. */
async function lookForNews() {
  news = null;
  if (page === null) return draw();
  const { id, count, left } = page;
  const { [id]: since, ...others } = readLooks();
  store(looksName, { ...others, [id]: new Date().toISOString() });
  if (since === undefined) return draw();
  try {
    const changed = new URLSearchParams({ list: id, email_status: 'invalid', updated_since: since });
    const { total } = await askJson(`search?${changed}&fields=id&per_page=1`);
    const merged = Math.max((heads?.find((head) => head.id === id)?.count ?? count) - count - left, 0);
    news = { since, invalid: total, merged, left };
  } catch (error) {
    faultOf(error);
  }
  draw();
}

/** Another list is another selection. @param {Partial<ListView>} change */
async function go(change) {
  const isOther = change.list !== undefined && change.list !== view.list;
  history.pushState(null, '', urlOf(change));
  await follow(isOther);
}

/** Shows what the URL says. @param {boolean} isOther whether that is another list */
async function follow(isOther) {
  const before = urlOf({});
  view = readView();
  if (isOther) {
    done = null;
    rows.clear();
    selection.records.clear();
  }
  if (urlOf({}) === before) return draw();
  await look();
  if (isOther) await lookForNews();
}

/** Does something to the account's lists, says so, and reads them again. @param {() => Promise<unknown>} act @param {Done | null} then */
async function change(act, then) {
  try {
    isBusy = true;
    draw();
    await act();
    done = then;
    await look();
  } catch (error) {
    fault = faultOf(error);
    isBusy = false;
    draw();
  }
}

/**
 * Writes to the open list. `back`: what undoes it.
 * @param {import('./account-lists.js').Change} what
 * @param {string} said
 * @param {import('./account-lists.js').Change | null} back
 */
function write(what, said, back) {
  const { list } = view;
  const undo = back && (() => write(back, locale.text.lists.undone, null));
  return change(() => writeRecords(list, what), { said, undo });
}

/** The rows that are selected. */
function selectedRows() {
  return [...selection.records.keys()].flatMap((id) => rows.get(id) ?? []);
}

/** An entry as it was. @param {import('./account-lists.js').Row} row */
const entryOf = ({ record, note, status }) => ({ id: record.id, note, status });

const actions = {
  /** @param {string} name */
  onCreate: (name) =>
    change(async () => {
      const { id } = await createList(name);
      selection.records.clear();
      news = null;
      view = { list: id, status: '', sort: '', page: '', record: '' };
      history.pushState(null, '', urlOf({}));
    }, null),
  /** @param {string} name */
  onRename: (name) => change(() => renameList(view.list, name), null),
  onDelete() {
    endDoomed();
    const { list } = view;
    doomed = list;
    const undo = () => {
      doomed = '';
      go({ list });
    };
    const said = locale.text.lists.deleted(page?.name ?? '');
    [page, news] = [null, null];
    view = { list: '', status: '', sort: '', page: '', record: '' };
    return change(async () => {}, { said, undo });
  },
  onRemove() {
    const removed = selectedRows();
    selection.records.clear();
    const back = { add: removed.map(entryOf) };
    return write({ remove: removed.map(({ record }) => record.id) }, locale.text.lists.removed(removed.length), back);
  },
  /** @param {string} status */
  onStatus(status) {
    const changed = selectedRows();
    const said = locale.text.lists.marked(changed.length, locale.text.lists.statuses[status] ?? status);
    return write({ add: changed.map(({ record }) => ({ id: record.id, status })) }, said, {
      add: changed.map(entryOf),
    });
  },
  /** @param {import('./account-lists.js').Row} row @param {{ note?: string, status?: string }} what */
  onEdit: (row, what) =>
    write({ add: [{ id: row.record.id, ...what }] }, locale.text.lists.saved(row.record.name), { add: [entryOf(row)] }),
  /** @param {readonly { id: string }[]} records */
  onAdd(records) {
    const ids = records.map(({ id }) => id).filter((id) => !rows.has(id));
    // What is not on the screen may have been in the list before: that is not undone.
    const back = page?.total_pages === 1 && page.total === page.count ? { remove: ids } : null;
    return write({ add: records.map(({ id }) => ({ id })) }, locale.text.bar.kept(records.length), back);
  },
  onClose: close,
  async onSend() {
    ({ kinds = [] } = await askJson(`facets?list=${view.list}`).catch(faultOf));
    draw();
  },
};

/** @param {string} record */
function goTo(record) {
  const isNext = view.record !== '';
  view = { ...view, record };
  if (isNext) history.replaceState(null, '', urlOf({ record }));
  else history.pushState({ isAfterList: true }, '', urlOf({ record }));
  draw();
}

function close() {
  const { record } = view;
  if (record === '') return;
  view = { ...view, record: '' };
  if (history.state?.isAfterList) history.back();
  else history.replaceState(null, '', urlOf({}));
  draw();
  /** @type {HTMLElement | null} */ (place.querySelector(`a.opens[data-id="${CSS.escape(record)}"]`))?.focus();
}

/** Nobody can undo it any more, not even where the back button brings the page up again. */
function endDoomed() {
  if (doomed === '') return;
  deleteList(doomed).catch(faultOf);
  done = null;
  draw();
}

const searchActions = {
  onSeen: (/** @type {import('./saved-searches.js').SavedSearch} */ search) =>
    saveSearch({ ...search, seenAt: new Date().toISOString() }),
  onRemove(/** @type {import('./saved-searches.js').SavedSearch} */ search) {
    const undo = () => {
      saveSearch(search);
      done = null;
      draw();
    };
    removeSearch(search.name);
    done = { said: locale.text.lists.deleted(search.name), undo };
    draw();
  },
};

/** Counts what is new, one search after the other, and stops where the service refuses. */
async function lookForSearchNews() {
  try {
    for (const search of readSearches()) {
      searchNews.set(search.name, (await askJson(`search?${newsQuery(search)}`)).total);
      draw();
    }
  } catch (error) {
    // The searches can be opened all the same.
    faultOf(error);
  }
}

/** What the popups of exports and pushes show: of what is selected, or else of the whole list, with its notes. */
function viewSending() {
  if (page === null) return {};
  const selected = selectedRows().map(({ record }) => record);
  const isSelected = selected.length > 0;
  const sent = isSelected ? stateOf(selected) : readState(new URLSearchParams());
  sent.filters.set('list', [page.id]);
  const found = {
    kinds: isSelected ? countKinds(selected) : kinds,
    isWhole: data.wholePlans.includes(readAccount()?.plan),
    isSelected,
  };
  return {
    exporting: viewExport(sent, data.formats, draw, found),
    pushing: viewPush(toQuery(sent), data.tools),
  };
}

/** @param {MouseEvent} event */
function onClick(event) {
  const link = /** @type {HTMLElement} */ (event.target).closest('a');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  const { id } = link.dataset;
  const url = new URL(link.href);
  if (id === undefined && (url.origin !== location.origin || url.pathname !== location.pathname)) return;
  event.preventDefault();
  if (id !== undefined) return goTo(id);
  go({ status: '', sort: '', page: '', ...Object.fromEntries(url.searchParams) });
}

function draw() {
  const props = { heads, page, view, fault, done, news, isBusy, hasKey: readKey() !== null };
  const saved = html`<${SavedSearches} searches=${readSearches()} news=${searchNews} ...${searchActions} />`;
  const opened = rows.get(view.record)?.record ?? null;
  show(
    () => html`<div onClick=${onClick}>
      <${Lists} ...${props} ...${viewSending()} ...${actions} selection=${selection} rows=${selectedRows()} opened=${opened} urlOf=${urlOf} saved=${saved} />
    </div>`,
    place,
  );
}

async function start() {
  await look();
  await lookForNews();
}

addEventListener('popstate', () => follow(new URLSearchParams(location.search).get('list') !== view.list));
addEventListener('pagehide', endDoomed);
startKeys(place, close);

// What the server says to those without JavaScript.
place.replaceChildren();
draw();
startAccount(start);
start();
lookForSearchNews();
