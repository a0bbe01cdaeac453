import { isSpaceless } from '#text/fold.ts';
import { hostAndParents, hostLabel } from '#text/hosts.ts';
import { markedKey } from '#text/name-keys.ts';
import { looseSpellings, otherSpellings } from '#text/spellings.ts';
import { conceptOfFlag, wordsForEmoji } from './emoji.ts';
import {
  canBeInitials,
  compactName,
  countWords,
  hasForms,
  type NameForm,
  sortedLetters,
  sortedName,
  withoutLastOfTwo,
  withoutOneWord,
} from './name-forms.ts';
import type { TextQuery } from './search-query.ts';
import {
  asksForChannel,
  conceptsBeginning,
  conceptsNear,
  conceptsOf,
  conceptsWithin,
  isOfKind,
  type Part,
  readParts,
  wordsOfSame,
} from './search-words.ts';
import { joinNeighbors, tokensOf } from './searchable-text.ts';
import { stemsOfTyped } from './stems.ts';
import { decidingWords, maxEdits, minMatchingWords, stretchesOf } from './typo-tolerance.ts';

/**
 * The query plan: what a typed text searches for and in which order, decided once for every engine (docs/search.md). An
 * engine renders conditions and decides nothing. Which of the three plans of a text is used says choose-plan.ts.
 */

/** Where a word is looked for, each wider than the one before; `people` is the contact person alone. */
export type Scope = 'names' | 'hosts' | 'traits' | 'anywhere' | 'people';

/** A condition on a record. All words are folded. */
export type Condition =
  /** A word, or one within `edits` with the same first letter; `unfinished`: or one that starts with it. */
  | { is: 'word'; word: string; unfinished: boolean; edits: 0 | 1 | 2; in: Scope }
  /** The words in sequence. */
  | { is: 'phrase'; words: readonly string[]; in: Scope }
  /** A property of the record, as named in search-words.ts. */
  | { is: 'concept'; concept: string }
  /** One of the hosts, or spelled out in a name; `edits`: or a host near the first one. */
  | { is: 'host'; hosts: readonly string[]; edits: 0 | 1 | 2 }
  /** A name of the record is one of these in this form, or within `edits` of it with the same first letter. */
  | { is: 'name'; form: NameForm; keys: readonly string[]; edits: 0 | 1 | 2 }
  /** A name of the record begins with this key; its last word may go on. */
  | { is: 'nameBeginning'; key: string }
  | { is: 'all'; of: readonly Condition[] }
  | { is: 'any'; of: readonly Condition[] }
  | { is: 'atLeast'; count: number; of: readonly Condition[] };

/** What one query finds, and in which order. */
export interface PlannedQuery {
  match: Condition;
  /**
   * Best first: a record that meets an earlier condition comes before all that do not; within a tier the more prominent
   * one comes first (prominence.ts). All are within `match`, and the last is `match`.
   */
  tiers: readonly Tier[];
  /** The typed name, which compare-names.ts compares. */
  nameKey: string;
}

export interface Tier {
  condition: Condition;
  /** Whether those whose names are nearest to the typed one come first. */
  comparesNames: boolean;
}

/** Two words that are shorter together are hardly typed as one. */
const minJoined = 6;
/** So many words are in one record by chance only if it is about them. */
const manyWords = 6;
/** The same of whole names with two slips, with those letters or any. */
const minLengthTwoSlips = 5;
const minLengthAnyLetters = 7;
/** Shorter beginnings of whole names are beginnings of words. */
const minBeginning = 3;

/**
 * The strict query is used if it finds this many records. A host, a phrase or many words with any match were meant; a word
 * may be another one mistyped.
 */
export function minStrictMatches({ words }: TextQuery): number {
  return words.length === 0 || words.length >= manyWords ? 1 : 5;
}

/** The typed name as a whole. */
export function planWholeName({ nameKey }: TextQuery): Condition {
  return isName('whole', [nameKey]);
}

