import type { estypes } from '@elastic/elasticsearch';
import { isSpaceless } from '#domain/search/fold.ts';
import { decidingWords, leastWords, mostSlips, stretchesOf } from '#domain/search/forgiveness.ts';
import { hostAndParents } from '#domain/search/hosts.ts';
import type { TextQuery } from '#domain/search/search-query.ts';
import { conceptsBeginning, conceptsNear, conceptsOf } from '#domain/search/search-words.ts';
import { phraseTokens, tokensOf } from '#domain/search/searchable-text.ts';
import { indexedTerms, indexedWord } from './indexed-terms.ts';

export type Clause = estypes.QueryDslQueryContainer;

/**
 * What a match is worth, in the unit of one more rank: a record that is in a higher rank comes before all that are not.
 * What words add stays below one rank.
 */
const ranks = { complete: 128, corrected: 256, exact: 512, wholeName: 1024, name: 2048 };
/** What words add, so that sixteen of the rarest, wherever they stand, stay below a rank. */
const wordsTogether = 0.1;
/** How much more a word says in a name than in a description. */
const weights = { names: 12, aliases: 9, hostLabels: 6, concepts: 2, words: 1, nameBeginning: 24, inOrder: 12 };

/** So many words of the index are tried for a mistyped one. */
const mostMeanings = 24;
/** A longer name is not looked for with a slip in it. */
const longestCorrectedName = 100;

/**
 * The exact form of a query: every word, or what it stands for ("tech": technology), the last one also as a beginning;
 * every phrase and every host. A name that is just what was typed comes first; words that follow each other in a name as
 * typed add to its score. Null where there is nothing to find but exclusions.
 */
export function buildExactForm(text: TextQuery): Clause | null {
  const required = requireAll(text);
  if (required === null) {
    return text.excluded.length + text.excludedHosts.length > 0
      ? null
      : any([buildWholeName(text), ...rankNames(text)]);
  }
  const { must, should } = required;
  if (text.typedWords.length > 1) should.push(phraseIn('find.names', text.typedWords, weights.inOrder));
  return any([...rankNames(text), { bool: { must, should, boost: wordsTogether } }]);
}

/**
 * The forgiving form: each word in any of its meanings, one word of a query of three or more may be missing, three of
 * ten; a host may be mistyped, or found by the domain it belongs to. First come whole names, then what the exact form
 * finds, then names that are what was typed but for a slip, then records where no word is missing.
 */
export function buildForgivingForm(text: TextQuery): Clause | null {
  const meanings = new Map(text.words.map((word, index) => [word, meaningOf(word, index === text.words.length - 1)]));
  const required = [...text.phrases.map(phraseOfText), ...text.hosts.map(forgivingHost)];
  const deciding = decidingWords(text.words).flatMap((word) => meanings.get(word) ?? []);
  if (required.length + deciding.length === 0) return null;

  const enough: Clause = { bool: { should: deciding, minimum_should_match: leastWords(deciding.length) } };
  const some: Clause = {
    bool: {
      must: deciding.length === 0 ? required : [...required, enough],
      should: text.words.flatMap(wordBonus),
      boost: wordsTogether,
    },
  };
  const all: Clause = { bool: { filter: [...required, ...meanings.values()] } };
  const exact = requireAll(text);
  return any([
    ...rankNames(text),
    ...(exact === null ? [] : [rank({ bool: { filter: exact.must } }, ranks.exact)]),
    ...correctedName(text.nameKey).map((clause) => rank(clause, ranks.corrected)),
    rank(all, ranks.complete),
    some,
  ]);
}

/** Records one of whose names is exactly what was typed. */
export function buildWholeName(text: TextQuery): Clause {
  return { terms: { 'find.whole_names': indexedTerms([text.nameKey]) } };
}

/**
 * What must not be there. A word that stands for one thing only leaves that out too: "-radio" all radio stations,
 * whereas "-news" only what has that word.
 */
export function buildExclusions(text: TextQuery): Clause[] {
  const concepts = text.excluded
    .map((run) => (run.length === 1 ? conceptsOf(run[0] ?? '') : []))
    .filter(({ length }) => length === 1)
    .flat();
  return [
    ...text.excluded.map(phraseOfText),
    ...(concepts.length > 0 ? [{ terms: { 'find.concepts': concepts } }] : []),
    ...text.excludedHosts.map((host) => hostClause([host])),
  ];
}

/** What the exact form asks for, and what adds to its score; null where that is nothing. */
function requireAll(text: TextQuery): { must: Clause[]; should: Clause[] } | null {
  const must = [
    ...text.words.map((word, index) => wordClause(word, index === text.words.length - 1)),
    ...text.phrases.map(phraseOfText),
    ...text.hosts.map((host) => hostClause([host])),
  ];
  if (must.length === 0) return null;
  const last = text.words.at(-1);
  const should = text.words.flatMap(wordBonus);
  if (last !== undefined && !isSpaceless(last)) {
    should.push({ prefix: { 'find.names': { value: indexedWord(last), boost: weights.nameBeginning } } });
  }
  return { must, should };
}

