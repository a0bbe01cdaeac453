import type { estypes } from '@elastic/elasticsearch';
import { sortedLetters } from '#search/name-forms.ts';
import { piecesNear } from '#search/name-pieces.ts';
import { type Condition, type PlannedQuery, weights } from '#search/plan-query.ts';
import { phraseTokens, tokensOf } from '#search/searchable-text.ts';
import { isSpaceless } from '#text/fold.ts';
import { indexedTerms, indexedWord } from './indexed-terms.ts';
import { isNear } from './near-name-script.ts';

export type Clause = estypes.QueryDslQueryContainer;

/** What each rank adds to the score over the next one: more than sixteen of the rarest words, wherever they match. */
const rankStep = 1280;
/** Sets of letters that are tried for a short name. A prefix of the word cannot limit them. */
const maxAlike = 200;

/** What a planned query finds. */
export function renderMatch({ match, byName }: PlannedQuery): Clause {
  return any([...byName, match].map(renderFilter));
}

/** The same, scored: a record's best rank comes first, then words decide, by the fields they match. */
export function renderRanked(planned: PlannedQuery): Clause {
  const conditions = all(planned.match);
  const must = conditions.filter(isByDegrees).map(renderCondition);
  // A word that a record has or not is not scored itself, only where it is.
  const filter = conditions.filter((condition) => !isByDegrees(condition)).map(renderCondition);
  const byWords = {
    bool: { ...(must.length > 0 && { must }), ...(filter.length > 0 && { filter }), should: renderScored(planned) },
  };
  const found = any([renderRanks(planned), byWords]);
  if (planned.nameLength === null) return found;
  const ofLength = {
    constant_score: { filter: { term: { 'find.name_lengths': planned.nameLength } }, boost: weights.nameLength },
  };
  return { bool: { must: [found], should: [ofLength] } };
}

/**
 * If one word is all that was typed: the records that have it anywhere but in the text alone, scored. All others that the
 * query finds are equal. Null for any other query.
 */
export function renderBest(planned: PlannedQuery): Clause | null {
  const { match, scoredWords } = planned;
  const isOneWord = scoredWords.length === 1 && isMetByWord(match, scoredWords[0]);
  // A flat list is what the engine scores fastest.
  return isOneWord ? any([renderRanks(planned), ...renderScored(planned)]) : null;
}

function renderRanks({ ranks }: PlannedQuery): Clause {
  const queries = ranks.map((rank, index) => ({
    constant_score: { filter: renderFilter(rank), boost: rankStep * (ranks.length - index) },
  }));
  return { dis_max: { queries } };
}

/** Where the words of a query are: each clause adds to the score. */
function renderScored({ match, scoredWords, inOrder, nameBeginning }: PlannedQuery): Clause[] {
  const exact = all(match).filter((condition) => !isByDegrees(condition));
  const scored = [...scoredWords.flatMap(scoreByPlace), ...exact.flatMap(scoreByMeaning)];
  if (nameBeginning !== null) {
    scored.push({ prefix: { 'find.names': { value: indexedWord(nameBeginning), boost: weights.nameBeginning } } });
  }
  if (inOrder !== null) scored.push(phraseIn('find.names', inOrder, weights.inOrder));
  return scored;
}

/** Whether every record with a word that starts with this one meets the condition. */
function isMetByWord(condition: Condition, word: string | undefined): boolean {
  switch (condition.is) {
    case 'word':
      return condition.word === word && condition.unfinished;
    case 'prefix':
      return condition.prefix === word;
    case 'phrase':
      return condition.words.length === 1 && condition.words[0] === word;
    case 'any':
      return condition.of.some((one) => isMetByWord(one, word));
    case 'all':
      return condition.of.every((one) => isMetByWord(one, word));
    default:
      return false;
  }
}

/** Whether a record may meet the condition more or less. */
function isByDegrees(condition: Condition): boolean {
  switch (condition.is) {
    case 'nearWord':
    case 'scored':
      return true;
    case 'host':
      return condition.near !== null;
    case 'all':
    case 'any':
    case 'atLeast':
      return condition.of.some(isByDegrees);
    default:
      return false;
  }
}

/** A property counts more than a word in a description, and a quoted phrase more in a name. */
function scoreByMeaning(condition: Condition): Clause[] {
  switch (condition.is) {
    case 'concept':
      return renderAlternatives(condition);
    case 'any':
      return condition.of.filter((one) => one.is !== 'phrase').flatMap(scoreByMeaning);
    case 'phrase': {
      const { words } = condition;
      return [phraseIn('find.names', words, weights.names), phraseIn('find.aliases', words, weights.aliases)];
    }
    default:
      return [];
  }
}

/** One condition of a plan. */
export function renderCondition(condition: Condition): Clause {
  return any(renderAlternatives(condition));
}

