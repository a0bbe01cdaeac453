import { html } from '../dom.js';
import { locale } from '../locale.js';
import { tick } from './record-parts.js';

/** @typedef {{ tier: string | null, outletFormats: string[], allFormats: string[], tools: string[], requestsPerMinute: number }} Abilities */

/**
 * What is compared: the name of each ability, and what to say of it for a caller.
 * @returns {[string, (given: Abilities) => string][]}
 */
function listAbilities() {
  const { text, count } = locale;
  const { compare: words } = text.plans;
  const list = (/** @type {string[]} */ titles) => (titles.length === 0 ? words.no : titles.join(', '));
  return [
    [words.search, () => words.yes],
    [words.addresses, ({ tier }) => (tier === null ? words.masked : words.whole)],
    [words.exportOutlets, ({ outletFormats }) => list(outletFormats)],
    [words.exportOthers, ({ allFormats }) => list(allFormats)],
    [words.push, ({ tools }) => list(tools)],
    [words.requests, ({ requestsPerMinute }) => count(requestsPerMinute)],
  ];
}

/** What a plan gives beyond what there is without one, for its card. @param {{ tier: string, compared: readonly Abilities[] }} props */
export function PlanGains({ tier, compared }) {
  const [without, given] = [null, tier].map((sought) => compared.find((abilities) => abilities.tier === sought));
  if (without === undefined || given === undefined) return null;
  return html`<dl>
    ${listAbilities()
      .filter(([, tell]) => tell(given) !== tell(without))
      .map(([label, tell]) => html`<div key=${label}><dt>${label}</dt><dd>${tell(given)}</dd></div>`)}
  </dl>`;
}

/** What each plan gives, beside what there is without one. @param {{ compared: readonly Abilities[] }} props */
export function PlanTable({ compared }) {
  const { text, word } = locale;
  const { compare: words } = text.plans;
  const rows = listAbilities();
  return html`<section>
    <h2 id="compare">${words.heading}</h2>
    <div class="table wraps" role="region" aria-labelledby="compare" tabindex="0">
      <table>
        <thead>
          <tr>
            <td></td>
            ${compared.map(({ tier }) => html`<th key=${tier} scope="col">${nameOf(tier)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ([label, tell]) => html`<tr key=${label}>
              <th scope="row">${label}</th>
              ${compared.map((given) => html`<td key=${given.tier} data-label=${nameOf(given.tier)}>${tell(given)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;

  /** @param {string | null} tier */
  function nameOf(tier) {
    return tier === null ? words.without : word(tier);
  }
}

/** An invented record, as it is shown without and with a plan. */
const example = {
  name: 'The Harbour Times',
  contact: 'Ada Quill',
  mask: 'a***@harbour-times.example',
  email: 'ada.quill@harbour-times.example',
  source: 'harbour-times.example/imprint',
};

/** What a plan shows, beside the mask. */
export function PlanExample() {
  const { text, word } = locale;
  const { compare: words } = text.plans;
  const { record, media } = text;
  /** @type {(heading: string, email: string, source: string) => any} */
  const card = (heading, email, source) => html`<li class="card">
    <h3>${heading}</h3>
    <dl>
      <div><dt>${words.medium}</dt><dd>${example.name}</dd></div>
      <div><dt>${media.contact}</dt><dd>${example.contact}</dd></div>
      <div><dt>${media.email}</dt><dd><code>${email}</code> <small class="trust valid">${tick} ${word('valid')}</small></dd></div>
      <div><dt>${record.seen}</dt><dd>${source}</dd></div>
    </dl>
  </li>`;
  return html`<section aria-labelledby="example">
    <h2 id="example">${words.example}</h2>
    <p class="note">${words.invented}</p>
    <ul class="plans" role="list">
      ${card(words.without, example.mask, words.hidden)} ${card(words.with, example.email, example.source)}
    </ul>
  </section>`;
}
