import { z } from 'zod';
import { pickKeys } from '#records/fields.ts';
import type { MediaRecord, RecordKey, SelectedRecord } from '#records/media-record.ts';
import { fewContactsOf } from '#search/few-contacts.ts';
import { maxRow } from '#search/search-query.ts';
import type { PageNumbers, SearchPage } from '#search/search-records.ts';
import { answerObject, count, header, howMatched, masked, presentDropped } from './answer-parts.ts';
import { exampleRecord, recordAnswer } from './record-answer.ts';
import { suggestionsAnswer } from './suggest-searches.ts';

export const paging = {
  Link: header('Link'),
};

/** Maximum bytes of a Link header: proxies and clients accept answers with 8 or 16 kB of headers. */
const maxHeaderLength = 6_000;

/**
 * The Link header of a page (RFC 8288), with the request's own parameters; `last` is the last reachable page. Of a very
 * long query, only the links that fit are included, next and prev before first and last. With `next`, the cursor of the next page or
 * null, those of a walk: first and next.
 */
export function pageLinks(
  url: string,
  givenParameters: URLSearchParams,
  { page, perPage, totalPages }: Pick<SearchPage, 'page' | 'perPage' | 'totalPages'>,
  next?: string | null,
): { Link?: string } {
  const linkTo = (rel: string, target: string | number) => {
    const parameters = new URLSearchParams(givenParameters);
    const name = next === undefined ? 'page' : 'after';
    parameters.delete(name);
    parameters.append(name, String(target));
    return `<${url}?${parameters}>; rel="${rel}"`;
  };
  if (next !== undefined) return fitting([[linkTo('first', ''), ...(next === null ? [] : [linkTo('next', next)])]]);
  const last = Math.max(Math.min(totalPages, Math.floor(maxRow / perPage)), 1);
  const near = [
    ...(page > 1 ? [linkTo('prev', Math.min(page - 1, last))] : []),
    ...(page < last ? [linkTo('next', page + 1)] : []),
  ];
  return fitting([[linkTo('first', 1), ...near, linkTo('last', last)], near, near.slice(-1)]);
}

/** The first of these lists of links that is short enough. */
function fitting(lists: readonly (readonly string[])[]): { Link?: string } {
  const header = lists.map((links) => links.join(', ')).find((links) => links.length <= maxHeaderLength);
  return header ? { Link: header } : {};
}

/** The numbers of a page of records, beside its results. */
export const pageNumbers = {
  total: count.describe('The exact number of results.'),
  page: z.int().min(1),
  per_page: z.int().min(1).max(100),
  total_pages: count.describe('Includes pages too deep to reach.'),
  masked,
};

/** The same, or of a walk, where `next` takes the place of the pages' numbers. */
export const walkNumbers = {
  ...pageNumbers,
  page: pageNumbers.page.optional().describe('Absent with `after`.'),
  total_pages: pageNumbers.total_pages.optional().describe('Includes pages too deep to reach. Absent with `after`.'),
  next: z
    .string()
    .nullable()
    .optional()
    .describe('With `after` alone: the `after` of the next page; null after the last one.'),
};

export const searchAnswer = answerObject('SearchPage', {
  results: z.array(recordAnswer),
  ...walkNumbers,
  also: z
    .array(recordAnswer)
    .min(1)
    .max(10)
    .optional()
    .describe(
      'Present if fewer than ten records match `q`: others that are near in meaning. No total, export or push has them.',
    ),
  ...howMatched,
  ...suggestionsAnswer,
});

export interface PageNotes {
  q?: string | null | undefined;
  suggestions?: z.output<typeof searchAnswer>['suggestions'] | undefined;
  /** Of a walk: the cursor of the next page, null after the last one. */
  next?: string | null;
}

/** A page as answers contain it, with these keys of each record; null for all. `q`: the text as it was typed. */
export function presentPage(
  page: SearchPage,
  keys: readonly RecordKey[] | null,
  { q, suggestions, next }: PageNotes = {},
): Omit<z.output<typeof searchAnswer>, 'results' | 'also'> & { results: SelectedRecord[]; also?: SelectedRecord[] } {
  const present = (record: MediaRecord) => pickKeys(record, keys, () => fewContactsOf(record, page));
  return {
    results: page.records.map(present),
    ...presentNumbers(page, next),
    ...(page.also?.length && { also: page.also.map(present) }),
    ...presentMatch(page, { q, suggestions }),
  };
}

/** How the results of a page match, and what to ask instead. `q`: the text as it was typed. */
export function presentMatch({ isCorrected, match, dropped }: SearchPage, { q, suggestions }: PageNotes) {
  return {
    ...(isCorrected && { corrected: true as const }),
    ...(match && { match }),
    ...presentDropped(dropped, q),
    ...(suggestions && { suggestions }),
  };
}

export function presentNumbers({ total, page, perPage, totalPages, isMasked }: PageNumbers, next?: string | null) {
  if (next !== undefined) return { total, per_page: perPage, next, masked: isMasked };
  return { total, page, per_page: perPage, total_pages: totalPages, masked: isMasked };
}

export const examplePage = { results: [exampleRecord], total: 1, page: 1, per_page: 20, total_pages: 1, masked: true };
