import { foldedWords, isSpaceless } from '#text/fold.ts';
import { articles, smallWords } from '#text/small-words.ts';

const maxInitials = 8;
/** `Harbour Times.com` */
const hostSuffix = /\.\p{L}{2,6}$/u;

/**
 * What people abbreviate a name to: the first letters of its words, with and without a leading article and other small
 * words. `The Voice of Harbour Street` → `['tvohs', 'vohs', 'vhs']`. Empty for a single word.
 */
export function initialsOf(name: string): string[] {
  const words = foldedWords(name.replace(hostSuffix, '')).filter((word) => !isSpaceless(word));
  const bare = articles.has(words[0] ?? '') ? words.slice(1) : words;
  const telling = bare.filter((word) => !smallWords.has(word));
  return [...new Set([words, bare, telling].filter(({ length }) => length > 1).map(firstLetters))].filter(
    (initials) => initials.length <= maxInitials,
  );
}

/** The concept of the names with these initials, for a typed word that can be initials; null if it cannot. */
export function initialsConcept(word: string): string | null {
  return word.length > 1 && word.length <= maxInitials && !isSpaceless(word) ? `initials.${word}` : null;
}

function firstLetters(words: readonly string[]): string {
  return words.map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0)).join('');
}
