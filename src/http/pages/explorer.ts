import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import { anonymous } from '#accounts/stored-key.ts';
import { rangeBounds } from '#records/field-definition.ts';
import { fields, filterFields, identityFields, presenceFields, rangeFields } from '#records/fields.ts';
import { openQuery } from '#search/lists/lists.ts';
import { ofRows } from '#search/search-query.ts';
import { fitsPage, maxQuery, usualSort } from '#web/render.js';
import { contactsSchema, presentContacts } from '../api/contacts.ts';
import { presentFacets } from '../api/facets.ts';
import { findOpened, searchSchema, toSearchRequest } from '../api/search.ts';
import type { AppDeps } from '../app-deps.ts';
import { presentPage } from '../page-answer.ts';
import { toProblem } from '../parse/faults.ts';
import { queryOf, readParameters } from '../parse/read-parameters.ts';
import { pageShape } from '../parse/result-parameters.ts';
import { readProblem } from '../problem-answers.ts';
import { requireAdmission } from '../request-state.ts';
import { answerPage, createPageRenderer, presentFault, presentSending } from './page.ts';
import { presentPitch } from './plans.ts';
import type { StockReader } from './stock.ts';

/** The counts among the facets that are drawn above the bounds of the audience. */
const histogram = { list: 'audiences', upTo: 'max_audience' };

const labels: Record<string, string> = {
  category: 'Topic',
  named: 'Person known',
  has_email: 'Has an address',
  strict: 'Exactly as typed',
  whole: 'With every word typed',
  created_since: 'Added since',
  created_before: 'Added before',
};

/** The filters of the registry, as the explorer shows them: a new filter needs no change in src/web/. */
const filterInfos = [
  ...filterFields
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map(({ filter, facet, vocabulary }) => ({
      parameter: filter.parameter,
      label: labelOf(filter.parameter),
      ...(facet ? { list: facet.list, ...(facet.isOpen && { isOpen: true }) } : vocabulary && { values: vocabulary }),
    })),
  ...listBounds('integer').map((bound) => ({ ...bound, ...(bound.parameter === 'min_audience' && { histogram }) })),
  ...presenceFields.map(({ presence: { parameter } }) => ({ parameter, label: labelOf(parameter), isSwitch: true })),
  ...listBounds('date'),
  { parameter: 'strict', label: labelOf('strict'), isSwitch: true },
  { parameter: 'whole', label: labelOf('whole'), isSwitch: true },
  ...identityFields.map(({ identity: { parameter } }) => ({ parameter, label: labelOf(parameter) })),
];

function listBounds(type: 'date' | 'integer') {
  const parameters = rangeFields
    .filter((field) => field.type === type)
    .flatMap(({ range }) => rangeBounds.map((bound) => range[bound]));
  return parameters
    .filter((parameter) => parameter !== undefined)
    .map((parameter) => ({ parameter, label: labelOf(parameter), bound: type === 'date' ? 'date' : 'number' }));
}

/** Filters with facets come in the order of their lists, the others after them. */
function placeOf({ facet, key }: (typeof filterFields)[number]): number {
  return facet?.position ?? 100 + fields.findIndex((field) => field.key === key);
}

function labelOf(parameter: string): string {
  const words = parameter.replaceAll('_', ' ');
  return labels[parameter] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * GET / and GET /people: what GET /search or /contacts finds for its URL, or its error, for a visitor without a key. The start page
 * also says what the service is and has.
 */
export function handleExplorer(deps: AppDeps, readStock: StockReader, of: PageOf = 'media'): RequestHandler {
  const { render, policy } = createPageRenderer(deps);
  const service = { of, filters: filterInfos, ...presentSending(deps), serviceUrl: deps.publicUrl };
  const path = of === 'people' ? 'people' : '';
  const head = [`<link rel="canonical" href="${deps.publicUrl}/${path}">`];
  return async (req, res) => {
    const typedQuery = new URLSearchParams(queryOf(req.originalUrl));
    const query = new URLSearchParams([...typedQuery].filter(([name]) => !tracking.test(name)));
    if (query.size < typedQuery.size) return redirectTo(path, query, res);
    const answer = await find(query, res, deps, of).catch((error: unknown) => ({
      found: null,
      facets: null,
      givenParameters: query,
      fault: presentFault(readProblem(error, res, deps.log), res),
    }));
    const { givenParameters, ...data } = answer;
    if (hasOtherForm(query, givenParameters)) return redirectTo(path, givenParameters, res);
    const isStart = of === 'media' && query.size === 0 && data.fault === null && data.found.total > 0;
    const pitch = isStart ? presentPitch(deps, await readStock(data.found.total), data.found.total) : null;
    await answerPage(res, render({ page: 'explorer', data: { ...data, ...service, pitch }, query, head }), policy);
  };
}

function redirectTo(path: string, query: URLSearchParams, res: Response): void {
  res.redirect(302, query.size === 0 ? `./${path}` : `./${path}?${query}`);
}

/** Whether a query has `country[]=US` or `country=US,CA`, which the API takes: pages know `country=US|CA` alone. */
function hasOtherForm(query: URLSearchParams, givenParameters: URLSearchParams): boolean {
  return [...query].some(([name, value]) => {
    const plain = givenParameters.get(name);
    return plain === null
      ? name.endsWith(']') && givenParameters !== query
      : value.includes(',') && !plain.includes(value.trim());
  });
}

/** Those of GET /search that people use, and the page's own: it shows whole records, and as many as it has room for. */
const ofPage = {
  page: pageShape().page,
  view: z.string().optional(),
  columns: z.array(z.string()).optional(),
  record: z.string().optional(),
};
const parameters = { media: searchSchema(ofPage), people: contactsSchema(ofPage) };
type PageOf = keyof typeof parameters;

/** What mailings, advertisements and social media add to links: a followed link must not end in an error. */
const tracking = /^(?:utm_[a-z_]+|fbclid|gclid|msclkid|mc_[ce]id)$/;

const tooLong = `This page shows searches of at most ${maxQuery.characters} characters and ${maxQuery.values} values. Leave some out, or use GET /api/v1/search.`;

async function find(query: URLSearchParams, res: Response, deps: AppDeps, of: PageOf) {
  requireAdmission(res);
  if (!fitsPage(query)) throw toProblem([{ in: 'query', name: 'URL', code: 'too_long', message: tooLong }]);
  const { values, givenParameters } = readParameters(`?${query}`, parameters[of]);
  const isReachable =
    !givenParameters.has('sort') && usualSort({ of, q: givenParameters.get('q') ?? '' }) === 'reachable';
  const request = toSearchRequest(isReachable ? { ...values, sort: { key: 'reachable', reversed: false } } : values);
  // The module of the page asks again for a list, with its account.
  const { query: openedQuery } = await openQuery(deps, request.query, anonymous);
  const opened = ofRows(openedQuery, of === 'people' ? 'contacts' : 'records');
  const [{ page, suggestions }, facets] = await Promise.all([
    findOpened(deps, { ...request, query: opened }, { givenParameters, caller: anonymous }),
    deps.index.countFacets(opened, { audiences: true }),
  ]);
  const q = givenParameters.get('q');
  return {
    found: of === 'people' ? presentContacts(page, { q, suggestions }) : presentPage(page, null, { q, suggestions }),
    facets: presentFacets(facets, opened, q),
    fault: null,
    givenParameters,
  };
}
