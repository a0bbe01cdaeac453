import { html } from '../html.js';
import { locale } from '../locale.js';

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
