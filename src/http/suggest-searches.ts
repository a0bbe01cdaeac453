import { z } from 'zod';
import type { Caller } from '#accounts/stored-key.ts';
import { facetFields } from '#records/fields.ts';
import { maxWordsOfName } from '#search/concept-words.ts';
import { openQuery } from '#search/lists.ts';
import { isFiller } from '#search/query-words.ts';
import { readAudience } from '#search/read-audience.ts';
import { readParts } from '#search/read-parts.ts';
import { firstPage, withWholeText } from '#search/search-query.ts';
import type { FieldError } from '#src/problem.ts';
import { findNearestWord } from '#text/edit-distance.ts';
import { foldedWords, isSpaceless, nameKey } from '#text/fold.ts';
import { findPage } from '#text/pages.ts';
import type { AppDeps } from './app-deps.ts';
import { toProblem } from './parse/faults.ts';
import { filterSchema, toSearchQuery } from './parse/parameters.ts';
import { readObject } from './parse/read-parameters.ts';

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

/** The parameters of another request, and which part of the first is not in it. */
interface Change {
  given: ReadonlyMap<string, string>;
  drops: string;
}

const maxSuggestions = 3;
/** How many changes are tried. Each is a search, so a long request is not tried without each of its words. */
const maxCounts = 8;

const oneWord = /^[\p{L}\p{M}\p{N}]+$/u;
/** In UTF-16 code units. Of a shorter word, too little can be right. */
const minMistyped = 6;
/** How much of the beginning of a mistyped word is looked for in records, and in how many of these. */
const partsThatMayBeRight = [2 / 3, 1 / 2];
const recordsRead = 100;

/**
 * Suggests at most three requests instead of one that finds nothing, each with one part corrected or dropped. Corrections
 * come first, then requests that find what was typed without correcting it, then those with the fewest records, as they drop
 * least. `asked` may have parameters that select no records.
 */
export async function suggestSearches(
  deps: Pick<AppDeps, 'index' | 'lists' | 'mergedIds'>,
  asked: URLSearchParams,
  caller: Caller,
): Promise<Suggestion[]> {
  const given = new Map([...asked].filter(([name]) => name in filterSchema.shape));
  const search = async (changed: Change['given']) => {
    const faults: FieldError[] = [];
    const read = readObject(Object.fromEntries(changed), filterSchema, faults);
    if (read === null) throw toProblem(faults);
    return (await openQuery(deps, toSearchQuery(read.values), caller)).query;
  };
  /** A change can make a text longer than the limit, a list longer than its own, or parts that are no values. */
  const isValid = (changed: Change) => readObject(Object.fromEntries(changed.given), filterSchema, []) !== null;
  const open = facetFields.filter(
    ({ filter, facet }) => facet.isOpen && /^[^|!]+$/.test(given.get(filter.parameter) ?? ''),
  );
  const near = await Promise.all([...open.map(findNear), findNearWord()]);
  const corrections = listCorrections(given, near.flat()).filter(isValid);
  const drops = listDrops(given).filter((change) => change.given.size > 0 && isValid(change));
  const counted = await Promise.all(
    [...corrections, ...drops].slice(0, maxCounts - open.length).map(async (change, place) => {
      const query = withWholeText(await search(change.given));
      const { total, isCorrected } = await deps.index.search(query, firstPage(1), 'masked');
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

  /** The request with the value of an open list corrected to the nearest one that the other parts find. */
  async function findNear({ key, filter: { parameter: name } }: (typeof open)[number]): Promise<Change[]> {
    const { counts } = await deps.index.countFacets(await search(change(given, name, { [name]: null }).given));
    const values = counts[key].map(({ value }) => value);
    const nearest = findNearestWord(given.get(name) ?? '', values);
    return nearest === null ? [] : [change(given, name, { [name]: nearest })];
  }

  /** The request with a word that records have instead of the only one typed, which has too many typos to be forgiven. */
  async function findNearWord(): Promise<Change[]> {
    const typed = given.get('q')?.trim() ?? '';
    const [word = ''] = foldedWords(typed);
    if (!oneWord.test(typed) || word.length < minMistyped || isSpaceless(word) || given.has('match')) return [];
    for (const part of partsThatMayBeRight) {
      const beginning = word.slice(0, Math.ceil(word.length * part));
      const query = await search(change(given, typed, { q: beginning, strict: '1' }).given);
      const { records } = await deps.index.search(query, firstPage(recordsRead), 'masked');
      const words = records.flatMap(({ name, aliases, tags, description }) =>
        [name, ...aliases, ...tags, description ?? ''].flatMap(foldedWords),
      );
      const nearest = findNearestWord(word, new Set(words));
      if (nearest !== null) return [change(given, typed, { q: nearest })];
    }
    return [];
  }
}

/** The request with other values of some parameters, or without them. */
function change(given: Change['given'], drops: string, others: Record<string, string | null>): Change {
  const changed = Object.entries({ ...Object.fromEntries(given), ...others });
  return { drops, given: new Map(changed.filter((entry): entry is [string, string] => entry[1] !== null)) };
}

/**
 * Corrections: commas as separators, a near value, a region for a city and back, words for a phrase, the host for a URL with a
 * path, and typo tolerance.
 */
function listCorrections(given: Change['given'], near: readonly Change[]): Change[] {
  const [q = '', city, region] = ['q', 'city', 'region'].map((name) => given.get(name));
  const several = [...given].filter(([name, value]) => name !== 'q' && value.includes(','));
  return [
    ...several.map(([name, value]) => change(given, name, { [name]: value.replaceAll(',', '|') })),
    ...near,
    ...(city && !region ? [change(given, 'city', { city: null, region: city })] : []),
    ...(region && !city ? [change(given, 'region', { region: null, city: region })] : []),
    ...(q.includes('"') ? [change(given, '"', { q: q.replaceAll('"', '') })] : []),
    ...typedPages(q).map(({ typed, host }) => change(given, typed, { q: q.replace(typed, host) })),
    ...(given.has('strict') ? [change(given, 'strict', { strict: null })] : []),
  ];
}

/** The typed URLs with a path, as they were typed. */
function typedPages(q: string): { typed: string; host: string }[] {
  return q.split(/\s+/).flatMap((typed) => {
    const page = findPage(typed);
    return page === null || page.path === '' ? [] : [{ typed, host: page.host }];
  });
}

/** The requests without one parameter, or without words of the text that belong together. */
function listDrops(given: Change['given']): Change[] {
  const names = [...given.keys()].filter((name) => !['match', 'strict', 'whole'].includes(name));
  const { rest, said } = readAudience(given.get('q') ?? '');
  const parts = [...splitText(rest), ...(said === '' ? [] : [said])];
  const shorter = parts.map((part, place) => change(given, part, { q: parts.toSpliced(place, 1).join(' ') }));
  return [...names.map((name) => change(given, name, { [name]: null })), ...(parts.length < 2 ? [] : shorter)];
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
    const length = [maxWordsOfName, 4, 3, 2].find((length) => start + length <= pieces.length && isOne(length)) ?? 1;
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
