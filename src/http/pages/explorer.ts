import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import { anonymous } from '#accounts/stored-key.ts';
import { rangeBounds } from '#records/field-definition.ts';
import { fields, filterFields, identityFields, presenceFields, rangeFields } from '#records/fields.ts';
import { openQuery } from '#search/lists.ts';
import type { Filter, SearchQuery } from '#search/search-query.ts';
import { searchRecords } from '#search/search-records.ts';
import { fitsPage, maxQuery } from '#web/render.js';
import { presentFacets } from '../api/facets.ts';
import { presentPage, searchSchema, toSearchRequest } from '../api/search.ts';
import type { AppDeps } from '../app-deps.ts';
import { requireAdmission } from '../endpoint.ts';
import { invalidRequest } from '../parse/faults.ts';
import { pageShape } from '../parse/parameters.ts';
import { queryOf, readParameters } from '../parse/read-request.ts';
import { readProblem } from '../problem-answers.ts';
import { suggestSearches } from '../suggest-searches.ts';
import { answerPage, createPageRenderer, presentFault, presentSending } from './page.ts';

/** The counts among the facets that are drawn above the bounds of the audience. */
const histogram = { list: 'audiences', upTo: 'max_audience' };

/** Labels that say more than the parameter's name. */
const labels: Record<string, string> = {
  named: 'With a known contact person',
  has_email: 'With a known email',
  strict: 'Exactly as typed',
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
 * GET /: what GET /search finds for its URL, or its error, for a visitor without a key. A URL that says the same
 * otherwise than the page's controls do is redirected to the one that they make.
 */
export function handleExplorer(deps: AppDeps): RequestHandler {
  const { render, policy } = createPageRenderer(deps);
  const service = { filters: filterInfos, ...presentSending(deps), serviceUrl: deps.publicUrl };
  const head = [`<link rel="canonical" href="${deps.publicUrl}/">`];
  return async (req, res) => {
    const asked = new URLSearchParams(queryOf(req.originalUrl));
    const query = new URLSearchParams([...asked].filter(([name]) => !tracking.test(name)));
    const found = await find(query, res, deps).catch((error: unknown) => ({
      ...{ found: null, facets: null, written: query },
      fault: presentFault(readProblem(error, res, deps.log), res),
    }));
    const { written, ...shown } = found;
    if (query.size < asked.size || written !== query) {
      res.redirect(302, written.size === 0 ? './' : `./?${written}`);
      return;
    }
    await answerPage(res, render({ page: 'explorer', data: { ...shown, ...service }, query, head }), policy);
  };
}

/** Those of GET /search that people use, and the page's own: it shows whole records, and as many as it has room for. */
const parameters = searchSchema({
  page: pageShape().page,
  view: z.string().optional(),
  columns: z.array(z.string()).optional(),
  record: z.string().optional(),
});

/** What mailings, advertisements and social media add to links: a followed link must not end in an error. */
const tracking = /^(?:utm_[a-z_]+|fbclid|gclid|msclkid|mc_[ce]id)$/;

const tooLong = `This page shows searches of at most ${maxQuery.characters} characters and ${maxQuery.values} values. Leave some out, or use GET /api/v1/search.`;

/** Reads no query that is too long. `written`: as the page's controls write it; if it differs, nothing else. */
async function find(query: URLSearchParams, res: Response, deps: AppDeps) {
  requireAdmission(res);
  const { index, now } = deps;
  if (!fitsPage(query)) throw invalidRequest({ in: 'query', name: 'URL', code: 'too_long', wrong: tooLong });
  const { values, given } = readParameters(`?${query}`, parameters);
  const request = toSearchRequest(values);
  const written = writeFilters(given, request.query);
  if (String(written) !== String(given)) return { written };
  // The module of the page asks again for a list, with its account.
  const opened = (await openQuery(deps, request.query, anonymous)).query;
  const [page, facets] = await Promise.all([
    searchRecords(index, { ...request, query: opened }, anonymous, now()),
    index.countFacets(opened, true),
  ]);
  const suggestions = page.total === 0 ? await suggestSearches(deps, given, anonymous) : undefined;
  return {
    found: presentPage(page, null, suggestions),
    facets: presentFacets(facets, opened),
    fault: null,
    written: query,
  };
}

/** Parameters that are on, or say nothing. */
const switches: ReadonlySet<string> = new Set(['strict', ...presenceFields.map(({ presence }) => presence.parameter)]);

/** What was read, in the one form that pages compare: `us` as `US`, `has_email=true` as `1`, `=0` not at all. */
export function writeFilters(given: URLSearchParams, { text, filters }: SearchQuery): URLSearchParams {
  const texts = new Map(filters.map((filter) => [parameterOf(filter), textOf(filter)]));
  if (text?.isStrict) texts.set('strict', '1');
  const written = new URLSearchParams();
  for (const [name, typed] of given) {
    if (!switches.has(name) || texts.has(name)) written.set(name, texts.get(name) ?? typed);
  }
  return written;
}

function parameterOf(filter: Filter): string {
  if ('field' in filter) return findRow(filterFields, filter.field).filter.parameter;
  if ('identity' in filter) return findRow(identityFields, filter.identity).identity.parameter;
  if ('present' in filter) return findRow(presenceFields, filter.present).presence.parameter;
  return findRow(rangeFields, filter.range).range[filter.bound] ?? filter.bound;
}

/** Null for what is not from a list of values. */
function textOf(filter: Filter): string | null {
  if ('present' in filter) return '1';
  if ('range' in filter) return typeof filter.value === 'number' ? String(filter.value) : writeTime(filter.value);
  const { allowed } =
    'field' in filter ? findRow(filterFields, filter.field).filter : findRow(identityFields, filter.identity).identity;
  return allowed === undefined ? null : [...filter.any, ...filter.none.map((value) => `!${value}`)].join('|');
}

/** As fields for dates and times take it: a day at midnight, otherwise without the zone, which is UTC. */
function writeTime(iso: string): string {
  return iso.replace(/T00:00:00\.000Z$/, '').replace(/(?::00)?\.000Z$|Z$/, '');
}

function findRow<Field extends { key: string }>(fields: readonly Field[], key: Field['key']): Field {
  const found = fields.find((field) => field.key === key);
  if (found === undefined) throw new Error(`The registry has no ${key} of this kind.`);
  return found;
}
