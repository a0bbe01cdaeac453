import { addWord, dropWord, joinWords, leaveUnfinished, reverseWords, splitWord } from './change-words.ts';
import { dropMarks } from './drop-marks.ts';
import type { LastWords } from './last-words.ts';
import { mistype, mistypeTwice, replaceLetter } from './mistype.ts';

/** A way in which people type a name. */
export interface QueryClass {
  name: string;
  /** Says what the class does to a query. */
  does: string;
  /** What is typed for a query: the same for the same query, seed and names. Null if the class cannot apply to it. */
  change(query: string, seed: number, lastWords: LastWords): string | null;
}

/** All classes of queries. */
export const queryClasses: readonly QueryClass[] = [
  { name: 'exact', does: 'the query unchanged', change: (query) => query },
  { name: 'typo', does: 'a letter dropped or added, or two swapped', change: mistype },
  { name: 'wrong-letter', does: 'a letter replaced', change: replaceLetter },
  { name: 'two-typos', does: 'two typos, in one word or in two', change: mistypeTwice },
  { name: 'unfinished', does: 'three letters of the last word', change: leaveUnfinished },
  { name: 'reversed', does: 'the words in reverse order', change: reverseWords },
  { name: 'joined', does: 'two words written as one', change: joinWords },
  { name: 'split', does: 'a blank inside a word', change: splitWord },
  { name: 'plain', does: 'lower case, no diacritics, no punctuation', change: dropMarks },
  { name: 'extra-word', does: 'a word of other names at the end', change: addWord },
  { name: 'missing-word', does: 'one of three or more words dropped', change: dropWord },
];

/**
 * The classes with these names, in the order of the table; all of them if none is named.
 *
 * @throws Error that names the unknown class and lists those there are.
 */
export function selectClasses(names: readonly string[]): readonly QueryClass[] {
  const known = queryClasses.map(({ name }) => name);
  for (const name of names) {
    if (!known.includes(name)) throw new Error(`"${name}" is not a class of queries. Use ${known.join(', ')}.`);
  }
  return names.length === 0 ? queryClasses : queryClasses.filter(({ name }) => names.includes(name));
}
