import { perObject } from '#text/memoize.ts';
import { articles, markedKey } from '#text/name-keys.ts';
import {
  canBeInitials,
  compactName,
  countWords,
  hasForms,
  sortedLetters,
  sortedName,
  withoutOneWord,
} from '../indexed/name-forms.ts';
import type { Understanding } from '../search-query.ts';
import { isOfKind, isPlace, isRecognized } from '../words/parts.ts';
import { allOf, anyOf, type Condition, hostCondition, isName, pageCondition, wordIn } from './conditions.ts';
import { tiersAtPage, tiersAtRoot } from './location-conditions.ts';
import { maxEdits } from './typo-tolerance.ts';
import { meaningOf, strictWord } from './word-conditions.ts';

/** A shorter name has no two typos. */
const minLengthTwoTypos = 5;
/** A shorter name with two typos must have nearly the same letters, or any nonsense would be near it. */
const minLengthAnyLetters = 6;
/** Of a shorter name, those with nearly the same letters come first. */
const minLengthAnyOrder = 7;
/** A shorter text is the beginning of too many names. */
const minBeginning = 3;

/** The ways to type a whole name, each with its conditions, best first. The examples find "The New York Times". */
interface TypedNames {
  /** The name or an alias, in any spelling. */
  whole: Condition[];
  /** Of the records at a typed host or page, those that come first. */
  located: Condition[];
  /** Beginning with one short word, `nyt`: sooner than what has it as its host or initials. */
  begunByWord: Condition[];
  /** By its page, its host or its initials: `nytimes`, `nyt`. */
  handles: Condition[];
  /** By its initials behind an article or beside its kind: `the nyt`, `nyt newspaper`. */
  abbreviated: Condition[];
  /** With other spaces, without its article or with its words in another order: `times new york the`. */
  same: Condition[];
  /** A beginning: `the new yo`. */
  begun: Condition[];
  /** Without one of its words: `the york times`. */
  longer: Condition[];
  /** With one typo. */
  near: Condition[];
  /** With two typos. */
  far: Condition[];
  /** With the same consonants. Many names share these by chance, so names with one typo come first. */
  byConsonants: Condition[];
  /** With a word too many: `the new york times paper`. */
  shorter: Condition[];
  /** By beginnings of its words: `the ne yo ti`. */
  outlined: Condition[];
}

const noForms = { same: [], near: [], far: [], shorter: [] };
const noWords = {
  located: [],
  begunByWord: [],
  handles: [],
  abbreviated: [],
  begun: [],
  longer: [],
  outlined: [],
};

/** Looks for the typed text as one name. A way that cannot have been meant has no conditions. */
export const nameConditions = perObject((text: Understanding): TypedNames => {
  const { nameKey: key, otherNameKeys, latinKeys, typedWords, callSigns, hosts, pages } = text;
  const spelled = [key, ...otherNameKeys, markedKey(otherNameKeys[0] ?? key), ...latinKeys.bySound];
  const whole = [isName('whole', spelled), ...listedConditions(text)];
  const byConsonants = latinKeys.byConsonants.length === 0 ? [] : [isName('whole', latinKeys.byConsonants)];
  if (asksForWords(text) || !hasForms(key)) return { whole, byConsonants, ...noForms, ...noWords };
  const typed = compactName(key);
  const compact = [typed, ...otherNameKeys.filter(hasForms).map(compactName)];
  // Another number or call sign is another name: `Channel 5`.
  const unmistakable = typedWords.filter((word) => /^\d+$/.test(word) || callSigns.includes(word));
  const asTyped = unmistakable.map((word) => wordIn(word, 'names'));
  // `ny times`, `s.f. chronicle`; in `st journal`, Saint is meant.
  const shortened = /^(?!(?:st|ft|mt) )\S ?\S /.test(otherNameKeys[0] ?? key) ? [isName('shortened', compact)] : [];
  // People most often add the last word.
  const shorterNames = withoutOneWord(key);
  const shorter = [shorterNames.slice(0, 1), shorterNames.slice(1)].filter(({ length }) => length > 0);
  const names = {
    whole,
    byConsonants,
    same: [anyOf([isName('compact', compact), isName('sorted', [sortedName(key)]), ...shortened])],
    near: nearNames(1, typed, asTyped),
    far: nearNames(2, typed, asTyped),
    shorter: shorter.map((keys) => isName('compact', keys)),
  };
  if (hosts.length + pages.length > 0) {
    const handles = [...hosts.map((host) => hostCondition([host])), ...pages.map((page) => pageCondition(page))];
    return { ...names, ...noWords, located: [...pages.flatMap(tiersAtPage), ...hosts.flatMap(tiersAtRoot)], handles };
  }
  const count = countWords(key);
  const [first = ''] = typedWords;
  const inNames = (unfinished: boolean) => typedWords.map((word) => wordIn(word, 'names', unfinished));
  const last = typedWords.at(-1) ?? '';
  const initials = canBeInitials(last) ? [isName('initials', [last])] : [];
  const isOneWord = typedWords.length === 1;
  const behindArticle = typedWords.length === 2 && articles.has(first) ? initials : [];
  // Otherwise something typed is in no name, such as an emoji, and must be found too.
  const isOnlyWords = count === typedWords.length;
  return {
    ...names,
    located: [],
    begunByWord: isOneWord && initials.length > 0 ? [allOf([beginsWith(first), ...inNames(false)])] : [],
    handles: [isName('label', [typed]), ...(isOneWord ? initials : [])],
    abbreviated: [...behindArticle, ...abbreviatedNames(text)],
    begun: [...(isOnlyWords && key.length >= minBeginning ? [beginsWith(key)] : []), ...behindArticle],
    longer: count > 1 ? [allOf([...inNames(false), isName('count', [String(count + 1)])])] : [],
    outlined: count > 1 ? [allOf([beginsWith(first), ...inNames(true)])] : [],
  };
});

