import { hostOf, html, safeUrl } from '../dom.js';
import { locale } from '../locale.js';
import { KeepBox } from './keep-box.js';
import { Marked, useRoot } from './parts.js';
import { Contact, Email, EmailCheck, Facts, isMask, OutwardLink, Place, RecordLink } from './record-parts.js';

/**
 * @typedef {{ results: any[], total: number, page: number, per_page: number, total_pages: number, masked: boolean, corrected?: true }} SearchPage
 */

/** @param {{ found: Pick<SearchPage, 'results'> }} props */
export function Cards({ found: { results } }) {
  return html`<ul class="cards" role="list">
    ${results.map((record) => html`<li key=${record.id}><${Card} record=${record} /></li>`)}
  </ul>`;
}

/** @param {{ record: any }} props */
function Card({ record }) {
  const { text, word } = locale;
  const host = hostOf(record.url);
  return html`<article class="card">
    <header class="card-top">
      <h3 dir="auto"><${RecordLink} record=${record} /></h3>
      <span class="kind ${record.kind}">${word(record.type ?? record.kind)}</span>
      <${KeepBox} record=${record} />
    </header>
    <p class="place">
      <${Place} record=${record} />${host === null ? null : html` · <${OutwardLink} url=${record.url}>${host}</${OutwardLink}>`}
    </p>
    ${record.description ? html`<p class="about" dir="auto"><${Marked} text=${record.description} /></p>` : null}
    <${Facts} record=${record} />
    ${
      record.categories.length > 0
        ? html`<ul class="topics" role="list" aria-label=${text.record.topics}>
            ${record.categories.map((/** @type {string} */ topic) => html`<li key=${topic}>${word(topic)}</li>`)}
          </ul>`
        : null
    }
    ${
      record.tags.length > 0
        ? html`<ul class="topics tags" role="list" dir="auto" aria-label=${text.record.tags}>
            ${record.tags.map((/** @type {string} */ tag) => html`<li key=${tag}>${tag}</li>`)}
          </ul>`
        : null
    }
    <footer class="card-end">
      ${record.contact_name === null ? null : html`<p class="contact"><${Contact} record=${record} /></p>`}
      <${CardEmail} record=${record} /><${Links} record=${record} />
    </footer>
  </article>`;
}

/** @param {{ record: any }} props */
function CardEmail({ record }) {
  const { record: words } = locale.text;
  const root = useRoot();
  if (record.email === null) return html`<p class="email none">${words.noEmail}</p>`;
  return html`<p class="email">
    <${Email} record=${record} /> <${EmailCheck} record=${record} />${' '}
    ${isMask(record.email) ? html`<a href="${root}plans" class="unlock">${words.seeFull}</a>` : null}
  </p>`;
}

/** @param {{ record: any }} props */
function Links({ record }) {
  const { record: words } = locale.text;
  const links = [
    [words.feed, record.feed_url],
    [words.linkedIn, record.linkedin_url],
    [words.seen, record.email_source],
  ].filter(([, url]) => safeUrl(url));
  if (links.length === 0 && record.phone === null) return null;
  return html`<p class="links">
    ${record.phone === null ? null : html`<span>${record.phone}</span>`}
    ${links.map(
      ([label, url]) =>
        html`<${OutwardLink} key=${label} url=${url}>${label}<span class="unseen"> ${words.of} ${record.name}</span></${OutwardLink}>`,
    )}
  </p>`;
}

/** The API's pages end at this row. */
const maxRow = 10_000;

/**
 * The pages around this one, as links.
 * @param {{ found: import('./results.js').SearchPage, urlOfPage: (page: number) => string }} props
 */
export function Paging({ found: { page, per_page, total_pages }, urlOfPage }) {
  const { text, count } = locale;
  const { paging } = text;
  const last = Math.min(total_pages, Math.floor(maxRow / per_page));
  if (last <= 1 && page <= 1) return null;
  const near = [1, page - 1, page, page + 1, last].filter((number) => number >= 1 && number <= last);
  const numbers = [...new Set(near)].sort((a, b) => a - b);
  const link = (/** @type {number} */ number, /** @type {string} */ shown, /** @type {string} */ label) =>
    html`<a
      class="page-link"
      href=${urlOfPage(number)}
      aria-label=${label}
      aria-current=${number === page ? 'page' : undefined}
      >${shown}</a
    >`;
  return html`<nav class="paging" aria-label=${paging.label}>
    ${page > 1 ? link(Math.min(page - 1, last), paging.previous, paging.previousPage) : null}
    ${numbers.map((number, index) => {
      const gap = index > 0 && number - (numbers[index - 1] ?? 0) > 1;
      return html`${gap ? html`<span aria-hidden="true">…</span>` : null}${link(number, count(number), paging.page(number))}`;
    })}
    ${page < last ? link(page + 1, paging.next, paging.nextPage) : null}
  </nav>`;
}
