import { z } from 'zod';
import type { Caller } from '#accounts/stored-key.ts';
import { facetFields } from '#records/fields.ts';
import { openQuery } from '#search/lists.ts';
import { isFiller, readParts } from '#search/search-words.ts';
import { findNearestWord } from '#text/edit-distance.ts';
import { foldedWords, nameKey } from '#text/fold.ts';
import type { AppDeps } from './app-deps.ts';
import { filterSchema, toSearchQuery } from './parse/parameters.ts';

/** Another request that finds something: the same without one of its parts, or with that corrected. */
export const suggestion = z
  .strictObject({
    q: z.string().optional().describe('The text to search for; absent if none is left.'),
    filters: z
      .record(z.string(), z.string())
      .optional()
      .describe('The other parameters, several values separated by |; absent if none are left.'),
    drops: z.string().describe('What was dropped or corrected: the name of a parameter, or words of `q`.'),
    total: z.int().min(1).describe('How many records this finds.'),
  })
  .meta({ id: 'Suggestion' });

type Suggestion = z.output<typeof suggestion>;

/** The parameters of a request by their names, and which part of another request is not in it. */
interface Change {
  given: Map<string, string>;
  drops: string;
}

const maxSuggestions = 3;
/** Each change is a search, so a long request is not tried without each of its words. */
const maxChanges = 12;
/** The most words that have one meaning together. */
const maxWords = 5;

/**
 * At most three requests, each found by dropping or correcting one part of a request that finds nothing: corrections first,
 * then those that find what was typed and not only what is near it, then those that find the fewest records and so drop least.
 *
 * @param asked all parameters of the request; those that select no records are ignored
 */
export async function suggestSearches(
  deps: Pick<AppDeps, 'index' | 'lists' | 'mergedIds'>,
  asked: URLSearchParams,
  caller: Caller,
): Promise<Suggestion[]> {
  const given = new Map([...asked].filter(([name]) => name in filterSchema.shape));
  const search = async (changed: ReadonlyMap<string, string>) => {
    const { query } = await openQuery(deps, toSearchQuery(filterSchema.parse(Object.fromEntries(changed))), caller);
    return query;
  };
  const corrections = listCorrections(given, await findNear());
  const drops = listDrops(given).filter((change) => change.given.size > 0);
  const counted = await Promise.all(
    [...corrections, ...drops].slice(0, maxChanges).map(async (change, place) => {
      const { total, isCorrected } = await deps.index.search(await search(change.given), firstRow, 'masked');
      return { ...change, total, rank: place < corrections.length ? 0 : 1 + Number(isCorrected) };
    }),
  );
  return counted
    .filter(({ total }) => total > 0)
    .sort((a, b) => a.rank - b.rank || a.total - b.total)
    .slice(0, maxSuggestions)
    .map(({ given, drops, total }) => {
      const { q, ...filters } = Object.fromEntries(given);
      return { ...(q && { q }), ...(Object.keys(filters).length > 0 && { filters }), drops, total };
    });

  /** Of each value of an open list, the nearest that the other parts of the request find. */
  async function findNear(): Promise<Map<string, string>> {
    const near = new Map<string, string>();
    for (const { key, filter, facet } of facetFields) {
      const typed = facet.isOpen && given.get(filter.parameter);
      if (!typed || /[|!]/.test(typed)) continue;
      const { counts } = await deps.index.countFacets(await search(without(given, filter.parameter)));
      const nearest = findNearestWord(
        typed,
        counts[key].map(({ value }) => value),
      );
      if (nearest !== null) near.set(filter.parameter, nearest);
    }
    return near;
  }
}

const firstRow = { sort: { key: 'relevance', reversed: false }, offset: 0, limit: 1 } as const;

/** With a value near to one that was given, a region for a city, words for a phrase, or typo tolerance. */
function listCorrections(given: ReadonlyMap<string, string>, near: ReadonlyMap<string, string>): Change[] {
  const changes = Array.from(near, ([name, value]) => ({ given: new Map(given).set(name, value), drops: name }));
  const swap = (name: string, other: string) => {
    const value = given.get(name);
    if (value === undefined || given.has(other)) return;
    changes.push({ given: new Map(without(given, name)).set(other, value), drops: name });
  };
  swap('city', 'region');
  swap('region', 'city');
  const q = given.get('q') ?? '';
  if (q.includes('"')) changes.push({ given: new Map(given).set('q', q.replaceAll('"', '')), drops: '"' });
  if (given.has('strict')) changes.push({ given: without(given, 'strict'), drops: 'strict' });
  return changes;
}

/** Without one parameter, or without words of the text that belong together. */
function listDrops(given: ReadonlyMap<string, string>): Change[] {
  const changes = [...given.keys()]
    .filter((name) => name !== 'match' && name !== 'strict')
    .map((name) => ({ given: without(given, name), drops: name }));
  const parts = splitText(given.get('q') ?? '');
  if (parts.length < 2) return changes;
  const shorter = parts.map((part, place) => ({
    given: new Map(given).set('q', parts.toSpliced(place, 1).join(' ')),
    drops: part,
  }));
  return [...shorter, ...changes];
}

function without(given: ReadonlyMap<string, string>, name: string): Map<string, string> {
  return new Map([...given].filter(([other]) => other !== name));
}

/** `best newspapers in new york` → `best newspapers`, `in new york`: small words belong to what follows. */
function splitText(q: string): string[] {
  const pieces = q.match(/-?"[^"]*"?|\S+/g) ?? [];
  const parts: string[] = [];
  let small: string[] = [];
  for (let start = 0; start < pieces.length; ) {
    const isOne = (length: number) => {
      const [part, ...others] = readParts(foldedWords(pieces.slice(start, start + length).join(' ')));
      return others.length === 0 && part !== undefined && part.words.length === length && part.concepts.length > 0;
    };
    const length = [maxWords, 4, 3, 2].find((length) => start + length <= pieces.length && isOne(length)) ?? 1;
    const own = pieces.slice(start, start + length);
    start += length;
    if (length === 1 && start < pieces.length && isFiller(nameKey(own.join('')))) small.push(...own);
    else {
      parts.push([...small, ...own].join(' '));
      small = [];
    }
  }
  return parts;
}