/** A name that differs from the typed one by one slip; null if what was typed stands for something as it is. */
export function planSlip(text: TextQuery): Condition | null {
  const parts = readParts(text.typedWords);
  if (text.hosts.length > 0 || (parts.length > 0 && parts.every(({ concepts }) => concepts.length > 0))) return null;
  const { near, shorter } = planNames(text);
  const slips = [...near, ...(mayBeName(parts) ? shorter : [])];
  return slips.length === 0 ? null : anyOf(slips);
}

/**
 * As typed: every word or what it stands for, the last one also as a prefix; every phrase and every host. Null if only
 * exclusions were typed.
 */
export function planStrict(text: TextQuery): PlannedQuery | null {
  const isOnlyExclusions = text.excluded.length + text.excludedHosts.length > 0;
  const reading = readText(text, strictWord);
  if (reading.isEmpty && isOnlyExclusions) return null;
  const names = planNames(text);
  // A page of a host may be a name, and its host is found however the page is typed.
  const near = isPage(text) ? [...names.near, ...names.far] : [];
  const byName = [
    ...names.whole,
    ...names.same,
    ...near,
    ...names.known,
    ...names.byConsonants,
    ...names.abbreviated,
    ...names.people,
  ];
  return arrange(text, anyOf([...byName, ...(reading.isEmpty ? [] : [reading.match])]), [
    ...named([...names.whole, ...names.same, ...near, ...names.known, ...names.byConsonants]),
    ...described(reading.described),
    ...named([...names.begun, ...names.longer, ...names.abbreviated]),
    ...reading.tiers,
  ]);
}

/**
 * Corrected: each word or one near it; a name may be typed with two slips, or with a word too many. What was recognized
 * binds; of three or more words that were not, one may be missing. Null if there is nothing to correct.
 */
export function planFuzzy(text: TextQuery): PlannedQuery | null {
  return planCorrected(text, 1, readParts(text.typedWords));
}

/**
 * The last query, if neither of the others finds anything: two slips in a word, a name and a word that is not of it, and
 * without the words that only say what kind of media is meant.
 */
export function planLast(text: TextQuery): PlannedQuery | null {
  const name = asksForWords(text) ? null : withoutLastOfTwo(text.nameKey);
  const shorter = name === null ? [] : [anyOf([isName('compact', [name]), isName('bare', [name])])];
  const parts = readParts(text.typedWords);
  const needed = parts.filter((part) => !isOfKind(part));
  const isBound = parts.some(({ concepts }) => concepts.length > 0);
  const ways = [
    planCorrected(text, 2, needed.length === 0 ? parts : needed),
    ...(isBound ? [planCorrected(text, 2, parts, true)] : []),
  ].filter((way) => way !== null);
  if (ways.length + shorter.length === 0) return null;
  return arrange(text, anyOf([...shorter, ...ways.map(({ match }) => match)]), [
    ...named(shorter),
    ...ways.flatMap(({ tiers }) => tiers),
  ]);
}

function planCorrected(
  text: TextQuery,
  mostEdits: 1 | 2,
  parts: readonly Part[],
  mayMiss = false,
): PlannedQuery | null {
  const fuzzy: WordPlanner = (part, isLast, scope) => fuzzyWord(part, isLast, scope, mostEdits, text);
  const reading = readText(text, fuzzy, parts);
  if (reading.isEmpty) return null;
  const strict = readText(text, strictWord);
  const isFree = mayMiss || parts.every(({ concepts }) => concepts.length === 0);
  const match = isFree ? reading.mostOf : reading.match;
  const names = planNames(text);
  const byName = [
    ...names.whole,
    ...names.same,
    ...names.known,
    ...names.near,
    ...names.far,
    ...names.byConsonants,
    ...names.abbreviated,
    ...names.shorter,
    ...names.outlined,
    ...names.people,
  ];
  return arrange(text, anyOf([...byName, match]), [
    ...named([...names.whole, ...names.same, ...names.known, ...names.begun, ...names.longer, ...names.near]),
    // Beside a place or a topic, the name that is left may be of another medium.
    ...(mayBeName(parts) ? named([...names.far, ...names.shorter]) : []),
    ...described(strict.described),
    ...strict.tiers,
    ...(strict.isEmpty ? [] : described([strict.match])),
    ...named([...names.far, ...names.byConsonants, ...names.shorter, ...names.outlined]),
    ...described(reading.described),
    ...reading.tiers,
    ...(isFree ? reading.mostByScope : []),
  ]);
}

