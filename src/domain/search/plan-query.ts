import { isSpaceless } from './fold.ts';
import { hostAndParents } from './hosts.ts';
import type { TextQuery } from './search-query.ts';
import { conceptsBeginning, conceptsNear, conceptsOf } from './search-words.ts';
import { tokensOf } from './searchable-text.ts';
import {
  decidingWords,
  maxCorrections,
  maxEdits,
  maxNameEdits,
  minMatchingWords,
  stretchesOf,
} from './typo-tolerance.ts';

/**
 * The query plan: what a typed query searches for, decided once for every engine. An engine renders its conditions and
 * decides nothing. The strict query takes words as they were typed; the fuzzy query corrects them and may miss one. An
 * engine answers the strict query where it is enough (see `minStrictMatches`), else the fuzzy one; the choice depends on
 * the text alone, over the whole database (docs/decisions/0003-exact-form-first.md).
 */

/** What a record fulfils, or does not. All words are folded. */
export type Condition =
  /** The word stands in the record's text; `unfinished`: or a word that begins so. */
  | { is: 'word'; word: string; unfinished: boolean }
  /** A word of the text begins so. */
  | { is: 'prefix'; prefix: string }
  /** The word, or one at most `edits` away with the same first letter, of which an engine tries `corrections`. */
  | { is: 'nearWord'; word: string; unfinished: boolean; edits: number; corrections: number }
  /** The words stand in a row. */
  | { is: 'phrase'; words: readonly string[] }
  /** What the record is, as search-words.ts calls it. */
  | { is: 'concept'; concept: string }
  /** One of the hosts, as a host or written out in a name; `near`: or a host at most `edits` away from that one. */
  | { is: 'host'; hosts: readonly string[]; near: { host: string; edits: number; corrections: number } | null }
  /** The record's name is this, by nameKey. */
  | { is: 'name'; key: string }
  /** The record's name or one of its aliases is this, by nameKey. */
  | { is: 'wholeName'; key: string }
  /** The same, at most `edits` away; an engine that knows its words may correct one of `words` within its own edits. */
  | { is: 'nearName'; key: string; edits: number; words: readonly NearWord[]; corrections: number }
  | { is: 'all'; of: readonly Condition[] }
  | { is: 'any'; of: readonly Condition[] }
  | { is: 'atLeast'; count: number; of: readonly Condition[] }
  /** Fulfilled where `condition` is; what also fulfils some of `extras` scores higher. */
  | { is: 'scored'; condition: Condition; extras: readonly Condition[] };

export interface NearWord {
  word: string;
  edits: number;
}

/** What one form of a query finds, and in which order. */
export interface PlannedQuery {
  /** Found by the words of the record. */
  match: Condition;
  /** Found by its name alone, whatever `match` says; each is also one of the ranks. */
  byName: readonly Condition[];
  /**
   * Best first: a record that fulfils an earlier condition comes before all that do not; among equals the score decides.
   * All of them are within `match` and `byName`.
   */
  ranks: readonly Condition[];
  /** Words that score by where they stand (see `weights`). */
  scoredWords: readonly string[];
  /** These words in a row in a name score higher; null where fewer than two were typed. */
  inOrder: readonly string[] | null;
  /** A name that begins with this word scores higher. */
  nameBeginning: string | null;
}

/** What a word adds to the score, by where it stands. Measured with `npm run relevance`. */
export const weights = {
  names: 12,
  aliases: 9,
  hosts: 6,
  place: 3,
  concepts: 2,
  text: 1,
  nameBeginning: 24,
  inOrder: 12,
} as const;

/**
 * The strict query answers where it finds this many records, or a whole name. A host or a phrase that is found at all
 * was meant; a word may be another one mistyped.
 */
export function minStrictMatches({ words }: TextQuery): number {
  return words.length === 0 ? 1 : 5;
}

/** The name that was typed, as a whole. */
export function planWholeName({ nameKey }: TextQuery): Condition {
  return { is: 'wholeName', key: nameKey };
}

/**
 * The strict query: every word, or what it stands for ("tech": technology), the last one also as a beginning; every
 * phrase and every host. Null where nothing is typed but exclusions.
 */
export function planStrict(text: TextQuery): PlannedQuery | null {
  const isOnlyExclusions = text.excluded.length + text.excludedHosts.length > 0;
  const required = requireAll(text);
  if (required.length === 0 && isOnlyExclusions) return null;
  const last = text.words.at(-1) ?? null;
  return {
    match: required.length === 0 ? planWholeName(text) : { is: 'all', of: required },
    byName: [planWholeName(text)],
    ranks: rankNames(text),
    scoredWords: text.words,
    inOrder: required.length > 0 && text.typedWords.length > 1 ? text.typedWords : null,
    nameBeginning: last === null || isSpaceless(last) ? null : last,
  };
}

