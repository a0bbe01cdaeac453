import { z } from 'zod';
import { rowKinds } from '#search/contact-row.ts';
import { maxNear } from '#search/meaning/find-near.ts';
import { bestFirst, maxRow, type Sort, sortKeys } from '#search/search-query.ts';
import { formatNumber } from '#text/printed.ts';
import { type FaultDetails, quote } from './faults.ts';
import {
  checkedAnyway,
  meaningfulEmpty,
  switchParameter,
  wholeNumberParameter,
  wordParameter,
} from './parameter-kinds.ts';

/*
 * Decides how the results of a query are shown: what has a row, in which order, and which page of them, from `rows`, `dates`, `sort`,
 * `page`, `per_page` and `after`.
 */

/** What has a row in an answer or a file. */
export const rowsParameter = wordParameter(rowKinds, (typed) => `${quote(typed)} is not a valid value for rows.`)
  .default('records')
  .describe(
    'contacts: each contact that GET /api/v1/contacts finds for the same parameters. records, unless you say: each record.',
  );

/** Rows and files of lists are as they were before entries had dates of contact, unless a caller asks for these. */
export const datesParameter = switchParameter('dates').default(false);

/** The orders of contacts. */
export const contactSortParameter = wordParameter(
  ['relevance', 'name', 'updated'].flatMap((key) => [key, `-${key}`]),
  (typed) => `${quote(typed)} is not a valid sort order of contacts.`,
)
  .transform((word) => toSort<Sort['key']>(word))
  .default(bestFirst)
  .describe(
    'relevance, unless you say: those that meet more words of `q` themselves, then those with a usable address, then the best known media; without `q`, the largest audience first. name: of the contact, A to Z. updated: of the record, newest first. Put - in front to reverse the order.',
  );

/** The orders of records, and others that an endpoint has besides. */
export function sortParameterOf<Key extends string = never>(furtherKeys: readonly Key[], doc: string) {
  const words = [...sortKeys, ...furtherKeys].flatMap((key) => [key, `-${key}`]);
  return wordParameter(words, (typed) => `${quote(typed)} is not a valid sort order.`)
    .transform((word) => toSort<Sort['key'] | Key>(word))
    .default(bestFirst)
    .describe(doc);
}

function toSort<Key extends string>(word: string): { key: Key; reversed: boolean } {
  return { key: word.replace('-', '') as Key, reversed: word.startsWith('-') };
}

export const sortParameter = sortParameterOf(
  [],
  'relevance, unless you say: best match first. name: A to Z. audience: largest first. updated, created: newest first. reachable: records with a usable address first (neither invalid nor disposable), then the largest audience. Put - in front to reverse the order.',
);

const maxPerPage = 100;
export const defaultPerPage = 20;

export function pageShape(most = maxPerPage, usual = defaultPerPage) {
  return {
    page: wholeNumberParameter(1)
      .default(1)
      .describe('The page number, from 1. page × per_page must not exceed 10,000.'),
    per_page: wholeNumberParameter(1, most)
      .default(usual)
      .describe(`Records per page, at most ${most}; ${usual} unless you say.`),
  };
}

/** For paging, or with `after` for walking through all rows. */
export function walkShape() {
  const { page, ...otherParameters } = pageShape();
  const after = z
    .string()
    .optional()
    .describe(
      'In place of `page`, to walk through all results, however many: empty first, then `next` of the last answer. A result that does not change meanwhile comes exactly once. Needs a key.',
    )
    .register(meaningfulEmpty, {});
  return {
    page: page
      .unwrap()
      .optional()
      .describe(page.description ?? ''),
    ...otherParameters,
    after,
  };
}

/** Which parameters cannot stand beside `after`. For `refine`. */
export const walkable = {
  isWalkable: ({ after, page, match }: Readonly<Record<string, unknown>>) =>
    after === undefined || (page === undefined && match !== 'meaning'),
  orElse: {
    ...checkedAnyway,
    path: ['after'],
    message: `after cannot be combined with page or match=meaning. Leave out page; by meaning there are at most ${formatNumber(maxNear)} results, which page reaches.`,
    params: { code: 'conflict' } satisfies FaultDetails,
  },
};

/** Whether a page is one that paging can reach. For `refine`. */
export const reachable = {
  isReachable: ({ page, per_page = defaultPerPage }: Readonly<Record<string, unknown>>) =>
    typeof page !== 'number' || typeof per_page !== 'number' || page * per_page <= maxRow,
  orElse: {
    ...checkedAnyway,
    path: ['page'],
    message: `page × per_page must not exceed ${maxRow}. Narrow the search, or get all results from GET /api/v1/export with the same filters, or page by page with after.`,
    params: { code: 'page_too_deep' } satisfies FaultDetails,
  },
};
