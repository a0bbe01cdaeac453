import { z } from 'zod';
import { isToken } from '#accounts/pepper.ts';
import { isActive } from '#accounts/plans.ts';
import { feedTokenOf, maxSearches, type SavedSearch, type SearchHead } from '#accounts/saved-search.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { maxEntries, readFeed, requirePlanToSave, saveSearch } from '#outbound/follow-search.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { type FieldError, Problem } from '#src/problem.ts';
import { answerObject, caching, deletedAnswer, moment, notModified } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { toProblem } from '../parse/faults.ts';
import { toSearchQuery } from '../parse/query-parameters.ts';
import { collectFields, filtersField, nameOf, readFilters } from '../parse/read-body.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { keyOf } from '../request-state.ts';
import { sendJson, sendRevalidatableText } from '../send.ts';
import { type AtomEntry, writeAtom } from '../write-atom.ts';

const searchBody = z.strictObject(
  { name: nameOf('What the search is called.'), filters: filtersField },
  'The body must be a JSON object, such as {"name":"Radio in Texas","filters":{"q":"radio","region":"Texas"}}.',
);

export const searchAnswer = answerObject('SavedSearch', {
  id: z.string(),
  name: z.string(),
  filters: z
    .record(z.string(), z.string())
    .describe('As parameters of searches and exports: several values of one are separated by `|`.'),
  created_at: moment,
  feed_url: z
    .string()
    .describe(
      'Its Atom feed. Anyone with this URL can read the feed, and nothing else. Keep it as you keep a password.',
    ),
});

export const searchesAnswer = answerObject('SavedSearches', { searches: z.array(searchAnswer).describe('By name.') });

const aSearch = { access: 'key', scope: 'search' } as const;
const searchPath = z.object({ id: z.string().describe('The id of the saved search.') });

export function getSearches(deps: AppDeps): Endpoint {
  return {
    ...aSearch,
    operationId: 'findSearches',
    answer: { schema: searchesAnswer },
    async handle(_req, res) {
      const searches = await deps.searches.list(keyOf(res).hash);
      await sendJson(res, { searches: searches.map((search) => presentSearch(search, deps)) });
    },
  };
}

export function postSearch(deps: AppDeps): Endpoint {
  return {
    ...aSearch,
    operationId: 'saveSearch',
    facts: { maxSearches },
    body: {
      schema: searchBody,
      example: { name: 'Radio in Texas', filters: { q: 'radio', region: 'Texas' } },
      maxKilobytes: 64,
    },
    answer: { schema: searchAnswer },
    errors: ['plan_expired', 'search_unavailable', 'meaning_unavailable', 'too_many_searches'],
    async handle(req, res) {
      res.json(await answerSaved(deps, req.body, keyOf(res)));
    },
  };
}

/** Saves the search of a body, for MCP too. Throws Problem `invalid_request`, and what saveSearch throws. */
export async function answerSaved(deps: SearchDeps, body: unknown, key: StoredKey) {
  const faults: FieldError[] = [];
  const fields = collectFields(body, searchBody, faults);
  const selection = readFilters(body, faults);
  if (selection?.values.list?.any.length)
    faults.push({ in: 'body', name: 'filters.list', code: 'invalid', message: noList });
  if (fields === null || selection === null || faults.length > 0) throw toProblem(faults);
  const newSearch = {
    name: fields.name,
    filters: Object.fromEntries(selection.givenParameters),
    query: toSearchQuery(selection.values),
  };
  return presentSearch(await saveSearch(deps, newSearch, key), deps);
}

const noList =
  'A saved search follows all media, and you decide what is in a list. Leave out list, or put ! before it.';

export type SearchDeps = Parameters<typeof saveSearch>[0] & Pick<AppDeps, 'publicUrl' | 'pepper'>;

export function deleteSearch({ searches }: AppDeps): Endpoint {
  return {
    ...aSearch,
    operationId: 'deleteSearch',
    path: searchPath,
    answer: { schema: deletedAnswer },
    errors: ['not_found'],
    async handle(req, res) {
      if (!(await searches.remove(keyOf(res).hash, req.params.id))) throw noSuchSearch();
      res.json({ deleted: true });
    },
  };
}