/** Whether nothing but kinds was recognized. */
const mayBeName = (parts: readonly Part[]) => parts.every((part) => part.concepts.length === 0 || isOfKind(part));

const named = (conditions: readonly Condition[]) => conditions.map((condition) => ({ condition, comparesNames: true }));
const described = (conditions: readonly Condition[]) =>
  conditions.map((condition) => ({ condition, comparesNames: false }));

/** The match is the last tier, unless it is there already. */
function arrange({ nameKey }: TextQuery, match: Condition, tiers: readonly Tier[]): PlannedQuery {
  const all = [...tiers, { condition: match, comparesNames: false }];
  const told = all.filter(({ condition }) => !('of' in condition && condition.of.length === 0));
  const tiersOnce = Map.groupBy(told, ({ condition }) => JSON.stringify(condition));
  return { match, nameKey, tiers: [...tiersOnce.values()].flatMap((same) => same.slice(0, 1)) };
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
  return [
    ...text.excluded.map((run) => phrase(run, 'anywhere')),
    ...concepts.map(concept),
    ...text.excludedHosts.map((host) => planHosts([host])),
  ];
}

/** Any of the hosts, as typed. */
export function planHosts(hosts: readonly string[]): Condition {
  return { is: 'host', hosts, edits: 0 };
}

type WordPlanner = (part: Part, isLast: boolean, scope: Scope) => Condition;

/** The words of a text, read as parts. */
interface Reading {
  /** Whether nothing is to be found by words. */
  isEmpty: boolean;
  match: Condition;
  /** All words in names, in hosts too, in traits too. */
  tiers: Tier[];
  /** The same of most words. */
  mostOf: Condition;
  mostByScope: Tier[];
  /** What is asked for by what it is, where all or part of the text says so. */
  described: Condition[];
}

const scopes = ['names', 'hosts', 'traits', 'anywhere'] as const satisfies readonly Scope[];

