import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { html } from '../dom.js';
import { counted, write } from '../words.js';
import { FaultLine } from './fault.js';
import { NameForm, NeedsPlan, Popup, useEnded, useRoot } from './parts.js';
import { rowName } from './record-parts.js';

/** @type {import('preact').Context<Pick<import('../rows.js').Selection, 'has' | 'toggle'> | null>} */
export const Selecting = createContext(/** @type {any} */ (null));

export const InSelecting = Selecting.Provider;

/** Selects a row. Before the module of the page is there, nothing can be. @param {{ row: import('./record-parts.js').Row }} props */
export function SelectBox({ row }) {
  const selection = useContext(Selecting);
  return html`<${TickBox} label="Select ${rowName(row)}" isTicked=${selection?.has(row)} onTick=${() => selection?.toggle(row)} />`;
}

/** @param {{ label: string, isTicked?: boolean, onTick: () => void }} props */
function TickBox({ label, isTicked = false, onTick }) {
  return html`<label class="select needs-script">
    <input type="checkbox" autocomplete="off" checked=${isTicked} onChange=${onTick} />
    <span class="unseen">${label}</span>
  </label>`;
}

/** Selects all rows of the page, then all of `whole`, and says how many are selected. @param {{ rows: readonly import('./record-parts.js').Row[], whole?: readonly import('./record-parts.js').Row[], selection: import('../rows.js').Selection | null }} props */
export function SelectAll({ rows, whole = rows, selection }) {
  const count = selection?.rows.size ?? 0;
  const isAll = count > 0 && rows.every((row) => selection?.has(row));
  return html`<${TickBox} label="Select all on this page" isTicked=${isAll} onTick=${() => selection?.toggleAll(rows)} />
    ${
      count === 0
        ? null
        : html`<span class="line">
            <span role="status">${write(count)} selected</span>
            ${isAll && count < whole.length ? html`<button type="button" class="quiet" onClick=${() => selection?.toggleAll(whole)}>Select all ${write(whole.length)}</button>` : null}
            <button type="button" class="quiet" onClick=${selection?.clear}>Clear</button>
          </span>`
    }`;
}

/** How many results one click can keep. */
const maxKept = 1_000;

/** The modules that ask the API. Loaded only in the browser: the server, which renders this view too, does not need them. */
const askLists = () => Promise.all([import('../account-lists.js'), import('../api.js')]);

/**
 * Keeps media or people in a list of the account: the selected ones, or all that a search finds if none is selected. `total`: how
 * many it finds; null if that is not known, because only those are kept that have all of the text. `ofPeople`: whether it finds people.
 * @param {{ hasKey: boolean, subjects: readonly import('../account-lists.js').Subject[], query: URLSearchParams | null, total: number | null, id?: string, ofPeople?: boolean, disabled?: boolean }} props
 */
export function Keep({ hasKey, subjects, query, total, id = 'keep', ofPeople = false, disabled = false }) {
  const root = useRoot();
  const isEnded = useEnded();
  const canWrite = hasKey && !isEnded;
  const [lists, setLists] = useState(/** @type {import('../account-lists.js').ListHead[]} */ ([]));
  const [said, say] = useState(/** @type {any} */ (null));
  const most = total === null ? null : Math.min(total, maxKept);
  const count = subjects.length > 0 ? subjects.length : most;
  const arePeople = subjects.length > 0 ? subjects.every(({ contact_id: contact }) => contact) : ofPeople;
  const [singular, plural] = arePeople ? ['person', 'people'] : ['medium', 'media'];
  const toKeep =
    count === null
      ? 'those that have all you typed'
      : count === 1
        ? `this ${singular}`
        : counted(count, singular, plural);
  /** Keeps the records in `into`, a list or the name of a new one, if it is given. Then shows the lists. @param {import('../account-lists.js').ListHead | string} [into] */
  const keep = async (into) => {
    if (!canWrite) return;
    const [{ createList, findSubjects, readLists, writeRecords }, { faultOf }] = await askLists();
    try {
      say(into === undefined ? null : `Adding ${toKeep}…`);
      if (into !== undefined) {
        const allSubjects =
          subjects.length > 0 ? subjects : await findSubjects(query ?? new URLSearchParams(), maxKept, ofPeople);
        if (allSubjects.length === 0) return say('Nothing has all that you typed, so nothing was added.');
        const list = typeof into === 'string' ? await createList(into) : into;
        await writeRecords(list.id, { add: allSubjects });
        say(
          html`${counted(allSubjects.length, `${singular} is`, `${plural} are`)} in the list now. <a href="${root}lists?list=${list.id}">${list.name}</a>`,
        );
      }
      setLists(await readLists());
    } catch (error) {
      say(html`<${FaultLine} fault=${faultOf(error)} />`);
    }
  };
  return html`<${Popup} id=${id} shown="Add to list" class="needs-script" disabled=${disabled} onOpen=${() => keep()}>
    ${
      canWrite
        ? html`<p><strong>Add ${toKeep} to</strong>${subjects.length === 0 && (total ?? 0) > maxKept ? ' (the first ones)' : null}</p>
            <ul role="list">
              ${lists.map(
                (list) => html`<li key=${list.id}>
                  <button type="button" class="option" onClick=${() => keep(list)}>
                    <bdi>${list.name}</bdi> <small>${write(list.count)}</small>
                  </button>
                </li>`,
              )}
            </ul>
            <${NameForm} label="Name of a new list" button="Create" onName=${keep} />`
        : html`<${NeedsPlan} what="Lists, with a note and a status for each entry, come" />`
    }
    <div role="status">${said}</div>
  </${Popup}>`;
}

/** @type {readonly [string, string][]} */
const keys = [
  ['/', 'search'],
  ['j', 'next row'],
  ['k', 'row before'],
  ['x', 'select the row'],
  ['Enter', 'open it beside the list'],
  ['Esc', 'close what is open'],
  ['e', 'export'],
  ['?', 'these keys'],
];

/** All keyboard shortcuts of the page. */
export function KeysHelp() {
  return html`<${Popup} id="keys" shown="Shortcuts" label="Keyboard shortcuts" class="needs-script quiet keys-button">
    <h2>Keyboard shortcuts</h2>
    <dl>${keys.map(([key, effect]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${effect}</dd></div>`)}</dl>
  </${Popup}>`;
}
