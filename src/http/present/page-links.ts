import { maxRow } from '#domain/search/search-query.ts';
import type { SearchPage } from '#usecases/search-records.ts';

/** Maximum bytes of a Link header: proxies and clients accept answers with 8 or 16 kB of headers. */
const maxHeaderLength = 6_000;

/**
 * The Link header of a page (RFC 8288): first, prev, next and last, where `last` is the last reachable page. Each has
 * the request's own parameters with another `page`. If a very long query would make the header too long for proxies,
 * only the links that fit are included, next and prev before first and last.
 */
export function pageLinks(url: string, given: URLSearchParams, { page, perPage, totalPages }: PageNumbers): string {
  const last = Math.max(Math.min(totalPages, Math.floor(maxRow / perPage)), 1);
  const pages = new Map([['first', 1]]);
  if (page > 1) pages.set('prev', Math.min(page - 1, last));
  if (page < last) pages.set('next', page + 1);
  pages.set('last', last);

  const links = [...pages].map(([rel, target]) => ({ rel, text: `<${pageUrl(url, given, target)}>; rel="${rel}"` }));
  const fitting = new Set<string>();
  let room = maxHeaderLength;
  for (const { rel, text } of links.toSorted((a, b) => urgency(b.rel) - urgency(a.rel))) {
    room -= text.length + 2;
    if (room >= 0) fitting.add(rel);
  }
  return links.flatMap(({ rel, text }) => (fitting.has(rel) ? text : [])).join(', ');
}

type PageNumbers = Pick<SearchPage, 'page' | 'perPage' | 'totalPages'>;

function urgency(rel: string): number {
  return rel === 'next' || rel === 'prev' ? 1 : 0;
}

function pageUrl(url: string, given: URLSearchParams, page: number): string {
  const parameters = new URLSearchParams(given);
  parameters.delete('page');
  parameters.append('page', String(page));
  return `${url}?${parameters}`;
}
