import { fuzzyWord, strictWord } from '../conditions/word-conditions.ts';
import type { Understanding } from '../search-query.ts';
import { isRecognized, type Part, partsToLeave } from '../words/parts.ts';
import { type Count, mostCounted } from './choice.ts';
import { isLong, rarerHalf } from './missing-parts.ts';

/** If a text has more words, each is rare enough to be left out. */
const maxToLeave = 4;

/** A word or a topic; `near` counts the records that have it with a typo, `typed` those without. */
export interface CountedWord {
  part: Part;
  near: Count | null;
  typed: Count;
}

/**
 * The words and topics that the last plan may leave out. How many records have them tells how rare they are, as it leaves one
 * out, and whether they are mistyped.
 */
export function countWords(text: Understanding): CountedWord[] {
  const parts = text.parts;
  const words = partsToLeave(parts, false);
  const isCounted = isLong(text, words) || (words.length <= maxToLeave && parts.some(isRecognized));
  return (isCounted ? words : []).map((part) => ({
    part,
    near:
      words.length > maxToLeave ? null : { condition: fuzzyWord(part, false, 'anywhere', 1, text), limit: mostCounted },
    typed: { condition: strictWord(part, part === parts.at(-1), 'anywhere'), limit: mostCounted },
  }));
}

/** The words that records have as typed, the rarest first; and of several, the one that is rarest with its typos. */
export function rankWords(words: readonly CountedWord[], numberOf: (count: Count) => number) {
  const byRarity = words
    .filter(({ typed }) => numberOf(typed) > 0)
    .sort((a, b) => numberOf(a.typed) - numberOf(b.typed))
    .map(({ part }) => part);
  const [rarest] = words
    .filter(({ near }) => words.length > 1 && near !== null && numberOf(near) > 0)
    .sort((a, b) => numberOf(a.near as Count) - numberOf(b.near as Count));
  return { byRarity, rarest: rarest?.part ?? null };
}

/** The words of a long text that tell least. */
export function commonWords(byRarity: readonly Part[]): Part[] {
  const rarer = rarerHalf(byRarity);
  return byRarity.filter((part) => !isRecognized(part) && !rarer.includes(part));
}
