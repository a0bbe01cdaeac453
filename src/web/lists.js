import { readAccount, watchAccount } from './account.js';
import { createList, followLists, readLists, writeRecords } from './account-lists.js';
import { askJson, faultOf, send } from './api.js';
import { html } from './dom.js';
import { createMessage, doom, endDoomed, isDoomed, undoDoom } from './done.js';
import { createRowEdits, createRowWrites } from './edit-rows.js';
import { edited, editsOf } from './edits.js';
import { readKey } from './key.js';
import { findNews, openList, readView, urlOfView } from './open-list.js';
import { data, placeOf, show } from './page.js';
import { createPanel, createSelection, pressedLink } from './rows.js';
import { viewSendingOfList } from './send-list.js';
import { Lists } from './views/lists.js';
import { rowKey } from './views/record-parts.js';

/**
 * @typedef {import('./open-list.js').ListView} ListView @typedef {import('./open-list.js').News} News
 * @typedef {import('./account-lists.js').Row} Row @typedef {import('./done.js').Done} Done @typedef {import('./account-lists.js').Change} Change
 */

const place = placeOf('#page');
/** The account's lists; null until they are known. @type {import('./account-lists.js').ListHead[] | null} */
let heads = null;
let view = readView();
/** @type {import('./views/fault.js').Fault | null} */
let fault = null;
/** @type {News | null} */
let news = null;
/** The account's saved searches. @type {readonly import('./views/saved-searches.js').SavedSearch[]} */
let searches = [];
let isBusy = false;
/** Counts requests, so that the answer to an earlier one can be ignored. */
let looks = 0;
const { rows } = openList;
const selection = createSelection(draw);
const panel = createPanel(place, {
  urlOf: (record) => urlOf({}, record),
  read: (id) => [...rows.values()].find(({ record }) => record.id === id)?.record ?? null,
  draw,
});
const message = createMessage(place, draw);
const { tell } = message;
const rowEdits = createRowEdits({
  list: () => view.list,
  read: look,
  tell,
  writeBack: (entry) => write({ add: [entry] }, 'Undone.', null),
  onFault(ofSaving) {
    fault = ofSaving;
  },
  draw,
});
const { saver } = rowEdits;
const accountLists = followLists(draw);
const rowWrites = createRowWrites(selection, write);

/** @param {Partial<ListView>} change @param {string} [record] what is open beside it */
const urlOf = (change, record) => urlOfView({ ...view, ...change }, record);

/** Reads the lists, and a page of the open one: the one in the URL, or otherwise the one that was changed last. */
async function look() {
  looks += 1;
  const mine = looks;
  if (readKey() === null) {
    [heads, searches] = [null, []];
    openList.show(null);
    return draw();
  }
  isBusy = true;
  draw();
  try {
    const [allHeads, openPage, saved] = await Promise.all([readLists(), readPage(view.list), readSearches()]);
    const lasting = allHeads.filter(({ id }) => !isDoomed(`lists/${id}`));
    const [latest] = lasting.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at));
    const page = openPage ?? (await readPage(latest?.id ?? ''));
    if (mine !== looks) return;
    [heads, fault] = [lasting, null];
    searches = saved.filter(({ id }) => !isDoomed(`searches/${id}`));
    openList.show(page);
    if (page !== null && view.list !== page.id) {
      if (view.list !== '')
        tell({ said: 'That list is no longer there. This is the one that changed last.', act: null });
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

/** @param {string} id */
const readPage = async (id) => (isDoomed(`lists/${id}`) ? null : openList.readPage(id, view));

async function readRest() {
  await openList.readRest(() => view);
  draw();
}

async function lookForNews() {
  news = null;
  const { page } = openList;
  if (page === null) return;
  const ofPage = await findNews(page, heads?.find(({ id }) => id === page.id)?.count);
  if (view.list === page.id) news = ofPage;
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
  openList.forget();
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
    if (fault.code === 'list_changed') {
      tell({ said: 'Somebody changed the list meanwhile. This is how it is now: please do it again.', act: null });
      await look();
    }
    draw();
  }
}