export function postFeedToken(deps: AppDeps): Endpoint {
  return {
    ...aSearch,
    operationId: 'replaceFeedToken',
    path: searchPath,
    answer: { schema: searchAnswer },
    errors: ['plan_expired', 'not_found'],
    async handle(req, res) {
      const key = keyOf(res);
      requirePlanToSave(key, deps.now());
      const search = await deps.searches.replaceToken(key.hash, req.params.id);
      if (search === null) throw noSuchSearch();
      res.json(presentSearch(search, deps));
    },
  };
}

function noSuchSearch(): Problem {
  return new Problem(
    'not_found',
    'Your account has no saved search with this id. GET /api/v1/searches shows its searches.',
  );
}

function presentSearch(search: SearchHead, deps: Pick<AppDeps, 'publicUrl' | 'pepper'>): z.output<typeof searchAnswer> {
  const { id, name, filters, createdAt } = search;
  return { id, name, filters, created_at: createdAt, feed_url: feedUrlOf(search, deps) };
}

function feedUrlOf(search: SearchHead, { publicUrl, pepper }: Pick<AppDeps, 'publicUrl' | 'pepper'>): string {
  return `${publicUrl}/api/v1/searches/${search.id}/feed?token=${feedTokenOf(search, pepper)}`;
}

const feedParameters = z.object({ token: z.string().default('').describe('The token in `feed_url`.') });

export function getFeed(deps: AppDeps): Endpoint {
  return {
    operationId: 'readFeed',
    facts: { maxEntries },
    access: 'open',
    path: searchPath,
    query: feedParameters,
    answer: { schema: { 'application/atom+xml': { schema: z.string() } }, headers: caching },
    others: notModified,
    errors: ['search_unavailable', 'not_found'],
    async handle(req, res) {
      const { token } = readParameters(req.originalUrl, feedParameters).values;
      const search = await deps.searches.find(req.params.id);
      const key =
        search && isToken(token, feedTokenOf(search, deps.pepper)) ? await deps.keys.find(search.account) : null;
      if (search === null || key === null || key.revokedAt !== null) {
        throw new Problem('not_found', 'No feed has this URL. It was replaced, or its search was deleted.');
      }
      const feed = await presentFeed(deps, search, key);
      await sendRevalidatableText(res, feed, 'application/atom+xml');
    },
  };
}

async function presentFeed(deps: AppDeps, search: SavedSearch, key: StoredKey): Promise<string> {
  const faults: FieldError[] = [];
  const selection = readFilters(search, faults);
  if (selection === null) throw toProblem(faults);
  const entries = await readFeed(deps, search, toSearchQuery(selection.values), key);
  const { publicUrl } = deps;
  const ended = `Your plan ended at ${key.plan.expiresAt}: this feed stands still until you buy a new one.`;
  return writeAtom({
    id: tagOf(publicUrl, `searches/${search.id}`),
    title: search.name,
    ...(!isActive(key.plan, deps.now()) && { subtitle: ended }),
    updated: entries[0]?.metAt ?? search.createdAt,
    self: feedUrlOf(search, deps),
    author: 'Masthead',
    entries: entries.map(({ record, metAt }) => presentEntry(record, metAt, publicUrl)),
  });
}

function presentEntry(record: MediaRecord, metAt: string, publicUrl: string): AtomEntry {
  const { id, name, kind, city, region, country_name, description, contact_name, contact_title, email } = record;
  const facts = [kind, [city, region, country_name], description, [contact_name, contact_title, email]];
  const path = `media/${encodeURIComponent(id)}`;
  return {
    id: tagOf(publicUrl, path),
    title: name,
    url: `${publicUrl}/${path}`,
    updated: metAt,
    categories: record.categories,
    summary: facts.flatMap((fact) => [fact].flat().filter(Boolean).join(', ') || []).join('. '),
  };
}

/** An id that never changes (RFC 4151). */
function tagOf(publicUrl: string, path: string): string {
  return `tag:${new URL(publicUrl).hostname},2026:${path}`;
}
