import { countEdits } from '#text/edit-distance.ts';
import type { NameKeys } from '#text/name-keys.ts';

/**
 * Forms of a whole name by which it is found though it was typed in another way: with other spaces, in another order,
 * with slips, or with a word too many. All are made from a whole name's key (see name-keys.ts), of records and queries
 * alike (docs/decisions/0076).
 */

/** In UTF-16 code units. A longer name is found by its words and by its nameKey only. */
const maxFormedName = 100;
/** A text of fewer or more words is not looked up with one word less: of two words, either may be all of a name. */
const minWordsToDrop = 3;
const maxWordsToDrop = 8;
/** What is left of a typed text without one of its words has at least so many letters: shorter ones are words too. */
const minLettersLeft = 3;
/** Longer names are not found by their letters. */
const maxLettersListed = 8;

/** The forms of one or several names. */
export interface NameForms {
  /** Names without spaces: `"thenewyorktimes"`, as of "The NewYork Times". */
  compact: string[];
  /** The same of their other keys: `"newyorktimes"`. */
  bare: string[];
  /** Names with their words sorted, without spaces: `"newthetimesyork"`. */
  sorted: string[];
  /** The letters of short names, sorted: `"aalnrtu"`. Names with the same letters are more alike than others. */
  letters: string[];
  /** How many words a name has. */
  wordCounts: number[];
}

/** The forms of names. A name without letters and digits, or a very long one, has none. */
export function nameFormsOf(names: readonly NameKeys[]): NameForms {
  const formed = names.map(({ own }) => own).filter(hasForms);
  const bare = names.flatMap(({ others }) => others).filter(hasForms);
  return {
    compact: distinct(formed.map(compactName)),
    bare: distinct(bare.map(compactName)),
    sorted: distinct(formed.map(sortedName)),
    letters: distinct(
      [...formed, ...bare]
        .map(compactName)
        .filter(({ length }) => length <= maxLettersListed)
        .map(sortedLetters),
    ),
    wordCounts: distinct(formed.map(countWords)),
  };
}

/** Whether a name, by its key, has these forms. */
export function hasForms(name: string): boolean {
  return name.length <= maxFormedName && /[\p{L}\p{N}]/u.test(name);
}

/** `"the new york times"` → `"thenewyorktimes"` */
export function compactName(name: string): string {
  return name.replaceAll(' ', '');
}

/** `"the new york times"` → `"newthetimesyork"` */
export function sortedName(name: string): string {
  return name.split(' ').sort().join('');
}

export function countWords(name: string): number {
  return name.split(' ').length;
}

/** Whether two names without spaces have the same letters, however these are arranged, but for so many. */
export function hasLettersOf(name: string, other: string, edits: number): boolean {
  return countEdits(sortedLetters(name), sortedLetters(other), edits) <= edits;
}

/** `"tribune"` → `"beinrtu"` */
export function sortedLetters(compact: string): string {
  return [...compact].sort().join('');
}

/**
 * The compact names of a typed text without one of its words, if enough is left to tell a name: first without the last
 * word, which people add most often, then without another one.
 */
export function withoutOneWord(typed: string): string[][] {
  const words = typed.split(' ');
  if (words.length < minWordsToDrop || words.length > maxWordsToDrop) return [];
  const left = words.map((_, index) => words.toSpliced(index, 1).join(''));
  return [left.slice(-1), left.slice(0, -1)]
    .map((names) => distinct(names.filter((name) => name.length >= minLettersLeft)))
    .filter((names) => names.length > 0);
}

/** The compact name of two typed words without the last, which people add to names; null if too little is left. */
export function withoutLastOfTwo(typed: string): string | null {
  const [first, last, ...others] = typed.split(' ');
  const isEnough = first !== undefined && first.length >= minLettersLeft;
  return isEnough && last !== undefined && others.length === 0 ? first : null;
}

function distinct<Item>(items: readonly Item[]): Item[] {
  return items.length < 2 ? [...items] : [...new Set(items)];
}