/** Writes to the open list. @param {Change} changes @param {string} message @param {Change | null} back what undoes it */
async function write(changes, message, back) {
  const { list } = view;
  // What somebody else wrote meanwhile, such as that a person declined, is not replaced unseen.
  const replaces = changes.add?.some(({ status }) => status !== undefined);
  const act = async () => {
    await writeRecords(list, changes, replaces ? openList.tag : null);
    for (const subject of changes.remove ?? []) rows.delete(JSON.stringify(subject));
  };
  await change(act, { said: message, act: back && (() => write(back, 'Undone.', null)) });
  await readRest();
}

/** Deletes what is at a path of the API, unless that is undone first. @param {string} path @param {string} name @param {() => void} bringBack */
function deleteSoon(path, name, bringBack) {
  doom(path);
  const undo = () => {
    undoDoom();
    bringBack();
  };
  return change(async () => {}, { said: `“${name}” is deleted.`, act: undo });
}

/** Afterwards, the back button must not show an offer to undo the deletion. */
function leave() {
  if (!endDoomed()) return;
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
    const { list } = view;
    const name = openList.page?.name ?? '';
    openList.page = null;
    news = null;
    view = { ...view, list: '', status: '', sort: '', page: '' };
    return deleteSoon(`lists/${list}`, name, () => go({ list }));
  },
  /** @param {{ id: string, name: string }} search */
  onForget: ({ id, name }) => deleteSoon(`searches/${id}`, name, () => change(async () => {})),
  /** @param {{ id: string, name: string }} search */
  onEndFeed: ({ id, name }) =>
    change(() => send(`searches/${id}/feed-token`, {}), {
      said: `The feed of “${name}” has another address. The one before is at its end.`,
      act: null,
    }),
  ...rowEdits.actions,
  ...rowWrites.actions,
  onClose: panel.close,
  onDismiss() {
    tell(null);
    draw();
  },
};

/** @param {MouseEvent} event */
function onClick(event) {
  /** @type {HTMLElement | null} */
  const mailedRow =
    /** @type {HTMLElement} */ (event.target).closest('a[href^="mailto:"]')?.closest('[data-row]') ?? null;
  if (mailedRow !== null) return rowEdits.askWhetherContacted(rows.get(mailedRow.dataset.row ?? ''));
  const pressed = pressedLink(event);
  if (pressed === null) return;
  event.preventDefault();
  if (pressed.id !== undefined) return panel.open(pressed.id);
  go({ status: '', sort: '', page: '', ...Object.fromEntries(pressed.url.searchParams) });
}

function draw() {
  const { page, isWhole } = openList;
  const edits = editsOf(view.list);
  const wholeList = isWhole ? [...rows.values()].map((row) => edited(row, edits[rowKey(row)])) : null;
  const selected = rowWrites.selected();
  const { listed, unmarked } = accountLists.outside(view.list);
  const sending = viewSendingOfList(data, view, { selection, selected, whole: wholeList, listed });
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
    whole: wholeList,
    hasKey: readKey() !== null,
    account: readAccount(),
    opened: panel.record,
    listed,
    unmarked,
  };
  show(
    () => html`<div onClick=${onClick}>
      <${Lists} ...${props} ...${sending} ...${actions} selection=${selection} rows=${selected} urlOf=${urlOf} />
    </div>`,
    place,
  );
}

async function start() {
  accountLists.look();
  await look();
  await lookForNews();
  await saver.save();
  await readRest();
}

addEventListener('online', saver.save);
addEventListener('popstate', follow);
addEventListener('pagehide', leave);

// Removes what the server shows without JavaScript.
place.replaceChildren();
draw();
watchAccount(start).then(draw);
start();
