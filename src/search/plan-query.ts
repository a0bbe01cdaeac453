import { isSpaceless } from '#text/fold.ts';
import { hostAndParents } from '#text/hosts.ts';
import { markedKey } from '#text/name-keys.ts';
import { looseSpellings, otherSpellings } from '#text/spellings.ts';
import { conceptOfFlag, wordsForEmoji } from './emoji.ts';
import { initialsConcept } from './initials.ts';
import { compactName, countWords, hasForms, sortedName, withoutLastOfTwo, withoutOneWord } from './name-forms.ts';
import type { TextQuery } from './search-query.ts';
import { conceptsBeginning, conceptsNear, conceptsOf, conceptsWithin } from './search-words.ts';
import { joinNeighbors, tokensOf } from './searchable-text.ts';
import {
  decidingWords,
  maxCorrections,
  maxEdits,
  minMatchingWords,
  nameTolerance,
  stretchesOf,
} from './typo-tolerance.ts';

/**
 * The query plan: what a typed query searches for, decided once for every engine. Engines render its conditions and
 * decide nothing. The strict query takes words as typed; the fuzzy query corrects them and may miss one. An engine runs
 * the strict query if it finds enough (see `minStrictMatches`), otherwise the fuzzy one; the choice depends on the text
 * alone, over the whole database (docs/decisions/0003). If that finds nothing, the last query may (`planLast`).
 */

/** A condition on a record. All words are folded. */
export type Condition =
  /** The record's text contains the word; `unfinished`: or a word that starts with it. */
  | { is: 'word'; word: string; unfinished: boolean }
  /** The record's text contains a word that starts with this. */
  | { is: 'prefix'; prefix: string }
  /** The word, or one within `edits` with the same first letter, of which an engine tries `corrections`. */
  | { is: 'nearWord'; word: string; unfinished: boolean; edits: number; corrections: number }
  /** Two neighboring words of the record's name or an alias make up this one. */
  | { is: 'joinedWords'; joined: string }
  /** The words in sequence. */
  | { is: 'phrase'; words: readonly string[] }
  /** A property of the record, as named in search-words.ts, or initials of a name. */
  | { is: 'concept'; concept: string }
  /** One of the hosts, as a host or spelled out in a name; `near`: or a host within `edits` of that one. */
  | { is: 'host'; hosts: readonly string[]; near: { host: string; edits: number; corrections: number } | null }
  /** The record's name is this, compared by nameKey. */
  | { is: 'name'; key: string }
  /** The record's name or an alias is this, compared by one of its wholeNameKeys. */
  | { is: 'wholeName'; key: string }
  /** The record's name or an alias is one of these in this form (see name-forms.ts); `leavesOut`: without a typed word. */
  | { is: 'nameForm'; form: NameForm; names: readonly string[]; leavesOut: boolean }
  | NearName
  /**
   * The record's name or an alias begins with this, compared by nameKey; the last word may go on. `wordCount`: and one of
   * them has so many words.
   */
  | { is: 'nameBeginning'; key: string; wordCount: number | null }
  /** Words of the record's name or aliases begin with each of these. */
  | { is: 'nameWords'; beginnings: readonly string[] }
  /** The record's name and aliases contain the words, and one of them has so many words. */
  | { is: 'nameOfWords'; words: readonly string[]; count: number }
  | { is: 'all'; of: readonly Condition[] }
  | { is: 'any'; of: readonly Condition[] }
  | { is: 'atLeast'; count: number; of: readonly Condition[] }
  /** Met if `condition` is; records that also meet some of `extras` score higher. */
  | { is: 'scored'; condition: Condition; extras: readonly Condition[] };

export type NameForm = 'compact' | 'bare' | 'sorted';

/**
 * The record's name or an alias is within `edits` of this, compact or bare, with the same first letter; `letters`: and its
 * letters, sorted, within so many edits.
 */
export interface NearName {
  is: 'nearName';
  name: string;
  edits: number;
  letters: number | null;
}