/** Clauses, any one of which suffices; nested choices are flattened. */
function renderAlternatives(condition: Condition): Clause[] {
  switch (condition.is) {
    case 'word': {
      const { word, unfinished } = condition;
      return [
        unfinished ? prefix(word) : { term: { 'find.words': { value: indexedWord(word), boost: weights.text } } },
      ];
    }
    case 'prefix':
      return [prefix(condition.prefix)];
    case 'nearWord': {
      const { word, unfinished, edits, corrections } = condition;
      const near =
        edits === 0 ? { term: { 'find.words': indexedWord(word) } } : fuzzy('find.words', word, edits, corrections);
      return unfinished ? [near, prefix(word)] : [near];
    }
    case 'joinedWords':
      return [{ terms: { 'find.joined_words': indexedTerms([condition.joined]) } }];
    case 'phrase':
      return [phraseIn('find.words', condition.words, weights.text)];
    case 'concept':
      return [{ term: { 'find.concepts': { value: condition.concept, boost: weights.concepts } } }];
    case 'host': {
      const { hosts, near } = condition;
      const meant = near === null ? [] : [fuzzy('find.hosts', near.host, near.edits, near.corrections)];
      return [any(hostClauses(hosts)), ...meant];
    }
    case 'name':
      return [{ terms: { 'order.name_key': indexedTerms([condition.key]) } }];
    case 'wholeName':
      return [{ terms: { 'find.whole_names': indexedTerms([condition.key]) } }];
    case 'nameForm':
      return [{ terms: { [`find.${condition.form}_names`]: indexedTerms(condition.names) } }];
    case 'nearName': {
      const { name, edits, letters } = condition;
      const near = [{ terms: { 'find.name_pieces': piecesNear(name, edits) } }, isNear(name, edits)];
      if (letters === null) return [{ bool: { filter: near } }];
      // No prefix: any letter may be the first of the sorted ones.
      const alike = { value: sortedLetters(name), fuzziness: letters, max_expansions: maxAlike };
      return [{ bool: { filter: [...near, { fuzzy: { 'find.name_letters': alike } }] } }];
    }
    case 'nameBeginning': {
      const { key, wordCount } = condition;
      const begins = { prefix: { 'find.whole_names': { value: key } } };
      if (wordCount === null) return [begins];
      return [{ bool: { filter: [begins, { term: { 'find.name_lengths': wordCount } }] } }];
    }
    case 'nameWords':
      return [{ bool: { must: condition.beginnings.map((word) => inNames((field) => unfinishedIn(field, word))) } }];
    case 'nameOfWords': {
      const words = condition.words.map((word) => inNames((field) => phraseIn(field, [word], 1)));
      return [{ bool: { must: [...words, { term: { 'find.name_lengths': condition.count } }] } }];
    }
    case 'all':
      return [{ bool: { must: condition.of.map(renderCondition) } }];
    case 'any':
      return condition.of.flatMap(renderAlternatives);
    case 'atLeast':
      return [{ bool: { should: condition.of.map(renderCondition), minimum_should_match: condition.count } }];
    case 'scored': {
      const should = condition.extras.flatMap(renderAlternatives);
      return [{ bool: { must: [renderCondition(condition.condition)], should } }];
    }
  }
}

/** A condition whose words do not count for the score. */
function renderFilter(condition: Condition): Clause {
  return condition.is === 'all' ? { bool: { filter: condition.of.map(renderCondition) } } : renderCondition(condition);
}

function all(condition: Condition): readonly Condition[] {
  return condition.is === 'all' ? condition.of : [condition];
}

/** A word counts more in a name, an alias or a host. */
function scoreByPlace(word: string): Clause[] {
  if (isSpaceless(word)) {
    return [phraseIn('find.names', [word], weights.names), phraseIn('find.aliases', [word], weights.aliases)];
  }
  const value = indexedWord(word);
  return [
    { term: { 'find.names': { value, boost: weights.names } } },
    { term: { 'find.aliases': { value, boost: weights.aliases } } },
    { term: { 'find.host_labels': { value, boost: weights.hosts } } },
  ];
}

/** The words in sequence. */
function phraseIn(field: string, words: readonly string[], boost: number): Clause {
  const tokens = phraseTokens(words);
  const [only] = tokens;
  if (tokens.length === 1 && only !== undefined) return { term: { [field]: { value: only, boost } } };
  return { match_phrase: { [field]: { query: tokens.join(' '), boost } } };
}

/** The hosts, or a name that spells one of them out. */
function hostClauses(hosts: readonly string[]): Clause[] {
  const written = hosts.map((host) => host.replaceAll(/[.-]/g, ' ').trim());
  return [
    { terms: { 'find.hosts': [...hosts] } },
    ...written.flatMap((query) => [
      { match_phrase: { 'find.names': query } },
      { match_phrase: { 'find.aliases': query } },
    ]),
  ];
}

/** In the name or an alias. */
function inNames(clause: (field: string) => Clause): Clause {
  return any([clause('find.names'), clause('find.aliases')]);
}

/** A word that may go on; a run in a script without spaces always may. */
function unfinishedIn(field: string, word: string): Clause {
  return tokensOf(word).length > 1 ? phraseIn(field, [word], 1) : { prefix: { [field]: { value: indexedWord(word) } } };
}

function fuzzy(field: string, value: string, fuzziness: number, corrections: number): Clause {
  return {
    fuzzy: { [field]: { value: indexedWord(value), fuzziness, prefix_length: 1, max_expansions: corrections } },
  };
}

function prefix(word: string): Clause {
  return { prefix: { 'find.words': { value: indexedWord(word), boost: weights.text } } };
}

function any(clauses: readonly Clause[]): Clause {
  const [only] = clauses;
  return clauses.length === 1 && only !== undefined
    ? only
    : { bool: { should: [...clauses], minimum_should_match: 1 } };
}
