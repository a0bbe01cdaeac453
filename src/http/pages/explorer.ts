import type { RequestHandler, Response } from 'express';
import { anonymous } from '#accounts/stored-key.ts';
import { openQuery } from '#search/lists.ts';
import type { SearchQuery } from '#search/search-query.ts';
import { searchRecords } from '#search/search-records.ts';
import { fitsPage, maxQuery } from '#web/render.js';
import { countFacets } from '../api/facets.ts';
import { presentPage, searchParameters } from '../api/search.ts';
import type { AppDeps } from '../app-deps.ts';
import { requireAdmission } from '../middleware/admit.ts';
import { readProblem } from '../middleware/handle-problems.ts';
import { invalidRequest } from '../parse/faults.ts';
import { queryOf, readParameters } from '../parse/read-parameters.ts';
import { writeFilters } from '../parse/write-parameters.ts';
import { filterInfos } from './filter-infos.ts';
import { listFormatNames } from './format-names.ts';
import { answerPage, presentFault } from './page-answer.ts';
import { createPageRenderer } from './web-page.ts';

/**
 * GET /: the explorer with the results of its URL, for a visitor without a key. It reads and refuses what GET /search
 * does, and what is too long for a page, and is rendered with the error where that would answer with one. A URL that says the same otherwise than the page's
 * controls do is redirected to the one that they make.
 */
export function handleExplorer(deps: AppDeps): RequestHandler {
  const { render, policy } = createPageRenderer(deps);
  const service = {
    filters: filterInfos,
    formats: listFormatNames(deps),
    serviceUrl: deps.publicUrl,
  };
  const head = [`<link rel="canonical" href="${deps.publicUrl}/">`];
  return async (req, res) => {
    const asked = new URLSearchParams(queryOf(req.originalUrl));
    const query = new URLSearchParams([...asked].filter(isMeant).map(writeDigits));
    const read = readQuery(query);
    if (String(query) !== String(asked) || read.isRewritten) {
      res.redirect(302, read.query.size === 0 ? './' : `./?${read.query}`);
      return;
    }
    const found = await find(read.values, res, deps).catch((error: unknown) => ({
      ...nothingFound,
      fault: presentFault(readProblem(error, res, deps.log), res),
    }));
    await answerPage(res, render({ page: 'explorer', data: { ...found, ...service }, query, head }), policy);
  };
}

/** What only programs ask for: the page shows whole records, and as many as it has room for. */
const forPrograms = ['fields', 'per_page'];

/** Those of GET /search that people use, and the page's own. */
const pageParameters: typeof searchParameters = {
  ...searchParameters,
  names: [...searchParameters.names.filter((name) => !forPrograms.includes(name)), 'view', 'columns'],
  repeatable: searchParameters.repeatable.union(new Set(['columns'])),
};

/** What mailings, advertisements and social media add to links. */
const tracking = /^(?:utm_[a-z_]+|fbclid|gclid|msclkid|mc_[ce]id)$/;

/** Whether somebody meant it: others are refused by name, but a followed link must not end in an error. */
function isMeant([name]: [string, string]): boolean {
  return !tracking.test(name);
}

/** Those that the page has a field for numbers for. */
const numbers: ReadonlySet<string> = new Set(
  filterInfos.flatMap((info) => ('bound' in info && info.bound === 'number' ? [info.parameter] : [])),
);

/** What browsers let people type into a field for numbers (HTML: a valid floating-point number). */
const floatingPoint = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Writes 1e3, which a field for numbers sends as it was typed, as the digits that the API takes. */
function writeDigits([name, text]: [string, string]): [string, string] {
  const value = numbers.has(name) && floatingPoint.test(text) ? Number(text) : Number.NaN;
  return [name, Number.isSafeInteger(value) ? String(value) : text];
}

const tooLong = `This page shows searches of at most ${maxQuery.characters} characters and ${maxQuery.values} values. Leave some out, or use GET /api/v1/search.`;

/**
 * What the query asks for, and the query in the form that the page's controls have (`writeFilters`). An invalid one stays
 * as it is; its values throw the Problem. One that is too long for a page is not even read.
 */
function readQuery(query: URLSearchParams) {
  try {
    if (!fitsPage(query)) throw invalidRequest({ in: 'query', name: 'URL', code: 'too_long', wrong: tooLong });
    const { values, given } = readParameters(`?${query}`, pageParameters);
    const written = writeFilters(given, values.query);
    return { values: () => values, query: written, isRewritten: String(written) !== String(given) };
  } catch (error) {
    const values = () => {
      throw error;
    };
    return { values, query, isRewritten: false };
  }
}

const nothingFound = { found: null, facets: null, overview: null };

/** A page of results, what could be filtered by, and on the first look how fresh the database is. */
async function find(read: ReturnType<typeof readQuery>['values'], res: Response, deps: AppDeps) {
  requireAdmission(res);
  const { index, now } = deps;
  const asked = read();
  // The module of the page asks again for a list, with its account.
  const values = { ...asked, query: (await openQuery(deps, asked.query, anonymous)).query };
  const isFirstLook = values.query.text === null && values.query.filters.length === 0 && values.page === 1;
  const [page, facets, overview] = await Promise.all([
    searchRecords(index, values, anonymous, now()),
    countFacets(index, values.query, true),
    isFirstLook ? lookAround(index, values.query) : null,
  ]);
  return { found: presentPage(page, null), facets, overview, fault: null };
}

/** How fresh the records of a query are. */
async function lookAround(index: AppDeps['index'], query: SearchQuery) {
  const newest = { sort: { key: 'updated', reversed: false }, offset: 0, limit: 1 } as const;
  const { records } = await index.search(query, newest, 'masked');
  return { updatedAt: records[0]?.updated_at ?? null };
}