/** What one query finds, and in which order. */
export interface PlannedQuery {
  /** Found by the words of the record. */
  match: Condition;
  /** Found by name alone, whatever `match` says; each is also one of the ranks. */
  byName: readonly Condition[];
  /**
   * Best first: a record that meets an earlier condition comes before all that do not; within a rank the score decides.
   * All ranks are within `match` and `byName`.
   */
  ranks: readonly Condition[];
  /** Words that score according to where they match (see `weights`). */
  scoredWords: readonly string[];
  /** These words in sequence in a name score higher; null if fewer than two were typed. */
  inOrder: readonly string[] | null;
  /** A name that starts with this word scores higher. */
  nameBeginning: string | null;
  /** A name of so many words scores higher. */
  nameLength: number | null;
}

/** Two words that are shorter together are hardly typed as one. */
const minJoined = 6;

/** So many words are in one record by chance only if it is about them. */
const manyWords = 6;

/** What a word adds to the score, by where it matches. Measured with `npm run relevance`. */
export const weights = {
  names: 12,
  aliases: 9,
  hosts: 6,
  place: 3,
  concepts: 2,
  text: 1,
  nameBeginning: 24,
  inOrder: 12,
  nameLength: 10,
} as const;

/**
 * The strict query is used if it finds this many records, or a whole name. A host, a phrase or many words with any match
 * were meant; a word may be another one mistyped.
 */
export function minStrictMatches({ words }: TextQuery): number {
  return words.length === 0 || words.length >= manyWords ? 1 : 5;
}

/** The typed name as a whole. */
export function planWholeName({ nameKey }: TextQuery): Condition {
  return { is: 'wholeName', key: nameKey };
}

/** The same in other spellings. A typo may happen to be one of them, so only the name as typed tells what was meant. */
function planNameSpelled(text: TextQuery): Condition {
  const { nameKey, otherNameKeys, latinKeys } = text;
  const keys = [...otherNameKeys, ...[otherNameKeys[0] ?? nameKey].map(markedKey), ...latinKeys.bySound];
  return anyOf([planWholeName(text), ...keys.map((key): Condition => ({ is: 'wholeName', key }))]);
}

/** Names with the same consonants: many have them by chance, so one with a slip comes before. */
function planNameByConsonants({ latinKeys }: TextQuery): Condition[] {
  return latinKeys.byConsonants.map((key) => ({ is: 'wholeName', key }));
}

/**
 * The strict query: every word, or the concept it stands for ("tech": technology), the last one also as a prefix; every
 * phrase and every host. Null if only exclusions were typed.
 */
export function planStrict(text: TextQuery): PlannedQuery | null {
  const isOnlyExclusions = text.excluded.length + text.excludedHosts.length > 0;
  const required = requireAll(text);
  if (required.length === 0 && isOnlyExclusions) return null;
  const last = text.words.at(-1) ?? null;
  const names = planNames(text);
  const consonants = planNameByConsonants(text);
  // A page of a host may be a name, and its host is found however the page is typed.
  const near = text.hosts.length > 0 ? [...names.near, ...names.far] : [];
  return {
    match: required.length === 0 ? planNameSpelled(text) : allOf(required),
    byName: [planNameSpelled(text), ...names.same, ...near, ...consonants],
    ranks: [...rankNames(text), ...names.same, ...near, ...consonants, ...names.begun, ...names.longer],
    scoredWords: text.words,
    inOrder: required.length > 0 && text.typedWords.length > 1 ? text.typedWords : null,
    nameBeginning: last === null || isSpaceless(last) ? null : last,
    nameLength: null,
  };
}

/**
 * The fuzzy query: each word or a correction of it; one word of three or more may be missing, three of ten; a host may
 * be mistyped, or found by its parent domain; a name may be typed with two slips, or with a word too many. The order is
 * whole names, then names that lack one of their words, names with one slip, strict matches, names that equal the query
 * except for two slips or a word too many, then records where no word is missing. Null if there is nothing to correct.
 */
