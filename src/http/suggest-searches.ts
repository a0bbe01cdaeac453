import { z } from 'zod';
import type { Caller } from '#accounts/stored-key.ts';
import type { Contact } from '#records/contacts/contact.ts';
import { facetFields } from '#records/fields.ts';
import { openQuery } from '#search/lists/lists.ts';
import { firstPage, onlyTotal, type SearchQuery, withWholeText } from '#search/search-query.ts';
import { splitTyped, typedPages } from '#search/understanding/split-typed.ts';
import { isRecognized } from '#search/words/parts.ts';
import { readParts } from '#search/words/read-parts.ts';
import type { FieldError } from '#src/problem.ts';
import { findNearestWord } from '#text/edit-distance.ts';
import { foldedWords, isSpaceless } from '#text/fold.ts';
import { answerObject } from './answer-parts.ts';
import type { AppDeps } from './app-deps.ts';
import { toProblem } from './parse/faults.ts';
import { switchParameter } from './parse/parameter-kinds.ts';
import { filterSchema, toSearchQuery } from './parse/query-parameters.ts';
import { readObject } from './parse/read-parameters.ts';

/** Another request that finds something: the same without one of its parts, or with that corrected. */
export const suggestion = answerObject('Suggestion', {
  q: z.string().optional().describe('The text to search for; absent if none is left.'),
  filters: z
    .record(z.string(), z.string())
    .optional()
    .describe('The other parameters, several values separated by |; absent if none are left.'),
  drops: z.string().describe('What was dropped or corrected: the name of a parameter, or words of `q`.'),
  total: z.int().min(1).describe('How many results this finds.'),
});

type Suggestion = z.output<typeof suggestion>;

/** The suggestions of a page. */
export const suggestionsAnswer = {
  suggestions: suggestion
    .array()
    .max(3)
    .optional()
    .describe('Present if nothing was found: requests that find something, each with one part dropped or corrected.'),
};

/** For callers who show none: to look for them costs several searches. */
export const suggestionsParameter = switchParameter('suggestions')
  .optional()
  .describe('0: without `suggestions`. Where nothing is found, the answer then comes sooner.');

/** The parameters of another request, and which part of the first is not in it. */
interface Change {
  parameters: ReadonlyMap<string, string>;
  drops: string;
}

const maxSuggestions = 3;
/** How many changes are tried. Each is a search, so a long request is not tried without each of its words. */
const maxCounts = 8;

/** In parts. */
const minLong = 5;

const oneWord = /^[\p{L}\p{M}\p{N}]+$/u;
/** In UTF-16 code units. Of a shorter word, too little can be right. */
const minMistyped = 6;
/** How much of the beginning of a mistyped word is looked for in records, and in how many of these. */
const partsThatMayBeRight = [2 / 3, 1 / 2];
const recordsRead = 100;

/**
 * Suggests at most three requests instead of one that finds nothing, each with one part corrected or dropped. Corrections
 * come first, then requests that find what was typed without correcting it, then those with the fewest records, as they drop
 * least. `asked` may have parameters that select no records. `rows`: what the request finds.
 */
