import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { html } from '../html.js';
import { useLocale } from '../locale.js';

/** @typedef {{ has: (id: string) => boolean, toggle: (record: any) => void }} Keeper */

const Keeping = createContext(/** @type {Keeper} */ ({ has: () => false, toggle: () => {} }));

/** Gives the views within it the list that records are kept in. */
export const InKeeping = Keeping.Provider;

/** Puts a record into the list, or takes it out. @param {{ record: any }} props */
export function KeepBox({ record }) {
  const { lists } = useLocale().text;
  const { has, toggle } = useContext(Keeping);
  return html`<label class="keep needs-script">
    <input type="checkbox" autocomplete="off" checked=${has(record.id)} onChange=${() => toggle(record)} />
    <span>${lists.keep}<span class="unseen">${' '}${record.name}</span></span>
  </label>`;
}