function readText(text: TextQuery, plan: WordPlanner, parts = readParts(text.typedWords)): Reading {
  const isPerfect = plan === strictWord;
  const required = [
    ...text.phrases.map((run) => phrase(run, 'anywhere')),
    ...text.hosts.map((host) => (isPerfect ? planHosts([host]) : nearHost(host))),
  ];
  const isLast = (part: Part) => part === parts.at(-1) && part.words.at(-1) === text.typedWords.at(-1);
  const inScope = (scope: Scope, mayGoOn = true) => parts.map((part) => plan(part, mayGoOn && isLast(part), scope));
  const bound = parts.filter(({ concepts }) => concepts.length > 0);
  const others = parts.filter(({ concepts }) => concepts.length === 0);
  /** What is bound, and most of the other words; beside what is bound one of them may be missing. */
  const deciding = (scope: Scope) => {
    const words = decidingWords(others.map(({ words: [word = ''] }) => word));
    const own = others.filter(({ words: [word = ''] }) => words.includes(word));
    const of = own.map((part) => plan(part, isLast(part), scope));
    const count = bound.length > 0 ? Math.max(0, of.length - 1) : minMatchingWords(of.length);
    const most: Condition[] = count === 0 ? [] : [{ is: 'atLeast', count, of }];
    return allOf([...required, ...bound.map((part) => plan(part, isLast(part), scope)), ...most]);
  };
  const channel = asksForChannel(text.typedWords) ? [concept('type.tv')] : [];
  const meant = (scope: Scope, mayGoOn = true) =>
    allOf([
      ...bound.map(meaningOf),
      ...channel,
      ...others.map((part) => plan(part, mayGoOn && isLast(part), scope)),
      ...required,
    ]);
  const last = parts.at(-1);
  const mayGoOn = last !== undefined && isLast(last) && last.concepts.length === 0;
  /** Whole words first, then those that begin so. */
  const tiersOf = (goesOn: boolean): Tier[] => [
    ...(isDescribed && others.length > 0 ? described([meant('names', goesOn)]) : []),
    ...byScope((scope) => allOf([...required, ...inScope(scope, goesOn)])),
    ...(isDescribed && others.length > 0 ? described([meant('traits', goesOn), meant('anywhere', goesOn)]) : []),
    ...(goesOn ? [] : described([allOf([...required, ...inScope('anywhere', goesOn)])])),
  ];
  // Several words may be a name that is typed otherwise. One word is a name, or asks for what is best known.
  const isLikeName = text.words.length > 1 || text.words.some(isSpaceless);
  const byScope = (find: (scope: Scope) => Condition): Tier[] =>
    scopes.slice(0, 3).map((scope) => ({ condition: find(scope), comparesNames: isLikeName }));
  const isDescribed = bound.length + channel.length > 0 && parts.length > 1;
  return {
    isEmpty: required.length + parts.length === 0,
    match: allOf([...required, ...inScope('anywhere')]),
    tiers: parts.length === 0 ? [] : [...(mayGoOn ? tiersOf(false) : []), ...tiersOf(true)],
    mostOf: deciding('anywhere'),
    mostByScope: parts.length === 0 ? [] : byScope(deciding),
    described: isDescribed && others.length === 0 ? [meant('anywhere')] : [],
  };
}

/** What a part stands for: a property; of a topic or a people also a tag or, for topics, a name. */
function meaningOf({ words, concepts }: Part): Condition {
  const isTopic = concepts.some((one) => one.startsWith('topic.'));
  return anyOf([...concepts.map(concept), ...(isTopic ? wordsIn(words, 'traits') : [])]);
}

/** Ways in which a whole name may have been typed, each with its conditions, best first. */
interface TypedNames {
  /** The name itself, an alias, either in other spellings. */
  whole: Condition[];
  /** What people call it: by its host, by its initials. */
  known: Condition[];
  /** By its initials, beside words for what it is: `nyt newspaper`. */
  abbreviated: Condition[];
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
  /** Names with the same consonants: many have them by chance, so one with a slip comes before. */
  byConsonants: Condition[];
  /** A name and a word that is not of it. */
  shorter: Condition[];
  /** Beginnings of words of a name, its first word's before the others. */
  outlined: Condition[];
  /** The contact person. */
  people: Condition[];
}