/**
 * One of the names of a list; before these, a name that has all of them, as a paper of several places (`Alexandra, Eildon, Standard`), and one
 * beside its place: `Daily Tribune, Ames, IA`.
 */
function listedConditions({ listedNames, words }: Understanding): Condition[] {
  if (listedNames.length === 0) return [];
  const listed = isName('compact', listedNames);
  const withAll = (scope: 'names' | 'traits') => words.map((word) => wordIn(word, scope));
  return [allOf(withAll('names')), allOf([listed, ...withAll('traits')]), listed];
}

/** `nyt newspaper`, `nyt usa`: initials beside nothing but a kind or a place. */
function abbreviatedNames({ parts }: Understanding): Condition[] {
  const [abbreviation, ...more] = parts.filter((part) => !isRecognized(part));
  const besides = parts.filter((part) => isOfKind(part) || isPlace(part));
  const [initials = ''] = abbreviation?.words ?? [];
  const isAsked = more.length === 0 && besides.length > 0 && besides.length + 1 === parts.length;
  if (!isAsked || initials.length < minBeginning || !canBeInitials(initials)) return [];
  const conditionsBeside = besides.map((part) => (isPlace(part) ? strictWord(part, false, 'traits') : meaningOf(part)));
  return [allOf([isName('initials', [initials]), ...conditionsBeside])];
}

/** A name that is this word, then one with these initials; nothing for too few letters. */
export function namesOrInitials(word: string): Condition[] {
  if (word.length < minBeginning) return [];
  return [isName('compact', [word]), ...(canBeInitials(word) ? [isName('initials', [word])] : [])];
}

/** Whether a text has quotes or exclusions: these ask for words, not for names. */
export function asksForWords({ phrases, excluded, excludedHosts, excludedPages }: Understanding): boolean {
  return phrases.length + excluded.length + excludedHosts.length + excludedPages.length > 0;
}

/** Names with so many typos, but with some words as typed. Nothing if a name of this length may not have them. */
function nearNames(edits: 1 | 2, name: string, asTyped: readonly Condition[]): Condition[] {
  if (edits > maxNameEdits(name)) return [];
  const near: Condition = { is: 'name', form: 'compact', keys: [name], edits };
  const withAnyLetters = allOf([near, ...asTyped]);
  if (edits === 1 || name.length >= minLengthAnyOrder) return [withAnyLetters];
  const alike: Condition = { is: 'name', form: 'letters', keys: [sortedLetters(name)], edits: 1 };
  const withTheseLetters = allOf([allOf([near, alike]), ...asTyped]);
  return name.length >= minLengthAnyLetters ? [withTheseLetters, withAnyLetters] : [withTheseLetters];
}

/** A name of five letters may have two typos, a word only from eight letters on. */
function maxNameEdits(name: string): 0 | 1 | 2 {
  const edits = maxEdits(name);
  return edits === 1 && name.length >= minLengthTwoTypos ? 2 : edits;
}

/** Names that begin so, also without their articles. */
function beginsWith(key: string): Condition {
  return anyOf([key, markedKey(key)].map((beginning) => ({ is: 'nameBeginning', key: beginning })));
}
