import { html, nothing } from 'lit-html';
import { formatCount, formatDate, formatLanguage, formatShort, safeUrl, sentence } from './format.js';

/**
 * @typedef {{ results: any[], total: number, page: number, per_page: number, total_pages: number, masked: boolean, corrected?: true }} SearchPage
 */

/** The API's pages end at this row. */
const maxRow = 10_000;

/** @param {SearchPage} found */
export function viewResults({ results, masked }) {
  return html`<ul class="cards" role="list">
    ${results.map((record) => html`<li>${viewCard(record, masked)}</li>`)}
  </ul>`;
}

/**
 * @param {any} record
 * @param {boolean} isMasked
 */
function viewCard(record, isMasked) {
  const url = safeUrl(record.url);
  const place = [record.city, record.region === record.city ? null : record.region, record.country_name];
  const facts = [
    record.audience === null
      ? null
      : html`<span title=${formatCount(record.audience)}>${formatShort(record.audience)}</span> ${audienceWord(record)}`,
    record.frequency && sentence(record.frequency),
    record.language && formatLanguage(record.language),
    record.coverage && sentence(record.coverage),
    record.platform,
  ].filter(Boolean);
  return html`<article class="card">
    <header class="card-top">
      <h3>${url ? html`<a href=${url} rel="noopener noreferrer external">${record.name}</a>` : record.name}</h3>
      <span class="kind ${record.kind}">${sentence(record.type ?? record.kind)}</span>
    </header>
    <p class="place">${place.filter(Boolean).join(', ') || 'Place unknown'}</p>
    ${record.description ? html`<p class="about">${record.description}</p>` : nothing}
    ${facts.length > 0 ? html`<ul class="facts">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>` : nothing}
    ${
      record.categories.length > 0
        ? html`<ul class="topics" aria-label="Topics">
            ${record.categories.map((/** @type {string} */ topic) => html`<li>${sentence(topic)}</li>`)}
          </ul>`
        : nothing
    }
    <footer class="card-end">${viewContact(record)} ${viewEmail(record, isMasked)} ${viewLinks(record)}</footer>
  </article>`;
}

/** @param {any} record */
function viewContact({ contact_name, contact_title }) {
  if (contact_name === null) return nothing;
  return html`<p class="contact"><strong>${contact_name}</strong>${contact_title ? html`, ${contact_title}` : nothing}</p>`;
}

/**
 * @param {any} record
 * @param {boolean} isMasked
 */
function viewEmail({ email, email_status, last_verified_at }, isMasked) {
  if (email === null) return html`<p class="email none">No email known</p>`;
  const checked = [
    email_status && email_status !== 'unknown' ? `checked: ${sentence(email_status).toLowerCase()}` : null,
    last_verified_at && formatDate(last_verified_at),
  ].filter(Boolean);
  const note = checked.length > 0 ? html` <small>${checked.join(', ')}</small>` : nothing;
  return isMasked
    ? html`<p class="email"><span class="mask">${email}</span>${note} <a href="plans" class="unlock">See the full address</a></p>`
    : html`<p class="email"><a href="mailto:${email}">${email}</a>${note}</p>`;
}

/** @param {any} record */
function viewLinks(record) {
  const links = [
    ['Feed', record.feed_url],
    ['LinkedIn', record.linkedin_url],
    ['Where the address was seen', record.email_source],
  ].flatMap(([label, url]) => (safeUrl(url) ? [{ label, url }] : []));
  if (links.length === 0 && record.phone === null) return nothing;
  return html`<p class="links">
    ${record.phone === null ? nothing : html`<span>${record.phone}</span>`}
    ${links.map(
      ({ label, url }) =>
        html`<a href=${url} rel="noopener noreferrer external">${label}<span class="unseen"> of ${record.name}</span></a>`,
    )}
  </p>`;
}

/** @param {any} record */
function audienceWord({ kind, type }) {
  if (kind === 'newsletter') return 'subscribers';
  if (kind === 'podcast' || type === 'radio') return 'listeners';
  return type === 'tv' ? 'viewers' : 'readers';
}

/**
 * The pages around this one, as links, so that each can be opened beside.
 * @param {SearchPage} found
 * @param {(page: number) => string} urlOf
 * @param {(event: MouseEvent, page: number) => void} onPage
 */
export function viewPaging({ page, per_page, total_pages }, urlOf, onPage) {
  const last = Math.min(total_pages, Math.floor(maxRow / per_page));
  if (last <= 1 && page <= 1) return nothing;
  const near = [1, page - 1, page, page + 1, last].filter((number) => number >= 1 && number <= last);
  const numbers = [...new Set(near)].sort((a, b) => a - b);
  const link = (/** @type {number} */ number, /** @type {unknown} */ text, /** @type {string} */ label) =>
    html`<a
      class="page-link"
      href=${urlOf(number)}
      aria-label=${label}
      aria-current=${number === page ? 'page' : nothing}
      @click=${(/** @type {MouseEvent} */ event) => onPage(event, number)}
      >${text}</a
    >`;
  return html`<nav class="paging" aria-label="Pages of results">
    ${page > 1 ? link(Math.min(page - 1, last), '← Previous', 'Previous page') : nothing}
    ${numbers.map((number, index) => {
      const gap = index > 0 && number - (numbers[index - 1] ?? 0) > 1;
      return html`${gap ? html`<span aria-hidden="true">…</span>` : nothing}${link(number, formatCount(number), `Page ${number}`)}`;
    })}
    ${page < last ? link(page + 1, 'Next →', 'Next page') : nothing}
  </nav>`;
}