export async function suggestSearches(
  deps: Pick<AppDeps, 'index' | 'lists' | 'mergedIds' | 'now'>,
  givenParameters: URLSearchParams,
  caller: Caller,
  rows?: SearchQuery['rows'],
): Promise<Suggestion[]> {
  const parameters = new Map([...givenParameters].filter(([name]) => name in filterSchema.shape));
  const search = async (changed: Change['parameters']) => {
    const faults: FieldError[] = [];
    const selection = readObject(Object.fromEntries(changed), filterSchema, faults);
    if (selection === null) throw toProblem(faults);
    const { query } = await openQuery(deps, toSearchQuery(selection.values), caller, rows);
    return { ...query, ...(rows && { rows }) };
  };
  /** A change can make a text longer than the limit, a list longer than its own, or parts that are no values. */
  const isValid = (changed: Change) => readObject(Object.fromEntries(changed.parameters), filterSchema, []) !== null;
  const openFields = facetFields.filter(
    ({ filter, facet }) => facet.isOpen && /^[^|!]+$/.test(parameters.get(filter.parameter) ?? ''),
  );
  const near = await Promise.all([...openFields.map(findNear), findNearWord()]);
  const corrections = listCorrections(parameters, near.flat()).filter(isValid);
  const drops = listDrops(parameters).filter((change) => change.parameters.size > 0 && isValid(change));
  const countedChanges = await Promise.all(
    [...corrections, ...drops].slice(0, maxCounts - openFields.length).map(async (change, index) => {
      const query = withWholeText(await search(change.parameters));
      const { total, isCorrected } = await deps.index.search(query, onlyTotal, 'masked');
      return { ...change, total, rank: index < corrections.length ? 0 : 1 + Number(isCorrected) };
    }),
  );
  return countedChanges
    .filter(({ total }) => total > 0)
    .sort((a, b) => a.rank - b.rank || a.total - b.total)
    .slice(0, maxSuggestions)
    .map(({ parameters, drops, total }) => {
      const { q, ...filters } = Object.fromEntries(parameters);
      return { ...(q && { q }), ...(Object.keys(filters).length > 0 && { filters }), drops, total };
    });

  /** The request with the value of an open list corrected to the nearest one that the other parts find. */
  async function findNear({ key, filter: { parameter: name } }: (typeof openFields)[number]): Promise<Change[]> {
    const { counts } = await deps.index.countFacets(
      await search(change(parameters, name, { [name]: null }).parameters),
    );
    const values = counts[key].map(({ value }) => value);
    const nearest = findNearestWord(parameters.get(name) ?? '', values);
    return nearest === null ? [] : [change(parameters, name, { [name]: nearest })];
  }

  /** The request with a word that records have instead of the only one typed, which has too many typos to be forgiven. */
  async function findNearWord(): Promise<Change[]> {
    const typed = parameters.get('q')?.trim() ?? '';
    const [word = ''] = foldedWords(typed);
    if (!oneWord.test(typed) || word.length < minMistyped || isSpaceless(word) || parameters.has('match')) return [];
    for (const part of partsThatMayBeRight) {
      const beginning = word.slice(0, Math.ceil(word.length * part));
      const query = await search(change(parameters, typed, { q: beginning, strict: '1' }).parameters);
      const { records } = await deps.index.search(query, firstPage(recordsRead), 'masked');
      const words = records.flatMap(({ name, aliases, tags, description, contacts }) =>
        [name, ...aliases, ...tags, description ?? '', ...contacts.flatMap(wordsOfContact)].flatMap(foldedWords),
      );
      const nearest = findNearestWord(word, new Set(words));
      if (nearest !== null) return [change(parameters, typed, { q: nearest })];
    }
    return [];
  }
}

function wordsOfContact({ name, title, beats }: Contact): string[] {
  return [name ?? '', title ?? '', ...beats];
}

/** The request with other values of some parameters, or without them. */
function change(parameters: Change['parameters'], drops: string, changes: Record<string, string | null>): Change {
  const changed = Object.entries({ ...Object.fromEntries(parameters), ...changes });
  return { drops, parameters: new Map(changed.filter((entry): entry is [string, string] => entry[1] !== null)) };
}

/**
 * Corrections: commas as separators, a near value, a region for a city and back, words for a phrase, the host for a URL with a
 * path, and typo tolerance.
 */
function listCorrections(parameters: Change['parameters'], near: readonly Change[]): Change[] {
  const [q = '', city, region] = ['q', 'city', 'region'].map((name) => parameters.get(name));
  const listed = [...parameters].filter(([name, value]) => name !== 'q' && value.includes(','));
  return [
    ...listed.map(([name, value]) => change(parameters, name, { [name]: value.replaceAll(',', '|') })),
    ...near,
    ...(city && !region ? [change(parameters, 'city', { city: null, region: city })] : []),
    ...(region && !city ? [change(parameters, 'region', { region: null, city: region })] : []),
    ...(q.includes('"') ? [change(parameters, '"', { q: q.replaceAll('"', '') })] : []),
    ...typedPages(q).map(({ typed, host }) => change(parameters, typed, { q: q.replace(typed, host) })),
    ...(parameters.has('strict') ? [change(parameters, 'strict', { strict: null })] : []),
    ...keepRecognized(parameters, q),
  ];
}

/** What is recognized of a long text, alone: leaving out one of many words hardly helps. */
function keepRecognized(parameters: Change['parameters'], q: string): Change[] {
  const { true: recognized = [], false: unrecognized = [] } = Object.groupBy(splitTyped(q), (part) =>
    readParts(foldedWords(part)).some(isRecognized) ? 'true' : 'false',
  );
  const isLong = recognized.length > 0 && recognized.length + unrecognized.length >= minLong && unrecognized.length > 1;
  return isLong ? [change(parameters, unrecognized.join(' '), { q: recognized.join(' ') })] : [];
}

/** The requests without one parameter, or without words of the text that belong together. */
function listDrops(parameters: Change['parameters']): Change[] {
  const names = [...parameters.keys()].filter((name) => !['match', 'strict', 'whole'].includes(name));
  const parts = splitTyped(parameters.get('q') ?? '');
  const shorter = parts.map((part, index) => change(parameters, part, { q: parts.toSpliced(index, 1).join(' ') }));
  return [...names.map((name) => change(parameters, name, { [name]: null })), ...(parts.length < 2 ? [] : shorter)];
}
