import { useContext, useState } from 'preact/hooks';
import { html } from '../dom.js';
import { locale } from '../locale.js';
import { ChooseList } from './choose-list.js';
import { explain } from './fault.js';
import { Keeping } from './keep-box.js';

/**
 * Records that could go into the list. `fitting`: those that are not in it yet and that it has room for; `total`: how many the
 * search finds; `isAll`: whether that is all of them.
 * @typedef {{ list: string, fitting: any[], total: number, isAll: boolean }} Offer
 */

/** Puts everything found into the list; asks before it takes a part. @param {{ query: URLSearchParams }} props */
export function KeepAll({ query }) {
  const { text } = locale;
  const { lists } = text;
  const { offerAll, add, current, names, open } = useContext(Keeping);
  const [offer, propose] = useState(/** @type {Offer | null} */ (null));
  const [said, say] = useState(/** @type {any} */ (null));
  const take = (/** @type {Offer} */ { list, fitting }) => {
    propose(null);
    const taken = add(fitting);
    if (taken === null) say(html`<span class="wrong">${text.notStored}</span>`);
    else say(html`${lists.took(taken, list)} <a href="lists">${lists.heading}</a>`);
  };
  const choose = (/** @type {string} */ name) => {
    propose(null);
    say(open(name) ? null : html`<span class="wrong">${text.notStored}</span>`);
  };
  const ask = async () => {
    say(null);
    propose(null);
    const found = await offerAll(query);
    if ('fault' in found) say(html`<${Refusal} fault=${found.fault} />`);
    else if (found.isAll) take(found);
    else if (found.fitting.length === 0) say(html`${lists.full} <a href="lists">${lists.heading}</a>`);
    else propose(found);
  };
  return html`<div class="keep-all needs-script">
    <details>
      <summary>${lists.keptIn(current === '' ? lists.first : current)}</summary>
      <${ChooseList} current=${current} names=${names} onOpen=${choose} />
    </details>
    <button type="button" class="quiet" onClick=${ask}>${lists.keepAll}</button>
    <p role="status" class="note">${said}</p>
    ${
      offer === null
        ? null
        : html`<div class="hint" role="group" aria-label=${lists.keepAll}>
            <p role="alert">${lists.tooMany(offer.total, offer.list, offer.fitting.length)}</p>
            <button type="button" onClick=${() => take(offer)}>${lists.keepFirst(offer.fitting.length)}</button>${' '}
            <button type="button" class="quiet" onClick=${() => propose(null)}>${lists.keepNone}</button>
          </div>`
    }
  </div>`;
}

/** @param {{ fault: import('./fault.js').Fault }} props */
function Refusal({ fault }) {
  const { title, advice } = explain(fault);
  return html`<span class="wrong">${title}. ${advice}</span>`;
}
