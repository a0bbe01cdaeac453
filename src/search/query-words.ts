import { wordsOfUse } from '#languages/words.ts';
import { foldedWords } from '#text/fold.ts';
import { smallWords } from '#text/name-keys.ts';

/* Words of queries that ask for no property of a record. All are folded. */

const wordsFor = (...uses: string[]): ReadonlySet<string> =>
  new Set(uses.flatMap(wordsOfUse).flatMap((word) => foldedWords(word)));

const titleWords = wordsFor('search.role');
const roleWords = wordsFor('search.role', 'search.asking');
const languageWords = wordsFor('search.language');
const exceptWords = wordsFor('search.except', 'search.not');
const notWords = wordsFor('search.not');
const regionWords = wordsFor('search.region');
const valueWords = wordsFor('search.filler', 'search.role', 'search.asking', 'search.language');
const notPlaces = wordsFor('search.no_place');

/** What stands before the code of a state in an address, once it is parsed: in the middle of a text, too, a place is meant. */
export const addressPreposition = 'within';

/** Whether a word says how good a medium should be or asks for a person at it: `best`, `editor`. */
export function isValueWord(word: string): boolean {
  return valueWords.has(word);
}

/** Whether a word asks for a person at a medium: `editor`, `contact for`. */
export function isRoleWord(word: string): boolean {
  return roleWords.has(word);
}

/** Whether a word asks for nothing, also where people are looked for: `contact`, but not `editor`, which is in titles. */
export function isFillerOfPeople(word: string): boolean {
  return isFiller(word) && !titleWords.has(word);
}

/** Whether the word before this one is the name of a language: `welsh language`. */
export function isLanguageWord(word: string): boolean {
  return languageWords.has(word);
}

/** Whether a word beside the name of a region says what it is: `perm krai`. */
export function isRegionWord(word: string): boolean {
  return regionWords.has(word);
}

/** Whether what follows is not meant: `except`. */
export function isExcept(word: string): boolean {
  return exceptWords.has(word);
}

/** Whether any word that follows is not meant, though it stands for nothing: `without`, but not `outside`. */
export function isNot(word: string): boolean {
  return notWords.has(word);
}

/** Whether a word beside others asks for nothing: `the`, `best`, `editor`. */
export function isFiller(word: string): boolean {
  return smallWords.has(word) || valueWords.has(word);
}

/** Whether a word is no place, though one has this name: Indie is Polish for India, and Central is a region of Ghana. */
export function isNoPlace(word: string): boolean {
  return notPlaces.has(word);
}
