import { isSpaceless } from '#text/fold.ts';
import { hostAndParents, hostLabel } from '#text/hosts.ts';
import { cached, perObject } from '#text/memoize.ts';
import { looseSpellings, otherSpellings } from '#text/spellings.ts';
import {
  allOf,
  anyOf,
  type Condition,
  concept,
  described,
  isName,
  phrase,
  planHosts,
  type Scope,
  type Tier,
  wordIn,
  wordsIn,
} from './conditions.ts';
import { isOfKind, type Part, readParts, withoutUnknown } from './read-parts.ts';
import type { TextQuery } from './search-query.ts';
import { conceptsOf, conceptsWithin } from './search-words.ts';
import { conceptOfFlag, joinNeighbors, tokensOf, wordsForEmoji } from './searchable-text.ts';
import { stemsOfTyped } from './stems.ts';
import { maxEdits, minMatchingWords, stretchesOf } from './typo-tolerance.ts';

/** Two words that are shorter together are hardly typed as one. */
const minJoined = 6;

/** How what was recognized is looked for. */
type Way = (part: Part) => Condition;

export type WordPlanner = (part: Part, isLast: boolean, scope: Scope) => Condition;

export interface Reading {
  /** Whether nothing is to be found by words. */
  isEmpty: boolean;
  match: Condition;
  /** All words in names, in traits too, anywhere. */
  tiers: Tier[];
  /** The same of most words. */
  mostOf: Condition;
  /** What is asked for by what it is, where all or part of the text says so. */
  described: Condition[];
}

/** @param telling a word that may not be missing */
export function readText(
  text: TextQuery,
  plan: WordPlanner,
  parts = readParts(text.typedWords),
  telling: Part | null = null,
): Reading {
  const isPerfect = plan === strictWord;
  const required = [
    ...text.phrases.map((run) => phrase(run, 'anywhere')),
    ...text.hosts.map((host) => (isPerfect ? planHosts([host]) : nearHost(host))),
  ];
  const isLast = (part: Part) => part === parts.at(-1) && part.words.at(-1) === text.typedWords.at(-1);
  const inScope = (scope: Scope, mayGoOn = true) => parts.map((part) => plan(part, mayGoOn && isLast(part), scope));
  const bound = parts.filter(({ concepts }) => concepts.length > 0);
  const others = parts.filter(({ concepts }) => concepts.length === 0);
  const meantBy =
    (way: Way) =>
    (scope: Scope, mayGoOn = true) =>
      allOf([...bound.map(way), ...others.map((part) => plan(part, mayGoOn && isLast(part), scope)), ...required]);
  // What is known to be so before what may be.
  const ways: Way[] = bound.some(withoutUnknown) ? [knownMeaning, meaningOf] : [meaningOf];
  const last = parts.at(-1);
  const mayGoOn = last !== undefined && isLast(last) && last.concepts.length === 0;
  // Beside other words, one that is left of them still says what is meant.
  const isDescribed = bound.length > 0 && readParts(text.typedWords).length > 1;
  // Several words may be a name that is typed otherwise. One word is a name, or asks for what is best known.
  const comparesNames = text.words.length > 1 || text.words.some(isSpaceless);
  /** Whole words first, then those that begin so. */
  const tiersOf = (goesOn: boolean): Tier[] => {
    const byWords = (['names', 'traits'] as const).map((scope): Tier => {
      return { condition: allOf([...required, ...inScope(scope, goesOn)]), comparesNames };
    });
    if (!isDescribed || others.length === 0) return byWords;
    const meantIn = (scope: Scope) => described(ways.map((way) => meantBy(way)(scope, goesOn)));
    return [...meantIn('names'), ...byWords, ...meantIn('anywhere')];
  };
  return {
    isEmpty: required.length + parts.length === 0,
    match: allOf([...required, ...inScope('anywhere')]),
    get tiers() {
      // A whole name beside a place or a kind: `the times london`.
      const name = isDescribed ? others.flatMap(({ words }) => words).join('') : '';
      const named = name === '' ? [] : [allOf([...bound.map(meaningOf), isName('compact', [name]), ...required])];
      return parts.length === 0 ? [] : [...described(named), ...(mayGoOn ? tiersOf(false) : []), ...tiersOf(true)];
    },
    get mostOf() {
      // What is bound, and most of the other words; beside what is bound, unless only to a kind, one of them may be missing.
      const isTelling = (part: Part) => part.words[0] === telling?.words[0];
      const of = others.filter((part) => !isTelling(part)).map((part) => plan(part, isLast(part), 'anywhere'));
      const needed = [...bound, ...others.filter(isTelling)].map((part) => plan(part, isLast(part), 'anywhere'));
      const least = bound.some((part) => !isOfKind(part)) ? others.length - 1 : minMatchingWords(others.length);
      const count = Math.max(0, least - (others.length - of.length));
      return allOf([...required, ...needed, ...(count === 0 ? [] : [{ is: 'atLeast', count, of } as const])]);
    },
    get described() {
      // A whole name before a word for its kind, `asian journal news`; not a place or a topic alone.
      const before =
        last !== undefined && isLast(last) && isOfKind(last) ? text.typedWords.slice(0, -last.words.length) : [];
      const isCalled = before.length > (parts[0]?.words.length ?? 0);
      const called = isCalled ? [allOf([isName('compact', [before.join('')]), ...required])] : [];
      if (!isDescribed || others.length > 0) return called;
      // "Student" by that word, sooner than by education or a university.
      const byWord = (way: Way) => (part: Part) => (isWorded(part) ? anyOf(wordsIn(part.words, 'traits')) : way(part));
      const bySame = bound.some(isWorded) ? ways.map(byWord) : [];
      return [...called, ...[...bySame, ...ways].map((way) => meantBy(way)('anywhere'))];
    },
  };
}

