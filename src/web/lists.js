import { startAccount } from './account.js';
import { viewExport } from './export.js';
import { html } from './html.js';
import { currentList, queryOf, readLists, saveLists, withList } from './kept-lists.js';
import { data, locale, placeOf, show } from './page.js';
import { readState } from './search-state.js';
import { Lists } from './views/lists.js';

const place = placeOf('#page');
let keeping = readLists(locale.text.lists.first);

/** @param {typeof keeping} next */
function keep(next) {
  keeping = next;
  saveLists(keeping);
  draw();
}

const actions = {
  onOpen: (/** @type {string} */ name) => keep({ ...keeping, current: name }),
  onCreate(/** @type {string} */ name) {
    keep({ current: name, lists: { ...keeping.lists, [name]: keeping.lists[name] ?? [] } });
  },
  onDelete() {
    const { [keeping.current]: _, ...lists } = keeping.lists;
    const [current = locale.text.lists.first] = Object.keys(lists);
    keep({ current, lists: { ...lists, [current]: lists[current] ?? [] } });
  },
  onRemove(/** @type {string} */ id) {
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

function draw() {
  const kept = currentList(keeping);
  const query = queryOf(kept);
  const exporting = kept.length === 0 ? null : viewExport(readState(query), data.formats, draw);
  const shareUrl = String(new URL(`./?${query}`, location.href));
  show(
    () =>
      html`<${Lists} keeping=${keeping} query=${query} shareUrl=${shareUrl} exporting=${exporting} ...${actions} />`,
    place,
  );
}

addEventListener('storage', () => {
  keeping = readLists(locale.text.lists.first);
  draw();
});

// What the server says to those without JavaScript.
place.replaceChildren();
draw();
startAccount(draw).then(draw);