export function planFuzzy(text: TextQuery): PlannedQuery | null {
  return planCorrected(text, 1);
}

/** @param mostEdits of a word; whole names may have more */
function planCorrected(text: TextQuery, mostEdits: 1 | 2): PlannedQuery | null {
  const corrections = maxCorrections(text.words.length);
  const terms = new Map(
    text.words.map((word, index) => {
      const isLast = index === text.words.length - 1;
      const near = fuzzyWord(word, isLast, mostEdits, corrections);
      return [word, orInitials(anyOf([near, ...asPartOfWord(word, text), ...asTwoWords(word)]), word, text)];
    }),
  );
  const required = [...text.phrases.map(phrase), ...text.hosts.map((host) => fuzzyHost(host, corrections))];
  const deciding = decidingWords(text.words).flatMap((word) => terms.get(word) ?? []);
  if (required.length + deciding.length === 0) return null;

  const count = minMatchingWords(deciding.length);
  const enough: Condition = { is: 'atLeast', count, of: deciding };
  // Only if a word may be missing, since a mistyped word costs an engine time wherever it stands.
  const withAllWords = count < terms.size ? [allOf([...required, ...terms.values()])] : [];
  const names = planNames(text);
  const consonants = planNameByConsonants(text);
  return {
    match: allOf(deciding.length === 0 ? required : [...required, enough]),
    byName: [
      planNameSpelled(text),
      ...names.same,
      ...names.near,
      ...names.far,
      ...consonants,
      ...names.shorter,
      ...names.outlined,
    ],
    ranks: [
      ...rankNames(text),
      ...names.same,
      ...names.begun,
      ...names.longer,
      ...names.near,
      allOf(requireAll(text)),
      ...names.far,
      ...consonants,
      ...names.shorter,
      ...names.outlined,
      ...withAllWords,
    ],
    scoredWords: text.words,
    inOrder: null,
    nameBeginning: null,
    // Of names that are typed alike but for an article or a space.
    nameLength: countWords(text.nameKey),
  };
}

/**
 * The last query, if neither of the others finds anything in the whole database: a name and a word that is not of it, or long
 * words with two slips. One word is the name of many media, so a query of two is taken as one only here; and two slips in
 * a word that is not a name cost an engine more than all else. Null for queries that have neither.
 */
export function planLast(text: TextQuery): PlannedQuery | null {
  const name = asksForWords(text) ? null : withoutLastOfTwo(text.nameKey);
  const shorter = name === null ? [] : [anyOf([isForm('compact', [name], true), isForm('bare', [name], true)])];
  const far = text.words.some((word) => maxEdits(word) > 1) ? planCorrected(text, 2) : null;
  if (far !== null) return { ...far, byName: [...shorter, ...far.byName], ranks: [...shorter, ...far.ranks] };
  const [match] = shorter;
  if (match === undefined) return null;
  return {
    match,
    byName: [],
    ranks: [match],
    scoredWords: text.words,
    inOrder: null,
    nameBeginning: null,
    nameLength: null,
  };
}

/**
 * What must not match. A word that stands for only one concept excludes that too: "-radio" excludes all radio stations,
 * while "-news" excludes only the word.
 */
export function planExclusions(text: TextQuery): Condition[] {
  const concepts = text.excluded
    .map((run) => (run.length === 1 ? conceptsOf(run[0] ?? '') : []))
    .filter(({ length }) => length === 1)
    .flat();
  return [...text.excluded.map(phrase), ...concepts.map(concept), ...text.excludedHosts.map(strictHost)];
}

