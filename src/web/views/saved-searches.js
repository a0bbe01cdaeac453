import { useState } from 'preact/hooks';
import { html } from '../dom.js';
import { locale } from '../locale.js';

/** Says whether the name was taken, there is no more room, or the browser refused to store it.
 * @typedef {(name: string) => 'saved' | 'taken' | 'full' | 'refused'} OnSave
 */

/** A field to save the search under a name. @param {{ suggested: string, onSave: OnSave }} props */
export function SaveSearch({ suggested, onSave }) {
  const { searches, notStored } = locale.text;
  const [outcome, setOutcome] = useState({ what: '', name: '' });
  const save = (/** @type {any} */ event) => {
    event.preventDefault();
    const name = String(new FormData(event.target).get('name') ?? '').trim();
    if (name === '') return;
    setOutcome({ what: onSave(name), name });
  };
  /** @type {Record<string, () => string>} */
  const said = {
    saved: () => searches.saved(outcome.name),
    taken: () => searches.taken(outcome.name),
    full: () => searches.full,
    refused: () => notStored,
  };
  return html`<form class="joined" method="dialog" onSubmit=${save}>
      <input name="name" maxlength="80" required autocomplete="off" dir="auto" aria-label=${searches.name} defaultValue=${suggested} />
      <button>${searches.submit}</button>
    </form>
    <p role="status" class=${outcome.what === 'saved' ? 'note' : 'wrong'}>
      ${outcome.what === '' ? null : html`${said[outcome.what]?.()} <a href="lists">${searches.see}</a>`}
    </p>`;
}

/**
 * The saved searches. `news`: how many records of each have changed since it was looked at, as far as it is known.
 * @param {{ searches: readonly import('../saved-searches.js').SavedSearch[], news: ReadonlyMap<string, number>, onSeen: (name: string) => void, onRemove: (name: string) => void }} props
 */
export function SavedSearches({ searches, news, onSeen, onRemove }) {
  const { text, date } = locale;
  const { searches: words } = text;
  if (searches.length === 0) return null;
  return html`<section aria-labelledby="searches">
    <h2 id="searches">${words.heading}</h2>
    <ul class="kept" role="list">
      ${searches.map(({ name, query, seenAt }) => {
        const count = news.get(name);
        return html`<li key=${name} class="card">
          <h3 dir="auto"><a href="./?${query}" onClick=${() => onSeen(name)}>${name}</a></h3>
          <p class="place" role="status">${count === undefined ? null : words.news(count, date(seenAt))}</p>
          <button type="button" class="quiet" onClick=${() => onRemove(name)}>
            ${text.lists.remove}<span class="unseen">${' '}${name}</span>
          </button>
        </li>`;
      })}
    </ul>
  </section>`;
}
