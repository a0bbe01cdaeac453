import { crc32 } from 'node:zlib';
import { Dice } from '../../src/sample/dice.ts';

/** Letters and the signs that belong to them, such as the vowel signs of Indic scripts. */
const wordPattern = /\p{L}[\p{L}\p{M}]*/gu;

/** A run of letters in a query. */
export interface Word {
  /** The single characters that a person types. A vowel sign counts as one. */
  letters: string[];
  /** Its place in the query, in UTF-16 units like `length`. */
  start: number;
  length: number;
}

/** The random choices for a query: the same for the same query and seed. */
export function diceFor(query: string, seed: number): Dice {
  return new Dice(crc32(`${seed} ${query}`));
}

/** The words of a query that have at least `min` letters. */
export function wordsOf(query: string, min: number): Word[] {
  return [...query.matchAll(wordPattern)]
    .map((match) => ({ letters: [...match[0]], start: match.index, length: match[0].length }))
    .filter(({ letters }) => letters.length >= min);
}

/** The pieces of a query between blanks, punctuation included. */
export function piecesOf(query: string): string[] {
  return query.split(/\s+/).filter((piece) => piece !== '');
}