/** Whether a part stands for a topic or for what other words say too, and for no place: records may have its own word. */
function isWorded(part: Part): boolean {
  const isOf = (kinds: RegExp) => part.concepts.some((one) => kinds.test(one));
  return isOf(/^(?:topic|same)\./) && !isOf(/^country\./) && !isOfKind(part);
}

/** What a part stands for: a property; of a topic or a people also a tag or, for topics, a name. */
export function meaningOf({ words, concepts }: Part): Condition {
  const isTopic = concepts.some((one) => one.startsWith('topic.'));
  return anyOf([...concepts.map(concept), ...(isTopic ? wordsIn(words, 'traits') : [])]);
}

function knownMeaning(part: Part): Condition {
  return meaningOf(withoutUnknown(part) ?? part);
}

/** Plans of one text, and their tiers, have the same words: each is planned once. */
const planned = perObject((_part: Part) => new Map<string, Condition>());

export function strictWord(part: Part, isLast: boolean, scope: Scope): Condition {
  return cached(planned(part), `${isLast} ${scope}`, () => planStrictWord(part, isLast, scope));
}

function planStrictWord({ words, concepts }: Part, isLast: boolean, scope: Scope): Condition {
  const [word = '', ...others] = words;
  if (others.length > 0) return anyOf([phrase(words, scope), ...meaningsIn(scope, concepts)]);
  if (isSpaceless(word)) return anyOf([strictRun(word, scope), ...(isWide(scope) ? conceptsOfRun(word) : [])]);
  // A whole known word is finished, and so is a number.
  const isUnfinished = isLast && concepts.length === 0 && !/^\d{1,3}$/.test(word);
  // Words for a kind are in many texts that are about something else.
  const own = isOfKind({ words, concepts }) && scope === 'anywhere' ? 'traits' : scope;
  // A code of two letters is another word in most texts.
  const within = concepts.length > 0 && word.length < 3 && isWide(own) ? 'names' : own;
  return anyOf([
    ...[word, ...otherSpellings(word)].map((one) => wordIn(one, within, isUnfinished)),
    ...(isWide(scope) ? stemsOfTyped(word).map((stem) => wordIn(stem, within)) : []),
    ...meaningsIn(scope, concepts),
    ...meaningOfEmoji(word, scope),
  ]);
}

export function fuzzyWord(part: Part, isLast: boolean, scope: Scope, mostEdits: 1 | 2, text: TextQuery): Condition {
  return cached(planned(part), `${isLast} ${scope} ${mostEdits}`, () =>
    planFuzzyWord(part, isLast, scope, mostEdits, text),
  );
}

function planFuzzyWord(
  part: Part,
  isLast: boolean,
  scope: Scope,
  mostEdits: 1 | 2,
  { typedWords }: TextQuery,
): Condition {
  const [word = '', ...others] = part.words;
  const strict = strictWord(part, isLast, scope);
  if (others.length > 0) return strict;
  if (isSpaceless(word)) return anyOf([strict, ...stretchesOf(word).map((stretch) => strictRun(stretch, scope))]);
  const edits = Math.min(maxEdits(word), mostEdits) as 0 | 1 | 2;
  const place = typedWords.indexOf(word);
  const joined = joinNeighbors(typedWords.slice(Math.max(0, place - 1), place + 2));
  const isTwoWords = word.length >= minJoined && scope !== 'people';
  // A word that is known is hardly another one mistyped.
  if (part.concepts.length > 0) return anyOf([strict, ...joined.map((one) => wordIn(one, scope))]);
  return anyOf([
    strict,
    ...[word, ...otherSpellings(word)].map(
      (one): Condition => ({ is: 'word', word: one, unfinished: false, edits, in: scope }),
    ),
    ...looseSpellings(word).map((one) => wordIn(one, scope, isLast)),
    ...joined.map((one) => wordIn(one, scope)),
    ...(isTwoWords ? [isName('joined', [word])] : []),
  ]);
}

const isWide = (scope: Scope) => scope === 'traits' || scope === 'anywhere';

function meaningsIn(scope: Scope, concepts: readonly string[]): Condition[] {
  return isWide(scope) ? concepts.map(concept) : [];
}

/** What an emoji is called, and the country of a flag. */
function meaningOfEmoji(word: string, scope: Scope): Condition[] {
  const words = wordsForEmoji(word);
  const country = conceptOfFlag(word);
  return [...(words.length > 0 ? [phrase(words, scope)] : []), ...(country === null ? [] : [concept(country)])];
}

/** What a run in a script without spaces stands for as a whole, or as words that are written as one. */
function conceptsOfRun(run: string): Condition[] {
  const own = conceptsOf(run);
  if (own.length > 0) return own.map(concept);
  const parts = conceptsWithin(run);
  return parts.length === 0 ? [] : [allOf(parts.map((part) => anyOf(part.map(concept))))];
}

/** A run in a script without spaces: its characters in sequence. */
function strictRun(run: string, scope: Scope): Condition {
  return tokensOf(run).length === 1 ? wordIn(run, scope, true) : phrase([run], scope);
}

function nearHost(host: string): Condition {
  return { is: 'host', hosts: [host, ...hostAndParents(host)], edits: maxEdits(hostLabel(host)) };
}
