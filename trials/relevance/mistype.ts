import type { Dice } from '../../src/sample/dice.ts';
import { countEdits } from '../../src/text/edit-distance.ts';
import { fold } from '../../src/text/fold.ts';
import { diceFor, type Word, wordsOf } from './letters.ts';

/** In shorter words, a typo too often makes another real word. */
const minLetters = 5;
const latinLetters = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * The query with one edit in one of its words of five letters or more: a letter dropped, one added, or two neighbors
 * swapped, never the first letter. It depends only on the query and the seed. Null for a query without such a word, or if the
 * edit changes only case or marks.
 */
export function mistype(query: string, seed: number): string | null {
  const words = wordsOf(query, minLetters);
  if (words.length === 0) return null;
  const dice = diceFor(query, seed);
  const word = dice.pick(words);
  const edited = editTimes(1, word.letters, dice);
  return edited && replace(query, word, edited);
}

/**
 * The query with one letter of a word of five letters or more replaced by another of its script, never the first.
 * Letters that differ only in case or marks count as the same. Null for a query without such a word.
 */
export function replaceLetter(query: string, seed: number): string | null {
  const words = wordsOf(query, minLetters);
  if (words.length === 0) return null;
  const dice = diceFor(query, seed);
  const word = dice.pick(words);
  const place = 1 + dice.below(word.letters.length - 1);
  const old = fold(word.letters[place] ?? '');
  const others = alphabetOf(word.letters).filter((letter) => fold(letter) !== old);
  if (others.length === 0) return null;
  return replace(query, word, word.letters.with(place, dice.pick(others)));
}

/**
 * The query with two edits like those of `mistype`: in two of its words of five letters or more, or both in one. If it has two
 * such words, both ways are equally likely. Null for a query without such a word, or if two edits cancel out.
 */
export function mistypeTwice(query: string, seed: number): string | null {
  const words = wordsOf(query, minLetters);
  if (words.length === 0) return null;
  const dice = diceFor(query, seed);
  const first = dice.pick(words);
  const others = words.filter((word) => word !== first);
  if (others.length === 0 || dice.chance(0.5)) {
    const edited = editTimes(2, first.letters, dice);
    return edited && replace(query, first, edited);
  }
  const second = dice.pick(others);
  // The later word first, so that the place of the earlier one still holds.
  const [earlier, later] = first.start < second.start ? [first, second] : [second, first];
  const [lettersBefore, lettersAfter] = [editTimes(1, earlier.letters, dice), editTimes(1, later.letters, dice)];
  return lettersBefore && lettersAfter && replace(replace(query, later, lettersAfter), earlier, lettersBefore);
}

const tries = 20;

/** Tries several times, because one edit may undo another, or change only case or marks. Null if no attempt succeeds. */
function editTimes(times: 1 | 2, letters: readonly string[], dice: Dice): string[] | null {
  const word = fold(letters.join(''));
  for (let left = tries; left > 0; left -= 1) {
    const edited = times === 1 ? edit(letters, dice) : edit(edit(letters, dice), dice);
    if (countEdits(word, fold(edited.join('')), times) === times) return edited;
  }
  return null;
}

function edit(letters: readonly string[], dice: Dice): string[] {
  return dice.pick([dropLetter, addLetter, swapLetters])(letters, dice);
}

function dropLetter(letters: readonly string[], dice: Dice): string[] {
  return letters.toSpliced(1 + dice.below(letters.length - 1), 1);
}

function addLetter(letters: readonly string[], dice: Dice): string[] {
  const added = dice.pick(alphabetOf(letters));
  return letters.toSpliced(1 + dice.below(letters.length), 0, added);
}

/** Swaps two neighbors that differ. In a word without any, drops a letter instead. */
function swapLetters(letters: readonly string[], dice: Dice): string[] {
  const places = letters.keys().filter((place) => place > 1 && letters[place] !== letters[place - 1]);
  const candidates = [...places];
  if (candidates.length === 0) return dropLetter(letters, dice);
  const place = dice.pick(candidates);
  return letters.toSpliced(place - 1, 2, letters[place] ?? '', letters[place - 1] ?? '');
}

/** Letters to type by mistake: a to z, or for another script than Latin, those of the word itself. */
function alphabetOf(letters: readonly string[]): string[] {
  const isLatin = letters.every((letter) => /\p{Script=Latin}/u.test(letter));
  return isLatin ? latinLetters : letters.slice(1);
}

function replace(query: string, { start, length }: Word, letters: readonly string[]): string {
  return query.slice(0, start) + letters.join('') + query.slice(start + length);
}
