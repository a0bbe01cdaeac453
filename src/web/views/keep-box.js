import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { html } from '../html.js';
import { useLocale } from '../locale.js';
import { useRoot } from './root.js';

/**
 * The open list. `toggle` returns false if it is full; `add` returns how many records it took; `offerAll` says what of a search
 * could be added.
 * @typedef {object} Keeper
 * @property {(id: string) => boolean} has
 * @property {(record: any) => boolean} toggle
 * @property {(records: readonly any[]) => number} add
 * @property {(query: URLSearchParams) => Promise<import('./keep-all.js').Offer | { fault: import('./fault.js').Fault }>} offerAll
 */

/** Before the module of the page is there, nothing is kept, and nothing can be pressed. @type {Keeper} */
const nobody = {
  has: () => false,
  toggle: () => true,
  add: () => 0,
  offerAll: async () => ({ list: '', fitting: [], total: 0, isAll: true }),
};

export const Keeping = createContext(nobody);

/** Gives the views within it the list that records are kept in. */
export const InKeeping = Keeping.Provider;

/** Puts a record into the list, or takes it out. @param {{ record: any }} props */
export function KeepBox({ record }) {
  const { lists } = useLocale().text;
  const root = useRoot();
  const { has, toggle } = useContext(Keeping);
  const [isFull, setFull] = useState(false);
  return html`<label class="keep needs-script">
    <input type="checkbox" autocomplete="off" checked=${has(record.id)} onChange=${() => setFull(!toggle(record))} />
    <span>${lists.keep}<span class="unseen">${' '}${record.name}</span></span>
    </label>
    ${isFull ? html`<small class="wrong" role="alert">${lists.full} <a href="${root}lists">${lists.heading}</a></small>` : null}`;
}
