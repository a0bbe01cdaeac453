import { perObject } from '#text/memoize.ts';
import { markedKey } from '#text/name-keys.ts';
import { allOf, anyOf, type Condition, isName, planHosts, wordIn } from './conditions.ts';
import {
  canBeInitials,
  compactName,
  countWords,
  hasForms,
  sortedLetters,
  sortedName,
  withoutOneWord,
} from './name-forms.ts';
import { meaningOf } from './plan-words.ts';
import { isOfKind, readParts } from './read-parts.ts';
import type { TextQuery } from './search-query.ts';
import { maxEdits } from './typo-tolerance.ts';

/** The same of whole names with two slips, with those letters or any. */
const minLengthTwoSlips = 5;
const minLengthAnyLetters = 7;
/** Shorter beginnings of whole names are beginnings of words. */
const minBeginning = 3;

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
  /** The beginning of a name. */
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
  people: Condition[];
}

export const planNames = perObject((text: TextQuery): TypedNames => {
  const { nameKey: key, otherNameKeys, latinKeys, typedWords, hosts } = text;
  const spelled = [key, ...otherNameKeys, markedKey(otherNameKeys[0] ?? key), ...latinKeys.bySound];
  const names: TypedNames = {
    whole: [isName('whole', spelled)],
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
  names.same = [anyOf([isName('compact', [typed, ...bare]), isName('sorted', [sortedName(key)])])];
  // Another number is another name: `Channel 5`.
  const numbers = typedWords.filter((word) => /^\d+$/.test(word)).map((word) => wordIn(word, 'names'));
  const withNumbers = (near: Condition) => allOf([near, ...numbers]);
  names.near = planNear(1, typed).map(withNumbers);
  names.far = planNear(2, typed).map(withNumbers);
  const [last, ...others] = withoutOneWord(key);
  if (last !== undefined) names.shorter = [isName('compact', [last])];
  if (others.length > 0) names.shorter.push(isName('compact', others));
  if (hosts.length > 0) return { ...names, known: hosts.map((host) => planHosts([host])) };
  const [word = '', ...moreWords] = typedWords;
  const isAbbreviated = moreWords.length === 0 && canBeInitials(word);
  names.known = [isName('label', [typed]), ...(isAbbreviated ? [isName('initials', [word])] : [])];
  names.abbreviated = planAbbreviated(text);
  names.people = [allOf(typedWords.map((word) => wordIn(word, 'people')))];
  const count = countWords(key);
  const words = typedWords.map((word) => wordIn(word, 'names'));
  // Anything that is not part of a name, such as an emoji, must be found too.
  if (count === typedWords.length && key.length >= minBeginning) {
    names.begun = [beginsWith(key)];
  }
  if (count > 1) {
    const [first = ''] = typedWords;
    names.longer = [allOf([...words, isName('count', [String(count + 1)])])];
    names.outlined = [allOf([beginsWith(first), ...typedWords.map((word) => wordIn(word, 'names', true))])];
  }
  return names;
});

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

/** Quotes and exclusions ask for words, not for names. */
export function asksForWords({ phrases, excluded, excludedHosts }: TextQuery): boolean {
  return phrases.length + excluded.length + excludedHosts.length > 0;
}

/** Names with so many edits, or nothing if a name of this length may not have them. */
function planNear(edits: 1 | 2, name: string): Condition[] {
  if (edits > maxNameEdits(name)) return [];
  const own: Condition = { is: 'name', form: 'compact', keys: [name], edits };
  const alike: Condition = { is: 'name', form: 'letters', keys: [sortedLetters(name)], edits: 1 };
  return [edits > 1 && name.length < minLengthAnyLetters ? allOf([own, alike]) : own];
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