/** Ways in which a whole name may have been typed, each with its conditions, best first. */
interface TypedNames {
  /** The name but for spaces, punctuation and the order of its words. */
  same: Condition[];
  /** The beginning of a name, of one with as many words before the others. */
  begun: Condition[];
  /** A name without one of its words. */
  longer: Condition[];
  /** A name with one slip. */
  near: Condition[];
  /** A name with two. */
  far: Condition[];
  /** A name and a word that is not of it. */
  shorter: Condition[];
  /** Beginnings of words of a name, its first word's before the others. */
  outlined: Condition[];
}

const noNames: TypedNames = { same: [], begun: [], longer: [], near: [], far: [], shorter: [], outlined: [] };

function planNames(text: TextQuery): TypedNames {
  const { nameKey: key, typedWords, hosts } = text;
  if (asksForWords(text) || !hasForms(key)) return noNames;
  const typed = compactName(key);
  const bare = text.otherNameKeys.filter(hasForms).map(compactName);
  const names: TypedNames = {
    ...noNames,
    same: [
      anyOf([isForm('compact', [typed]), isForm('sorted', [sortedName(key)])]),
      anyOf([isForm('bare', [typed, ...bare]), ...(bare.length === 0 ? [] : [isForm('compact', bare)])]),
    ],
    near: planNear(1, typed, bare),
    far: planNear(2, typed, bare),
    shorter: withoutOneWord(key).map((names) => anyOf([isForm('compact', names, true), isForm('bare', names, true)])),
  };
  if (hosts.length > 0) return names;
  const [first] = typedWords;
  const isOutline = first !== undefined && typedWords.length > 1;
  return {
    ...names,
    // Anything that is not part of a name, such as an emoji, must be found too.
    begun: countWords(key) === typedWords.length ? [beginsWith(key, typedWords.length), beginsWith(key)] : [],
    longer: typedWords.length < 2 ? [] : [{ is: 'nameOfWords', words: typedWords, count: countWords(key) + 1 }],
    outlined: isOutline ? [allOf([beginsWith(first), { is: 'nameWords', beginnings: typedWords }])] : [],
  };
}

/** Quotes and exclusions ask for words, not for names. */
function asksForWords({ phrases, excluded, excludedHosts }: TextQuery): boolean {
  return phrases.length + excluded.length + excludedHosts.length > 0;
}

/** Names with so many edits: as they were typed, then without the typed articles. */
function planNear(edits: number, typed: string, bare: readonly string[]): Condition[] {
  const near = (name: string): Condition[] => {
    const tolerance = nameTolerance(name);
    if (edits > tolerance.edits) return [];
    const letters = edits === tolerance.edits ? tolerance.letters : null;
    return [{ is: 'nearName', name, edits, letters }];
  };
  return [near(typed), bare.flatMap(near)].filter((ways) => ways.length > 0).map(anyOf);
}

/** The beginning of a name, or of what follows its article. */
function beginsWith(key: string, wordCount: number | null = null): Condition {
  return anyOf([key, markedKey(key)].map((beginning) => ({ is: 'nameBeginning', key: beginning, wordCount })));
}

function isForm(form: NameForm, names: readonly string[], leavesOut = false): Condition {
  return { is: 'nameForm', form, names, leavesOut };
}

function rankNames(text: TextQuery): Condition[] {
  return [{ is: 'name', key: text.nameKey }, planWholeName(text), planNameSpelled(text)];
}

function requireAll(text: TextQuery): Condition[] {
  return [
    ...text.words.map((word, index) => orInitials(strictWord(word, index === text.words.length - 1), word, text)),
    ...text.phrases.map(phrase),
    ...text.hosts.map(strictHost),
  ];
}

function strictWord(word: string, isLast: boolean): Condition {
  if (isSpaceless(word)) return anyOf([strictRun(word), ...conceptsOfRun(word)]);
  const concepts = isLast ? conceptsBeginning(word) : conceptsOf(word);
  const words = [word, ...otherSpellings(word)].map((word): Condition => ({ is: 'word', word, unfinished: isLast }));
  return anyOf([...words, ...concepts.map(concept), ...meaningOfEmoji(word)]);
}

