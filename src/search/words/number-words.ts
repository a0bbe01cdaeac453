import { wordsOfUses } from '#languages/words.ts';
import { foldedWords } from '#text/fold.ts';
import { once } from '#text/memoize.ts';
import { linkingWords } from '#text/name-keys.ts';

/** `four`, `cuatro` → 4. */
const valuesByWord = once(() => {
  const numbers = [...wordsOfUses('number.')];
  return new Map(numbers.flatMap(([value, words]) => words.flatMap(foldedWords).map((word) => [word, Number(value)])));
});

/** A number that is written as a word, in digits; null for any other word. */
export function digitsOf(word: string): string | null {
  return valuesByWord().get(word)?.toString() ?? null;
}

/** `europe one` → `europe 1` */
export const wordsInDigits = (words: readonly string[]): string[] => words.map((word) => digitsOf(word) ?? word);

/** `channel thirty one` → `channel 31`, `canal cincuenta y cinco` → `canal 55`. A single word for a number stays. */
export function joinNumbers(words: readonly string[]): string[] {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  const tens = valuesByWord().get(first) ?? 0;
  const unlinked = linkingWords.has(rest[0] ?? '') ? rest.slice(1) : rest;
  const ones = valuesByWord().get(unlinked[0] ?? '') ?? 0;
  const isNumber = tens >= 20 && ones > 0 && ones < 10;
  return isNumber ? [`${tens + ones}`, ...joinNumbers(unlinked.slice(1))] : [first, ...joinNumbers(rest)];
}
