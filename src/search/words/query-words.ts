import { wordsOfUse } from '#languages/words.ts';
import { foldedWords, withoutElisions } from '#text/fold.ts';
import { smallWords } from '#text/name-keys.ts';

/* Words of queries that ask for no property of a record. All are folded. */

const wordsFor = (...uses: string[]): ReadonlySet<string> =>
  new Set(uses.flatMap(wordsOfUse).flatMap((word) => foldedWords(word)));

/** Phrases of a use, each with spaces between its folded words. */
function phrasesFor(use: string): ReadonlySet<string> {
  return new Set(wordsOfUse(use).map((phrase) => foldedWords(withoutElisions(phrase)).join(' ')));
}

const titleWords = wordsFor('search.role');
const roleWords = wordsFor('search.role', 'search.asking');
const languageWords = wordsFor('search.language');
const butWords = wordsFor('search.but');
const exceptionPhrases = {
  except: phrasesFor('search.except'),
  not: phrasesFor('search.not'),
  behind: phrasesFor('search.not_behind'),
};
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

/** The longest phrase of exceptions has so many words: `with the exception of`. */
const maxWordsOfException = 4;

/**
 * How many words from a place on say that what follows is not meant, `outside`, that nothing which follows is, though it stands for
 * nothing, `other than`, or that what stands before is not, `hariç`; 0 for none.
 */
export function wordsOfException(words: readonly string[], place: number, use: keyof typeof exceptionPhrases): number {
  const longest = Math.min(maxWordsOfException, words.length - place);
  for (let length = longest; length > 0; length -= 1)
    if (exceptionPhrases[use].has(words.slice(place, place + length).join(' '))) return length;
  return 0;
}

/** Whether a word alone says that another is not meant: `以外`. */
export function isOfException(word: string): boolean {
  return Object.values(exceptionPhrases).some((phrases) => phrases.has(word));
}

/** Whether a word only leads to an exception: `aber`, in `aber nicht berlin`. */
export function isBut(word: string): boolean {
  return butWords.has(word);
}

/** Whether a word beside others asks for nothing: `the`, `best`, `editor`. */
export function isFiller(word: string): boolean {
  return smallWords.has(word) || valueWords.has(word);
}

/** Whether a word is no place, though one has this name: Indie is Polish for India, and Central is a region of Ghana. */
export function isNoPlace(word: string): boolean {
  return notPlaces.has(word);
}
