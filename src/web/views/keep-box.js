import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { html } from '../html.js';
import { useLocale } from '../locale.js';
import { useRoot } from './root.js';

/** `toggle` returns false if the list is full. @typedef {{ has: (id: string) => boolean, toggle: (record: any) => boolean }} Keeper */

const Keeping = createContext(/** @type {Keeper} */ ({ has: () => false, toggle: () => true }));

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
