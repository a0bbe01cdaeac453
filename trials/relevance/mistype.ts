import { crc32 } from 'node:zlib';
import { Dice } from '../../sample/dice.ts';

/** A word is a run of letters; in shorter ones a typo makes another word too easily. */
const minWordLength = 5;
const wordPattern = /\p{L}+/gu;
const latinLetters = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The query with one edit in one of its words of five letters or more: a letter dropped, one added, or two neighbours
 * swapped, never the first letter. It depends on the query and the seed alone. Null for a query without such a word.
 */
export function mistype(query: string, seed: number): string | null {
  const words = [...query.matchAll(wordPattern)]
    .map((match) => ({ letters: [...match[0]], start: match.index, length: match[0].length }))
    .filter(({ letters }) => letters.length >= minWordLength);
  if (words.length === 0) return null;
  const dice = new Dice(crc32(`${seed} ${query}`));
  const { letters, start, length } = dice.pick(words);
  const edited = dice.pick([dropLetter, addLetter, swapLetters])(letters, dice);
  return query.slice(0, start) + edited.join('') + query.slice(start + length);
}

function dropLetter(letters: readonly string[], dice: Dice): string[] {
  return letters.toSpliced(1 + dice.below(letters.length - 1), 1);
}

/** The letter added is of the word's own script. */
function addLetter(letters: readonly string[], dice: Dice): string[] {
  const isLatin = letters.every((letter) => /\p{Script=Latin}/u.test(letter));
  const added = dice.pick(isLatin ? [...latinLetters] : letters.slice(1));
  return letters.toSpliced(1 + dice.below(letters.length), 0, added);
}

/** Neighbors that differ; in a word without any, a letter is dropped instead. */
function swapLetters(letters: readonly string[], dice: Dice): string[] {
  const places = letters.keys().filter((place) => place > 1 && letters[place] !== letters[place - 1]);
  const candidates = [...places];
  if (candidates.length === 0) return dropLetter(letters, dice);
  const place = dice.pick(candidates);
  return letters.toSpliced(place - 1, 2, letters[place] ?? '', letters[place - 1] ?? '');
}