function planNames(text: TextQuery): TypedNames {
  const { nameKey: key, otherNameKeys, latinKeys, typedWords, hosts } = text;
  const spelled = [key, ...otherNameKeys, markedKey(otherNameKeys[0] ?? key), ...latinKeys.bySound];
  const names: TypedNames = {
    whole: [isName('own', [key]), planWholeName(text), isName('whole', spelled)],
    known: [],
    abbreviated: [],
    same: [],
    begun: [],
    longer: [],
    near: [],
    far: [],
    byConsonants: latinKeys.byConsonants.length === 0 ? [] : [isName('whole', latinKeys.byConsonants)],
    shorter: [],
    outlined: [],
    people: [],
  };
  if (asksForWords(text) || !hasForms(key)) return names;
  const typed = compactName(key);
  const bare = otherNameKeys.filter(hasForms).map(compactName);
  names.same = [
    anyOf([isName('compact', [typed]), isName('sorted', [sortedName(key)])]),
    anyOf([isName('bare', [typed, ...bare]), ...(bare.length === 0 ? [] : [isName('compact', bare)])]),
  ];
  names.near = planNear(1, typed, bare);
  names.far = planNear(2, typed, bare);
  const shorter = withoutOneWord(key);
  names.shorter = [shorter.slice(0, 1), shorter.slice(1)]
    .filter(({ length }) => length > 0)
    .map((left) => anyOf([isName('compact', left), isName('bare', left)]));
  if (hosts.length > 0) return { ...names, known: hosts.flatMap(planKnownHost) };
  const [word = '', ...moreWords] = typedWords;
  const isAbbreviated = moreWords.length === 0 && canBeInitials(word);
  names.known = [isName('label', [typed]), ...(isAbbreviated ? [isName('initials', [word])] : [])];
  names.abbreviated = planAbbreviated(text);
  names.people = [allOf(typedWords.map((word) => wordIn(word, 'people')))];
  const count = countWords(key);
  const words = typedWords.map((word) => wordIn(word, 'names'));
  // Anything that is not part of a name, such as an emoji, must be found too.
  if (count === typedWords.length && key.length >= minBeginning) {
    names.begun = [allOf([beginsWith(key), isName('count', [String(count)])]), beginsWith(key)];
  }
  if (count > 1) {
    const [first = ''] = typedWords;
    names.longer = [allOf([...words, isName('count', [String(count + 1)])])];
    names.outlined = [allOf([beginsWith(first), ...typedWords.map((word) => wordIn(word, 'names', true))])];
  }
  return names;
}

/** A name by its initials, asked for with what it is. */
function planAbbreviated({ typedWords }: TextQuery): Condition[] {
  const parts = readParts(typedWords);
  const [only, ...more] = parts.filter(({ concepts }) => concepts.length === 0);
  const kinds = parts.filter(isOfKind);
  const [initials = ''] = only?.words ?? [];
  const isAsked = more.length === 0 && kinds.length > 0 && kinds.length + 1 === typedWords.length;
  if (!isAsked || initials.length < minBeginning || !canBeInitials(initials)) return [];
  return [allOf([isName('initials', [initials]), ...kinds.map(meaningOf)])];
}

/** The medium that is called as its host, then all that are there. */
function planKnownHost(host: string): Condition[] {
  const label = compactName(hostLabel(host).replace(/^the-?/, ''));
  const called = anyOf([isName('compact', [label, `the${label}`]), isName('bare', [label])]);
  return [allOf([planHosts([host]), called]), planHosts([host])];
}

/** Whether the page of a host was typed, not only the host. */
function isPage({ hosts: [host], nameKey }: TextQuery): boolean {
  return host !== undefined && countWords(nameKey) > host.split(/[.-]/).length;
}

/** Quotes and exclusions ask for words, not for names. */
function asksForWords({ phrases, excluded, excludedHosts }: TextQuery): boolean {
  return phrases.length + excluded.length + excludedHosts.length > 0;
}

/** Names with so many edits: as they were typed, then without the typed articles. */
function planNear(edits: 1 | 2, typed: string, bare: readonly string[]): Condition[] {
  const near = (name: string): Condition[] => {
    if (edits > maxNameEdits(name)) return [];
    const own = (['compact', 'bare'] as const).map((form): Condition => ({ is: 'name', form, keys: [name], edits }));
    const alike: Condition = { is: 'name', form: 'letters', keys: [sortedLetters(name)], edits: 1 };
    return edits > 1 && name.length < minLengthAnyLetters ? [allOf([anyOf(own), alike])] : own;
  };
  return [near(typed), bare.flatMap(near)].filter((ways) => ways.length > 0).map(anyOf);
}

/** A whole name may have two slips sooner than a word; a short one the same letters but for one, or any nonsense is near it. */
function maxNameEdits(name: string): 0 | 1 | 2 {
  const edits = maxEdits(name);
  return edits === 1 && name.length >= minLengthTwoSlips ? 2 : edits;
}

/** The beginning of a name, or of what follows its article. */
function beginsWith(key: string): Condition {
  return anyOf([key, markedKey(key)].map((beginning) => ({ is: 'nameBeginning', key: beginning })));
}

