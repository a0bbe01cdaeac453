import { nameKey } from '../../src/text/fold.ts';
import type { LastWords } from './last-words.ts';
import { diceFor, piecesOf, wordsOf } from './letters.ts';

/**
 * Changes to whole words, which are what stands between blanks. Each returns null for a query that it cannot change. Random
 * choices depend only on the query and the seed.
 */

/** Three letters with the punctuation before them, if more letters follow. */
const threeOfMore = /^(?:[^\p{L}\p{M}]*[\p{L}\p{M}]){3}(?=.*[\p{L}\p{M}])/u;

/** Three letters of the last word, if that has more and follows another word: `"New York Tim"`. */
export function leaveUnfinished(query: string): string | null {
  const pieces = piecesOf(query);
  const beginning = threeOfMore.exec(pieces.at(-1) ?? '')?.[0];
  if (pieces.length < 2 || beginning === undefined) return null;
  return [...pieces.slice(0, -1), beginning].join(' ');
}

/** The words in reverse order, if that is another order: `"Times York New"`. */
export function reverseWords(query: string): string | null {
  const reversed = piecesOf(query).reverse().join(' ');
  return nameKey(reversed) === nameKey(query) ? null : reversed;
}

/**
 * One blank between two words dropped: `"NewYork Times"`. Null if the search would read both the same, as between Chinese and
 * Latin words.
 */
export function joinWords(query: string, seed: number): string | null {
  const blanks = [...query.matchAll(/(?<=\p{L}\p{M}*)\s+(?=\p{L})/gu)];
  if (blanks.length === 0) return null;
  const { 0: blank, index } = diceFor(query, seed).pick(blanks);
  const joined = query.slice(0, index) + query.slice(index + blank.length);
  return nameKey(joined) === nameKey(query) ? null : joined;
}

const minSplit = 6;
/** A place in a word with two or more letters on each side. A vowel sign stays with its letter. */
const splitPlaces = /(?<=[\p{L}\p{M}]{2})(?=\p{L}[\p{L}\p{M}])/gu;

/** A blank inside a word of six letters or more: `"New York Guar dian"`. */
export function splitWord(query: string, seed: number): string | null {
  const words = wordsOf(query, minSplit);
  if (words.length === 0) return null;
  const dice = diceFor(query, seed);
  const { letters, start } = dice.pick(words);
  const places = [...letters.join('').matchAll(splitPlaces)].map(({ index }) => start + index);
  if (places.length === 0) return null;
  const place = dice.pick(places);
  return `${query.slice(0, place)} ${query.slice(place)}`;
}

/** One of three or more words dropped: `"New Times"`. */
export function dropWord(query: string, seed: number): string | null {
  const pieces = piecesOf(query);
  if (pieces.length < 3) return null;
  return pieces.toSpliced(diceFor(query, seed).below(pieces.length), 1).join(' ');
}

/** One word added at the end: the last word of another name in the same script. Frequent words are added more often. */
export function addWord(query: string, seed: number, lastWords: LastWords): string | null {
  const candidates = lastWords.inScriptOf(query);
  const own = nameKey(query).split(' ');
  if (candidates.every((word) => own.includes(nameKey(word)))) return null;
  const dice = diceFor(query, seed);
  for (;;) {
    const added = dice.pick(candidates);
    if (!own.includes(nameKey(added))) return `${query} ${added}`;
  }
}
