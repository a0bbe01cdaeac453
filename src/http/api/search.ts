import { createHmac } from 'node:crypto';
import type { Response } from 'express';
import type { z } from 'zod';
import type { Caller } from '#accounts/stored-key.ts';
import { indexVersion } from '#search/indexed/index-maintenance.ts';
import { openQuery } from '#search/lists/lists.ts';
import type { Position, SearchQuery, Sort } from '#search/search-query.ts';
import { type SearchRequest, searchRecords } from '#search/search-records.ts';
import { caching, notModified } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { examplePage, pageLinks, paging, presentPage, searchAnswer } from '../page-answer.ts';
import { toProblem } from '../parse/faults.ts';
import { aboutFilters } from '../parse/filter-parameters.ts';
import { querySchema, toSearchQuery } from '../parse/query-parameters.ts';
import { queryOf, readParameters } from '../parse/read-parameters.ts';
import { defaultPerPage, reachable, sortParameter, walkable, walkShape } from '../parse/result-parameters.ts';
import { fieldsParameter } from '../record-answer.ts';
import { callerOf, keyOf } from '../request-state.ts';
import { sendRevalidatable } from '../send.ts';
import { suggestionsParameter, suggestSearches } from '../suggest-searches.ts';

export function searchSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return querySchema({ sort: sortParameter, ...shape }).refine(reachable.isReachable, reachable.orElse);
}

const parameters = searchSchema({ fields: fieldsParameter, suggestions: suggestionsParameter, ...walkShape() }).refine(
  walkable.isWalkable,
  walkable.orElse,
);

export function toSearchRequest(values: { sort: Sort; page?: number | undefined; per_page?: number }): SearchRequest {
  const { sort, page = 1, per_page: perPage = defaultPerPage, ...selection } = values;
  return { query: toSearchQuery(selection), sort, page, perPage };
}

export function search(deps: AppDeps): Endpoint {
  return {
    operationId: 'search',
    facts: { aboutFilters },
    access: 'key or none',
    scope: 'search',
    query: parameters,
    answer: { schema: searchAnswer, example: examplePage, headers: { ...paging, ...caching } },
    others: notModified,
    errors: ['search_unavailable', 'page_too_deep', 'meaning_unavailable', 'key_missing', 'not_found'],
    async handle(req, res) {
      requireKeyToWalk(req.originalUrl, res);
      const { values, givenParameters } = readParameters(req.originalUrl, parameters);
      const asked = { givenParameters, caller: callerOf(res), suggests: values.suggestions };
      const { page, ...notes } = await findPageOrWalk(deps, toSearchRequest(values), asked);
      res.set(pageLinks(`${deps.publicUrl}/api/v1/search`, givenParameters, page, notes.next));
      await sendRevalidatable(res, presentPage(page, values.fields, { q: givenParameters.get('q'), ...notes }));
    },
  };
}

/** Throws Problem `key_missing` before anything else of the request is looked at (contract A2). */
export function requireKeyToWalk(url: string, res: Response): void {
  if (new URLSearchParams(queryOf(url)).has('after')) keyOf(res);
}

type PageDeps = Pick<AppDeps, 'index' | 'lists' | 'mergedIds' | 'now'>;

/** Who asks, and with which parameters. `suggests`: whether the answer says what to ask instead if nothing is found. */
interface Asked {
  givenParameters: URLSearchParams;
  caller: Caller;
  suggests?: boolean | undefined;
}

/** The same as findPage, for a request that may have `after`: then with the cursor of the next page, null after the last one. */
export async function findPageOrWalk(
  deps: PageDeps & Pick<AppDeps, 'identity' | 'pepper'>,
  request: SearchRequest,
  asked: Asked,
): Promise<Awaited<ReturnType<typeof findPage>> & { next?: string | null }> {
  const after = asked.givenParameters.get('after');
  if (after === null) return findPage(deps, request, asked);
  const { query } = await openQuery(deps, request.query, asked.caller);
  const cursors = await cursorsOf(deps, asked.givenParameters, query);
  const result = await findOpened(deps, { ...request, query, after: cursors.read(after) }, asked);
  return { ...result, next: result.page.next ? cursors.write(result.page.next) : null };
}

/** A page of records, and what to ask instead if there are none. */
export async function findPage(deps: PageDeps, request: SearchRequest, asked: Asked) {
  const { query } = await openQuery(deps, request.query, asked.caller);
  return findOpened(deps, { ...request, query }, asked);
}

/** The same, for a request whose query went through openQuery. */
export async function findOpened(
  deps: PageDeps,
  request: SearchRequest,
  { givenParameters, caller, suggests = true }: Asked,
) {
  const { query } = request;
  const queryWithAlso = request.page === 1 && !request.after ? { ...query, also: true as const } : query;
  const page = await searchRecords(deps.index, { ...request, query: queryWithAlso }, caller, deps.now());
  const suggestions =
    suggests && page.total === 0 ? await suggestSearches(deps, givenParameters, caller, query.rows) : undefined;
  return { page, suggestions };
}

/*
 * Cursors of a walk through all pages of a search (contract A20): a position as callers have it, opaque. It is good for the search
 * that it came from, on the same store and index: anywhere else, its values would mean other rows.
 */

/** Parameters that may change from page to page. */
const ofOnePage = ['after', 'page', 'per_page', 'fields'];

export interface CursorScope {
  read(text: string): Position | null;
  write(position: Position): string;
}

/** @param givenParameters the parameters of the request @param query the query that is asked, after openQuery */
export async function cursorsOf(
  { identity, pepper }: Pick<AppDeps, 'identity' | 'pepper'>,
  givenParameters: URLSearchParams,
  { rows, text }: SearchQuery,
): Promise<CursorScope> {
  const parameters = [...givenParameters].filter(([name]) => !ofOnePage.includes(name));
  const scope = [await identity.find(), indexVersion, rows, parameters, text?.addresses];
  const sign = (values: string) =>
    createHmac('sha256', pepper)
      .update(JSON.stringify(['cursor', scope, values]))
      .digest('base64url')
      .slice(0, 22);
  return {
    /** Null for an empty text, which stands before the first row. Throws Problem `invalid_request` for a text that is no cursor of the scope. */
    read(text) {
      if (text === '') return null;
      const [values = '', signature] = text.split('.');
      if (signature !== sign(values))
        throw toProblem([{ in: 'query', name: 'after', code: 'invalid_cursor', message }]);
      const [counted, order] = JSON.parse(Buffer.from(values, 'base64url').toString());
      return { counted, values: order };
    },
    write({ counted, values }) {
      const encoded = Buffer.from(JSON.stringify([counted, values])).toString('base64url');
      return `${encoded}.${sign(encoded)}`;
    },
  };
}

const message =
  'This is no cursor of this search. Use the next of the last answer with the same parameters, or begin again with an empty after.';