function strictWord({ words, concepts }: Part, isLast: boolean, scope: Scope): Condition {
  const [word = '', ...others] = words;
  if (others.length > 0) return anyOf([phrase(words, scope), ...meaningsIn(scope, concepts)]);
  if (isSpaceless(word)) return anyOf([strictRun(word, scope), ...(isWide(scope) ? conceptsOfRun(word) : [])]);
  // A whole known word is finished, and so is a number.
  const isUnfinished = isLast && concepts.length === 0 && !/^\d{1,3}$/.test(word);
  const meanings = isUnfinished ? conceptsBeginning(word) : concepts;
  // Words for a kind are in many texts that are about something else.
  const own = isOfKind({ words, concepts }) && scope === 'anywhere' ? 'traits' : scope;
  // A code of two letters is another word in most texts.
  const within = concepts.length > 0 && word.length < 3 && isWide(own) ? 'names' : own;
  return anyOf([
    ...[word, ...otherSpellings(word)].map((one) => wordIn(one, within, isUnfinished)),
    ...(isWide(scope) ? stemsOfTyped(word).map((stem) => wordIn(stem, within)) : []),
    ...meaningsIn(scope, meanings),
    ...meaningOfEmoji(word, scope),
  ]);
}

function fuzzyWord(part: Part, isLast: boolean, scope: Scope, mostEdits: 1 | 2, { typedWords }: TextQuery): Condition {
  const [word = '', ...others] = part.words;
  const strict = strictWord(part, isLast, scope);
  if (others.length > 0) return strict;
  if (isSpaceless(word)) return anyOf([strict, ...stretchesOf(word).map((stretch) => strictRun(stretch, scope))]);
  const edits = Math.min(maxEdits(word), mostEdits) as 0 | 1 | 2;
  const place = typedWords.indexOf(word);
  const joined = joinNeighbors(typedWords.slice(Math.max(0, place - 1), place + 2));
  const isTwoWords = word.length >= minJoined && scope !== 'people';
  // A word that is known is hardly another one mistyped.
  if (part.concepts.length > 0) {
    const texts = [word, ...joined].map((one) => wordIn(one, scope));
    return anyOf([strict, ...(scope === 'anywhere' ? texts : [])]);
  }
  return anyOf([
    strict,
    ...[word, ...otherSpellings(word)].map(
      (one): Condition => ({ is: 'word', word: one, unfinished: false, edits, in: scope }),
    ),
    ...looseSpellings(word).map((one) => wordIn(one, scope, isLast)),
    ...meaningsIn(scope, conceptsNear(word)),
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

function wordsIn(words: readonly string[], scope: Scope): Condition[] {
  const [word = '', ...others] = words;
  return others.length > 0
    ? [phrase(words, scope)]
    : [wordIn(word, scope), ...stemsOfTyped(word).map((stem) => wordIn(stem, scope))];
}

function wordIn(word: string, scope: Scope, unfinished = false): Condition {
  return isSpaceless(word) && tokensOf(word).length > 1
    ? phrase([word], scope)
    : { is: 'word', word, unfinished, edits: 0, in: scope };
}

function isName(form: NameForm, keys: readonly string[]): Condition {
  return { is: 'name', form, keys: [...new Set(keys)], edits: 0 };
}

function allOf(conditions: readonly Condition[]): Condition {
  const [only] = conditions;
  return only !== undefined && conditions.length === 1 ? only : { is: 'all', of: conditions };
}

function anyOf(conditions: readonly Condition[]): Condition {
  const [only] = conditions;
  return only !== undefined && conditions.length === 1 ? only : { is: 'any', of: conditions };
}

function phrase(words: readonly string[], scope: Scope): Condition {
  return { is: 'phrase', words, in: scope };
}

function concept(name: string): Condition {
  const same = wordsOfSame(name);
  return same === null ? { is: 'concept', concept: name } : anyOf(same.flatMap((words) => wordsIn(words, 'traits')));
}
