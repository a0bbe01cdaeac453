import { useState } from 'preact/hooks';
import { html } from '../dom.js';
import { locale } from '../locale.js';

/** @typedef {import('../saved-searches.js').SavedSearch} SavedSearch */

/** A field to save the search under a name. `onSave` says whether there was room. @param {{ suggested: string, onSave: (name: string) => boolean }} props */
export function SaveSearch({ suggested, onSave }) {
  const { searches } = locale.text;
  const [said, say] = useState(/** @type {any} */ (null));
  const save = (/** @type {any} */ event) => {
    event.preventDefault();
    const name = String(new FormData(event.target).get('name') ?? '').trim();
    if (name !== '') say(onSave(name) ? searches.saved(name) : searches.full);
  };
  return html`<form class="joined" method="dialog" onSubmit=${save}>
      <input name="name" maxlength="80" required autocomplete="off" dir="auto" aria-label=${searches.name} defaultValue=${suggested} />
      <button>${searches.submit}</button>
    </form>
    <p role="status">${said === null ? null : html`${said} <a href="lists">${searches.see}</a>`}</p>`;
}

/**
 * The saved searches. `news`: how many records of each have changed since it was looked at, as far as it is known.
 * @param {{ searches: readonly SavedSearch[], news: ReadonlyMap<string, number>, onSeen: (search: SavedSearch) => void, onRemove: (search: SavedSearch) => void }} props
 */
export function SavedSearches({ searches, news, onSeen, onRemove }) {
  const { text, date } = locale;
  if (searches.length === 0) return null;
  return html`<h2>${text.searches.heading}</h2>
    <ul class="kept" role="list">
      ${searches.map((search) => {
        const { name, query, seenAt } = search;
        const count = news.get(name);
        return html`<li key=${name}>
          <a href="./?${query}" onClick=${() => onSeen(search)}><bdi>${name}</bdi></a>
          <button type="button" class="quiet" onClick=${() => onRemove(search)}>${text.lists.remove}<span class="unseen">${' '}${name}</span></button>
          ${count === undefined ? null : html`<p class="note" role="status">${text.searches.news(count, date(seenAt))}</p>`}
        </li>`;
      })}
    </ul>`;
}