/**
 * The fuzzy query: each word or a correction of it, one word of a query of three or more may be missing, three of ten; a
 * host may be mistyped, or found by the domain it belongs to. First come whole names, then what the strict query finds,
 * then names that are what was typed but for an edit, then records where no word is missing. Null where there is nothing
 * to correct.
 */
export function planFuzzy(text: TextQuery): PlannedQuery | null {
  const corrections = maxCorrections(text.words.length);
  const terms = new Map(
    text.words.map((word, index) => [word, fuzzyWord(word, index === text.words.length - 1, corrections)]),
  );
  const required = [...text.phrases.map(phrase), ...text.hosts.map((host) => fuzzyHost(host, corrections))];
  const deciding = decidingWords(text.words).flatMap((word) => terms.get(word) ?? []);
  if (required.length + deciding.length === 0) return null;

  const enough: Condition = { is: 'atLeast', count: minMatchingWords(deciding.length), of: deciding };
  const nearName = planNearName(text.nameKey, corrections);
  return {
    match: { is: 'all', of: deciding.length === 0 ? required : [...required, enough] },
    byName: [planWholeName(text), ...nearName],
    ranks: [
      ...rankNames(text),
      { is: 'all', of: requireAll(text) },
      ...nearName,
      { is: 'all', of: [...required, ...terms.values()] },
    ],
    scoredWords: text.words,
    inOrder: null,
    nameBeginning: null,
  };
}

/**
 * What must not be there. A word that stands for one thing only leaves that out too: "-radio" all radio stations,
 * whereas "-news" only what has that word.
 */
export function planExclusions(text: TextQuery): Condition[] {
  const concepts = text.excluded
    .map((run) => (run.length === 1 ? conceptsOf(run[0] ?? '') : []))
    .filter(({ length }) => length === 1)
    .flat();
  return [...text.excluded.map(phrase), ...concepts.map(concept), ...text.excludedHosts.map(strictHost)];
}

function planNearName(key: string, corrections: number): Condition[] {
  const edits = maxNameEdits(key);
  const words = key.split(' ').map((word) => ({ word, edits: maxEdits(word) }));
  return edits === 0 ? [] : [{ is: 'nearName', key, edits, words, corrections }];
}

function rankNames(text: TextQuery): Condition[] {
  return [{ is: 'name', key: text.nameKey }, planWholeName(text)];
}

function requireAll(text: TextQuery): Condition[] {
  return [
    ...text.words.map((word, index) => strictWord(word, index === text.words.length - 1)),
    ...text.phrases.map(phrase),
    ...text.hosts.map(strictHost),
  ];
}

function strictWord(word: string, isLast: boolean): Condition {
  if (isSpaceless(word)) return strictRun(word);
  const concepts = isLast ? conceptsBeginning(word) : conceptsOf(word);
  return { is: 'any', of: [{ is: 'word', word, unfinished: isLast }, ...concepts.map(concept)] };
}

function fuzzyWord(word: string, isLast: boolean, corrections: number): Condition {
  if (isSpaceless(word)) return fuzzyRun(word);
  const concepts = new Set([...conceptsNear(word), ...(isLast ? conceptsBeginning(word) : [])]);
  const near: Condition = { is: 'nearWord', word, unfinished: isLast, edits: maxEdits(word), corrections };
  return { is: 'any', of: [near, ...[...concepts].map(concept)] };
}

/** A run of a script without spaces: its characters in a row. */
function strictRun(run: string): Condition {
  return tokensOf(run).length === 1 ? { is: 'prefix', prefix: run } : phrase([run]);
}

/** One of its stretches is whole. Its pairs of characters add to the score. */
function fuzzyRun(run: string): Condition {
  const stretches = stretchesOf(run);
  if (stretches.length === 1) return strictRun(run);
  const pairs = tokensOf(run).slice(0, -1);
  return {
    is: 'scored',
    condition: { is: 'any', of: stretches.map(strictRun) },
    extras: pairs.map((word) => ({ is: 'word', word, unfinished: false })),
  };
}

function strictHost(host: string): Condition {
  return { is: 'host', hosts: [host], near: null };
}

function fuzzyHost(host: string, corrections: number): Condition {
  const edits = maxEdits(host);
  return { is: 'host', hosts: hostAndParents(host), near: edits === 0 ? null : { host, edits, corrections } };
}

function phrase(words: readonly string[]): Condition {
  return { is: 'phrase', words };
}

function concept(name: string): Condition {
  return { is: 'concept', concept: name };
}
