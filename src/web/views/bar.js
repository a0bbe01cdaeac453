import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { html } from '../dom.js';
import { locale } from '../locale.js';
import { explain } from './fault.js';
import { closePopup, Popup, useRoot } from './parts.js';

/** @type {import('preact').Context<Pick<import('../selection.js').Selection, 'has' | 'toggle'> | null>} */
const Selecting = createContext(/** @type {any} */ (null));

/** Gives the views within it what is selected. */
export const InSelecting = Selecting.Provider;

/** Selects a record. Before the module of the page is there, nothing can be. @param {{ record: any }} props */
export function SelectBox({ record }) {
  const selection = useContext(Selecting);
  return html`<label class="select needs-script">
    <input
      type="checkbox"
      autocomplete="off"
      checked=${selection?.has(record.id) ?? false}
      onChange=${() => selection?.toggle(record)}
    />
    <span class="unseen">${locale.text.bar.select(record.name)}</span>
  </label>`;
}

/** Selects all rows of the page, and says how many are selected. @param {{ records: readonly any[], selection: import('../selection.js').Selection | null }} props */
export function SelectAll({ records, selection }) {
  const { bar } = locale.text;
  const count = selection?.records.size ?? 0;
  return html`<label class="select needs-script">
      <input
        type="checkbox"
        autocomplete="off"
        checked=${count > 0 && records.every(({ id }) => selection?.has(id))}
        onChange=${() => selection?.toggleAll(records)}
      />
      <span class="unseen">${bar.selectAll}</span>
    </label>
    ${
      count === 0
        ? null
        : html`<span class="selected">
            <span role="status">${bar.selected(count)}</span>
            <button type="button" class="quiet" onClick=${selection?.clear}>${bar.clear}</button>
          </span>`
    }`;
}

/** As many of the results as one press keeps. */
const maxKept = 1_000;

/** Asks the API, which the server that renders this view has no need of. */
const askLists = () => import('../account-lists.js');

/** What belongs to an account is for those with a key. @param {{ text: string }} props */
export function NeedsKey({ text }) {
  const { bar } = locale.text;
  return html`<p>${text} ${bar.needsKey} <a href="${useRoot()}plans">${bar.seePlans}</a></p>`;
}

/**
 * Keeps records in a list of the account: those that are selected, or else all that a search finds.
 * @param {{ hasKey: boolean, ids: readonly string[], query: URLSearchParams | null, total: number, id?: string }} props
 */
export function Keep({ hasKey, ids, query, total, id = 'keep' }) {
  const { text, count: write } = locale;
  const { bar } = text;
  const root = useRoot();
  const [lists, setLists] = useState(/** @type {import('../account-lists.js').ListHead[] | null} */ (null));
  const [said, say] = useState(/** @type {any} */ (null));
  const count = ids.length > 0 ? ids.length : Math.min(total, maxKept);
  const attempt = async (/** @type {(api: Awaited<ReturnType<typeof askLists>>) => Promise<void>} */ act) => {
    const api = await askLists();
    try {
      await act(api);
    } catch (error) {
      const { title, advice } = explain(api.faultOf(error));
      say(html`<span class="wrong">${title}. ${advice}</span>`);
    }
  };
  const load = () =>
    attempt(async ({ readLists }) => {
      say(null);
      if (hasKey) setLists(await readLists());
    });
  /** Into a list, or a new one of this name. @param {import('../account-lists.js').ListHead | string} into */
  const keep = (into) =>
    attempt(async ({ createList, findIds, readLists, writeRecords }) => {
      say(bar.keeping(count));
      const all = ids.length > 0 ? ids : await findIds(query ?? new URLSearchParams());
      const list = typeof into === 'string' ? await createList(into) : into;
      await writeRecords(list.id, { add: all.map((each) => ({ id: each })) });
      setLists(await readLists());
      say(html`${bar.kept(all.length)} <a href="${root}lists?list=${list.id}">${list.name}</a>`);
    });
  const create = (/** @type {any} */ event) => {
    event.preventDefault();
    const name = String(new FormData(event.target).get('name')).trim();
    if (name !== '') keep(name);
    event.target.reset();
  };
  return html`<${Popup} id=${id} shown=${bar.keep} class="needs-script" onOpen=${load}>
    ${
      hasKey
        ? html`<p><strong>${bar.keepIn(count)}</strong>${ids.length === 0 && total > maxKept ? ` ${bar.keepFirst}` : null}</p>
            <ul role="list" class="options">
              ${lists?.map(
                (list) => html`<li key=${list.id}>
                  <button type="button" class="option" onClick=${() => keep(list)}>
                    <bdi>${list.name}</bdi> <small>${write(list.count)}</small>
                  </button>
                </li>`,
              )}
            </ul>
            <form class="joined" method="dialog" onSubmit=${create}>
              <input name="name" maxlength="80" required autocomplete="off" aria-label=${bar.newList} placeholder=${bar.newList} />
              <button>${bar.create}</button>
            </form>`
        : html`<${NeedsKey} text=${bar.listsNeed} />`
    }
    <p role="status">${said}</p>
  </${Popup}>`;
}

/** Every key of the keyboard that the page knows. */
export function KeysHelp() {
  const { bar } = locale.text;
  return html`<${Popup} id="keys" shown="?" label=${bar.keys} class="needs-script quiet keys-button">
    <h2>${bar.keys}</h2>
    <dl class="keys">
      ${bar.keysHelp.map(([key, what]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}
    </dl>
    <button type="button" onClick=${closePopup}>${bar.close}</button>
  </${Popup}>`;
}