function fuzzyWord(word: string, isLast: boolean, mostEdits: number, corrections: number): Condition {
  if (isSpaceless(word)) return anyOf([fuzzyRun(word), ...conceptsOfRun(word)]);
  const concepts = new Set([...conceptsNear(word), ...(isLast ? conceptsBeginning(word) : [])]);
  const near = [word, ...otherSpellings(word)].map((word): Condition => {
    const edits = Math.min(maxEdits(word), mostEdits);
    return { is: 'nearWord', word, unfinished: isLast, edits, corrections };
  });
  const loose = looseSpellings(word).map((word): Condition => ({ is: 'word', word, unfinished: isLast }));
  return anyOf([...near, ...loose, ...[...concepts].map(concept), ...meaningOfEmoji(word)]);
}

/** A word that was typed as two. */
function asPartOfWord(word: string, { typedWords }: TextQuery): Condition[] {
  const place = typedWords.indexOf(word);
  const around = typedWords.slice(Math.max(0, place - 1), place + 2);
  return joinNeighbors(around).map((joined) => ({ is: 'word', word: joined, unfinished: false }));
}

/** Two words that were typed as one. */
function asTwoWords(word: string): Condition[] {
  return word.length < minJoined || isSpaceless(word) ? [] : [{ is: 'joinedWords', joined: word }];
}

/** What an emoji is called, and the country of a flag. */
function meaningOfEmoji(word: string): Condition[] {
  const words = wordsForEmoji(word);
  const country = conceptOfFlag(word);
  return [...(words.length > 0 ? [phrase(words)] : []), ...(country === null ? [] : [concept(country)])];
}

/** Or names with the word as their initials, if the others say only what kind of medium or which place is meant. */
function orInitials(condition: Condition, word: string, { words }: TextQuery): Condition {
  const others = words.filter((other) => other !== word);
  const isAlone = others.length === 0 || (word.length > 2 && others.every((other) => conceptsOf(other).length > 0));
  const initials = isAlone ? initialsConcept(word) : null;
  return initials === null ? condition : anyOf([condition, concept(initials)]);
}

/** What a run in a script without spaces stands for as a whole, or as words that are written as one. */
function conceptsOfRun(run: string): Condition[] {
  const own = conceptsOf(run);
  if (own.length > 0) return own.map(concept);
  const parts = conceptsWithin(run);
  return parts.length === 0 ? [] : [allOf(parts.map((part) => anyOf(part.map(concept))))];
}

/** A run in a script without spaces: its characters in sequence. */
function strictRun(run: string): Condition {
  return tokensOf(run).length === 1 ? { is: 'prefix', prefix: run } : phrase([run]);
}

/** One of its stretches matches completely. Its pairs of characters add to the score. */
function fuzzyRun(run: string): Condition {
  const stretches = stretchesOf(run);
  if (stretches.length === 1) return strictRun(run);
  const pairs = tokensOf(run).slice(0, -1);
  return {
    is: 'scored',
    condition: anyOf(stretches.map(strictRun)),
    extras: pairs.map((word) => ({ is: 'word', word, unfinished: false })),
  };
}

function strictHost(host: string): Condition {
  return planHosts([host]);
}

/** Any of the hosts, as typed. */
export function planHosts(hosts: readonly string[]): Condition {
  return { is: 'host', hosts, near: null };
}

function fuzzyHost(host: string, corrections: number): Condition {
  const edits = maxEdits(host);
  return { is: 'host', hosts: hostAndParents(host), near: edits === 0 ? null : { host, edits, corrections } };
}

function allOf(conditions: readonly Condition[]): Condition {
  return { is: 'all', of: conditions };
}

function anyOf(conditions: readonly Condition[]): Condition {
  return { is: 'any', of: conditions };
}

function phrase(words: readonly string[]): Condition {
  return { is: 'phrase', words };
}

function concept(name: string): Condition {
  return { is: 'concept', concept: name };
}
