import { html } from '../dom.js';
import { locale } from '../locale.js';

/**
 * What the whole database holds. `updatedAt`: its newest change, null if it is empty.
 * @typedef {{ updatedAt: string | null }} Overview
 */

/**
 * The first look: what is in here, and examples to click.
 * @param {{ overview: Overview, facets: import('./filters.js').Facets }} props
 */
export function OverviewStrip({ overview, facets }) {
  const { text, count, date } = locale;
  const { overview: words } = text;
  const kinds = /** @type {(keyof typeof words.kinds)[]} */ (Object.keys(words.kinds));
  const counted = new Map((facets.kinds ?? []).map((entry) => [entry.value, entry.count]));
  const countries = facets.countries?.length ?? 0;
  return html`<ul class="overview" role="list" aria-label=${words.label}>
      ${kinds
        .filter((kind) => counted.has(kind))
        .map((kind) => {
          const number = counted.get(kind) ?? 0;
          return html`<li><a class="stat" href="./?kind=${kind}"><strong>${count(number)}</strong> ${words.kinds[kind](number)}</a></li>`;
        })}
      ${countries === 0 ? null : html`<li><strong>${count(countries)}</strong> ${words.countries(countries)}</li>`}
      ${overview.updatedAt === null ? null : html`<li>${words.updated} <time datetime=${overview.updatedAt}>${date(overview.updatedAt)}</time></li>`}
    </ul>
    <p class="examples">
      <span>${words.try}</span>${' '}
      ${words.examples.map(([label, query]) => html`<a class="chip" href="./?${query}">${label}</a>${' '}`)}
    </p>`;
}

/** Says that records are invented. */
export function SampleNote() {
  const { overview } = locale.text;
  return html`<p class="remark">
    <strong>${overview.sample}</strong> ${overview.sampleRest} <code>npm run indexer -- import FILE</code>
  </p>`;
}
