import { html } from '../dom.js';
import { write, writePrice } from '../words.js';
import { useRoot } from './parts.js';

/**
 * What the service has, for people who do not know it yet.
 * @typedef {{ media: number, people: number, withAddress: number, checked: number }} Counts
 * @typedef {{ counts: Counts, searches: readonly { q: string, total: number }[], cheapest?: import('./buying.js').Plan }} PitchData
 */

/** What the start page says below its search to who has no key: what this is, how much there is, and searches to try. @param {PitchData} props */
export function Pitch({ counts, searches, cheapest }) {
  const root = useRoot();
  return html`<section class="pitch" aria-label="What Masthead is">
    <p class="lead">Find the media that cover your subject, and whom to write to there.</p>
    <${Figures} ...${counts} />
    ${
      searches.length === 0
        ? null
        : html`<p class="line tries">
            Try
            ${searches.map(({ q, total }) => html`<a key=${q} class="chip" href="${root}?${new URLSearchParams({ q })}">${q} <small>${write(total)}</small></a>`)}
          </p>`
    }
    <p class="note">
      Searching is free.
      ${cheapest === undefined ? null : html` Full addresses, lists and exports from ${writePrice(cheapest.price, cheapest.currency)} for ${write(cheapest.days)} days: <a href="${root}plans">compare the plans</a> or`}
      ${' '}<a href="${root}sample.csv" download>get a sample file</a>.
    </p>
  </section>`;
}

/** @param {Counts} props */
export function Figures({ media, people, withAddress, checked }) {
  /** @type {readonly [number, string][]} */
  const figures = [
    [media, media === 1 ? 'medium' : 'media'],
    [withAddress, 'of them with an address'],
    [checked, 'checked in the last 90 days'],
    [people, people === 1 ? 'person' : 'people'],
  ];
  return html`<ul class="figures line" role="list">
    ${figures.map(([count, noun]) => count > 0 && html`<li key=${noun}><strong>${write(count)}</strong> ${noun}</li>`)}
  </ul>`;
}
