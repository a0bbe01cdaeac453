import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from '../dom.js';
import { locale } from '../locale.js';
import { useRoot } from './parts.js';

/**
 * The open list. `toggle` says whether it is full, or the browser refused to store it; `add`
 * returns how many records it took, null if the browser refused; `offerAll` says what of a search
 * could be added.
 * @typedef {object} Keeper
 * @property {string} current what the open list is called
 * @property {readonly string[]} names all lists
 * @property {(name: string) => boolean} open
 * @property {(id: string) => boolean} has
 * @property {(record: any) => 'kept' | 'full' | 'refused'} toggle
 * @property {(records: readonly any[]) => number | null} add
 * @property {(query: URLSearchParams) => Promise<import('./keep-all.js').Offer | { fault: import('./fault.js').Fault }>} offerAll
 */

/** Before the module of the page is there, nothing is kept, and nothing can be pressed. @type {Keeper} */
const nobody = {
  current: '',
  names: [],
  open: () => false,
  has: () => false,
  toggle: () => 'kept',
  add: () => 0,
  offerAll: async () => ({ list: '', fitting: [], total: 0, isAll: true }),
};

export const Keeping = createContext(nobody);

/** Gives the views within it the list that records are kept in. */
export const InKeeping = Keeping.Provider;

/** Puts a record into the list, or takes it out. @param {{ record: any }} props */
export function KeepBox({ record }) {
  const { text } = locale;
  const { lists } = text;
  const root = useRoot();
  const { has, toggle, current } = useContext(Keeping);
  const [outcome, setOutcome] = useState(/** @type {'kept' | 'full' | 'refused'} */ ('kept'));
  const keep = () => setOutcome(toggle(record));
  const box = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => {
    // It was ticked before this module was there: taken over as it is, and kept once all of the page is taken over.
    if (box.current?.checked && !has(record.id)) queueMicrotask(keep);
  }, []);
  return html`<label class="keep needs-script">
    <input ref=${box} type="checkbox" autocomplete="off" checked=${has(record.id)} onChange=${keep} />
    <span>${lists.keep}<span class="unseen">${' '}${record.name}</span></span>
    </label>
    ${has(record.id) ? html`<small class="kept-in"><a href="${root}lists">${current}</a></small>` : null}
    ${outcome === 'refused' ? html`<small class="wrong" role="alert">${text.notStored}</small>` : null}
    ${outcome === 'full' ? html`<small class="wrong" role="alert">${lists.full} <a href="${root}lists">${lists.heading}</a></small>` : null}`;
}
