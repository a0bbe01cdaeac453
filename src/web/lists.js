import { startAccount } from './account.js';
import { askJson, faultOf } from './api.js';
import { html } from './dom.js';
import { viewExport } from './export.js';
import { currentList, pageQueryOf, partsOf, queryOf, readLists, saveLists, withList, withOpen } from './kept-lists.js';
import { readKey } from './key.js';
import { locale } from './locale.js';
import { data, placeOf, show } from './page.js';
import { previewPush, sendPush } from './push.js';
import { markSeen, newsQuery, readSearches, removeSearch } from './saved-searches.js';
import { readState } from './search-state.js';
import { Lists } from './views/lists.js';
import { Push } from './views/push.js';
import { SavedSearches } from './views/saved-searches.js';

const place = placeOf('#page');
/** How many records of each saved search are new. @type {Map<string, number>} */
const news = new Map();
let keeping = readLists(locale.text.lists.first);
/** What was removed last, for screen readers. */
let said = '';
/** Whether the browser refused to store the last change: it is on this page only. */
let isRefused = false;

/** @param {typeof keeping} next */
function keep(next) {
  keeping = next;
  isRefused = !saveLists(keeping);
  draw();
}

const actions = {
  onOpen: (/** @type {string} */ name) => keep(withOpen(keeping, name)),
  onDelete() {
    const { [keeping.current]: _, ...lists } = keeping.lists;
    const [current = locale.text.lists.first] = Object.keys(lists);
    keep(withOpen({ current, lists }, current));
  },
  onRemove(/** @type {import('./kept-lists.js').Kept} */ { id, name }) {
    said = locale.text.lists.removed(name);
    keep(
      withList(
        keeping,
        currentList(keeping).filter((kept) => kept.id !== id),
      ),
    );
  },
  onNote(/** @type {string} */ id, /** @type {string} */ note) {
    keep(
      withList(
        keeping,
        currentList(keeping).map((kept) => (kept.id === id ? { ...kept, note } : kept)),
      ),
    );
  },
};

const searchActions = {
  onSeen: (/** @type {string} */ name) => markSeen(name, new Date()),
  onRemove(/** @type {string} */ name) {
    isRefused = !removeSearch(name);
    if (!isRefused) said = locale.text.lists.removed(name);
    draw();
  },
};

/** Counts what is new, one search after the other, and stops where the service refuses. */
async function lookForNews() {
  try {
    for (const search of readSearches()) {
      news.set(search.name, (await askJson(`search?${newsQuery(search)}`)).total);
      draw();
    }
  } catch (error) {
    // The searches can be opened all the same.
    faultOf(error);
  }
}

/** Another choice of records is another push. @param {URLSearchParams} query */
function viewPush(query) {
  return html`<${Push}
    key=${String(query)}
    tools=${data.tools}
    look=${() => previewPush(query)}
    send=${(/** @type {any} */ order, /** @type {string} */ once) => sendPush(query, order, once)}
  />`;
}

function draw() {
  const kept = currentList(keeping);
  const query = queryOf(kept);
  const exporting = kept.length === 0 ? null : viewExport(readState(query), data.formats, draw);
  const pushing = kept.length === 0 || readKey() === null ? null : viewPush(query);
  const links = partsOf(kept).map((part) => ({
    count: part.length,
    compareUrl: `./?${pageQueryOf(part)}`,
    shareUrl: String(new URL(`./?${queryOf(part)}`, location.href)),
  }));
  const saved = html`<${SavedSearches} searches=${readSearches()} news=${news} ...${searchActions} />`;
  show(
    () =>
      html`<${Lists} keeping=${keeping} links=${links} exporting=${exporting} pushing=${pushing} said=${said} isRefused=${isRefused} hasKey=${readKey() !== null} ...${actions} />${saved}`,
    place,
  );
}

function readAgain() {
  keeping = readLists(locale.text.lists.first);
  draw();
}

addEventListener('storage', readAgain);
// A page that the back button brings up again has missed what other pages kept.
addEventListener('pageshow', ({ persisted }) => persisted && readAgain());

// What the server says to those without JavaScript.
place.replaceChildren();
draw();
startAccount(draw).then(draw);
lookForNews();