function rankNames(text: TextQuery): Clause[] {
  const name = { terms: { 'order.name_key': indexedTerms([text.nameKey]) } };
  return [rank(buildWholeName(text), ranks.wholeName), rank(name, ranks.name)];
}

function rank(filter: Clause, boost: number): Clause {
  return { constant_score: { filter, boost } };
}

/** Names that are what was typed but for one slip, or two in a longer word, the first letter right. */
function correctedName(nameKey: string): Clause[] {
  const fuzziness = Math.max(...nameKey.split(' ').map(mostSlips));
  if (fuzziness === 0 || nameKey.length > longestCorrectedName) return [];
  return [fuzzy('find.whole_names', nameKey, fuzziness)];
}

function wordClause(word: string, isLast: boolean): Clause {
  if (isSpaceless(word)) return runClause(word);
  const concepts = isLast ? conceptsBeginning(word) : conceptsOf(word);
  return any([
    { term: { 'find.words': { value: indexedWord(word), boost: weights.words } } },
    ...(isLast ? [beginning(word)] : []),
    ...concepts.map(conceptClause),
  ]);
}

/** A word counts for more in a name, an alias or a host. */
function wordBonus(word: string): Clause[] {
  if (isSpaceless(word))
    return [phraseIn('find.names', [word], weights.names), phraseIn('find.aliases', [word], weights.aliases)];
  const value = indexedWord(word);
  return [
    { term: { 'find.names': { value, boost: weights.names } } },
    { term: { 'find.aliases': { value, boost: weights.aliases } } },
    { term: { 'find.host_labels': { value, boost: weights.hostLabels } } },
  ];
}

/** A run of a script without spaces: its characters in a row. */
function runClause(run: string): Clause {
  return tokensOf(run).length === 1 ? beginning(run) : phraseOfText([run]);
}

function phraseOfText(words: readonly string[]): Clause {
  return phraseIn('find.words', words, weights.words);
}

/** The words in a row. */
function phraseIn(field: string, words: readonly string[], boost: number): Clause {
  const tokens = phraseTokens(words);
  const [only] = tokens;
  if (tokens.length === 1 && only !== undefined) return { term: { [field]: { value: only, boost } } };
  return { match_phrase: { [field]: { query: tokens.join(' '), boost } } };
}

function hostClause(hosts: readonly string[]): Clause {
  const written = hosts.map((host) => host.replaceAll(/[.-]/g, ' ').trim());
  return any([
    { terms: { 'find.hosts': [...hosts] } },
    ...written.flatMap((query) => [
      { match_phrase: { 'find.names': query } },
      { match_phrase: { 'find.aliases': query } },
    ]),
  ]);
}

function forgivingHost(host: string): Clause {
  const slips = mostSlips(host);
  const meant = slips === 0 ? [] : [fuzzy('find.hosts', host, slips)];
  return any([hostClause(hostAndParents(host)), ...meant]);
}

function meaningOf(word: string, isLast: boolean): Clause {
  if (isSpaceless(word)) return forgivingRun(word);
  const slips = mostSlips(word);
  const concepts = new Set([...conceptsNear(word), ...(isLast ? conceptsBeginning(word) : [])]);
  return any([
    slips === 0 ? { term: { 'find.words': indexedWord(word) } } : fuzzy('find.words', word, slips),
    ...(isLast ? [beginning(word)] : []),
    ...[...concepts].map(conceptClause),
  ]);
}

/** One of its stretches is whole. Its pairs add to the score. */
function forgivingRun(run: string): Clause {
  const stretches = stretchesOf(run);
  if (stretches.length === 1) return runClause(run);
  const pairs = tokensOf(run).slice(0, -1);
  return {
    bool: {
      must: [any(stretches.map(runClause))],
      should: pairs.map((pair) => ({ term: { 'find.words': pair } })),
    },
  };
}

function fuzzy(field: string, value: string, fuzziness: number): Clause {
  return {
    fuzzy: { [field]: { value: indexedWord(value), fuzziness, prefix_length: 1, max_expansions: mostMeanings } },
  };
}

function beginning(word: string): Clause {
  return { prefix: { 'find.words': { value: indexedWord(word), boost: weights.words } } };
}

function conceptClause(concept: string): Clause {
  return { term: { 'find.concepts': { value: concept, boost: weights.concepts } } };
}

function any(clauses: Clause[]): Clause {
  const [only] = clauses;
  return clauses.length === 1 && only !== undefined ? only : { bool: { should: clauses, minimum_should_match: 1 } };
}
