import { html } from '../dom.js';
import { locale } from '../locale.js';

/**
 * Opens one of the lists of this browser, or a new one.
 * @param {{ current: string, names: readonly string[], onOpen: (name: string) => void }} props
 */
export function ChooseList({ current, names, onOpen }) {
  const { lists: words } = locale.text;
  const create = (/** @type {any} */ event) => {
    event.preventDefault();
    const name = String(new FormData(event.target).get('name') ?? '').trim();
    event.target.reset();
    if (name !== '') onOpen(name);
  };
  return html`<div class="list-bar">
    <label
      >${words.open}${' '}
      <select autocomplete="off" onChange=${(/** @type {any} */ event) => onOpen(event.target.value)}>
        ${names.map((name) => html`<option key=${name} value=${name} selected=${name === current}>${name}</option>`)}
      </select>
    </label>
    <form class="joined" method="dialog" onSubmit=${create}>
      <input name="name" maxlength="80" aria-label=${words.newName} placeholder=${words.newName} autocomplete="off" required />
      <button>${words.create}</button>
    </form>
  </div>`;
}
