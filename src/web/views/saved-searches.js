import { useRef, useState } from 'preact/hooks';
import { html } from '../dom.js';
import { FaultLine } from './fault.js';
import { CopyButton, closePopup, NameForm, Popup, useEnded, useRoot } from './parts.js';

/** A saved search, as the API shows it. @typedef {{ id: string, name: string, filters: Record<string, string>, feed_url: string }} SavedSearch */

/** Saves the search of the page. `query`: its text and filters. @param {{ query: URLSearchParams }} props */
export function SaveSearch({ query }) {
  const root = useRoot();
  const [said, say] = useState(/** @type {any} */ (null));
  const isSaved = useRef(false);
  if (useEnded()) return null;
  const save = async (/** @type {string} */ name) => {
    // A second press would save it again.
    if (isSaved.current) return;
    isSaved.current = true;
    const { faultOf, send } = await import('../api.js');
    try {
      const { feed_url: feed } = await send('searches', { name, filters: Object.fromEntries(query) });
      say(html`<p>It is saved. <a href="${root}lists">Your saved searches</a></p><${Feed} url=${feed} />`);
    } catch (error) {
      isSaved.current = false;
      say(html`<${FaultLine} fault=${faultOf(error)} />`);
    }
  };
  const begin = () => {
    isSaved.current = false;
    say(null);
  };
  return html`<${Popup} id="save" shown="Save search" class="quiet" onOpen=${begin}>
    <h2>Save this search</h2>
    <p>You get a feed of new ${query.has('kind') ? 'media' : 'outlets'} that match.${query.has('kind') ? null : ' To follow podcasts or newsletters, choose a kind first.'}</p>
    <${NameForm} label="Name of the search" button="Save" isFirst value=${(query.get('q') ?? '').slice(0, 80)} onName=${save} />
    <div role="status">${said}</div>
  </${Popup}>`;
}

/** @param {{ url: string }} props */
function Feed({ url }) {
  return html`<p>
    <a href=${url}>Its feed</a>${' '}
    <${CopyButton} text=${url} label="Copy the address of the feed" />
  </p>
  <p class="note">Give the address to your feed reader. Anyone who has it can read the feed.</p>`;
}

/**
 * The saved searches of the account.
 * @param {{ searches: readonly SavedSearch[], onEndFeed: (search: SavedSearch) => void, onForget: (search: SavedSearch) => void }} props
 */
export function SavedSearches({ searches, onEndFeed, onForget }) {
  const isEnded = useEnded();
  if (searches.length === 0) return null;
  const act = (/** @type {Event} */ event, /** @type {() => void} */ then) => {
    closePopup(event);
    then();
  };
  return html`<h2>Saved searches</h2>
    <ul class="all-lists" role="list">
      ${searches.map((search) => {
        const { id, name, filters, feed_url: feed } = search;
        return html`<li key=${id} class="line">
          <a class="option" href="./?${new URLSearchParams(filters)}"><bdi>${name}</bdi></a>
          <${Popup} id=${id} shown="Feed" label="Feed of ${name}" class="quiet">
            <${Feed} url=${feed} />
            ${isEnded ? null : html`<button type="button" class="quiet" onClick=${(/** @type {Event} */ event) => act(event, () => onEndFeed(search))}>Replace the address</button>`}
            <button type="button" class="quiet" onClick=${(/** @type {Event} */ event) => act(event, () => onForget(search))}>Delete this search</button>
          </${Popup}>
        </li>`;
      })}
    </ul>`;
}
