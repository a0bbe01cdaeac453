import { nameKey } from './fold.ts';

/** Which letters a word has, as 32 bits: words that differ too much here need not be compared. */
export function letterBits(word: string): number {
  let bits = 0;
  for (let index = 0; index < word.length; index += 1) bits |= 1 << (word.charCodeAt(index) & 31);
  return bits;
}

/** Whether words with these letterBits can be within so many edits: each edit changes at most one letter to another. */
export function mayBeWithin(max: number, bitsA: number, bitsB: number): boolean {
  let different = bitsA ^ bitsB;
  for (let count = 0; different !== 0; count += 1) {
    if (count === 2 * max) return false;
    different &= different - 1;
  }
  return true;
}

/** Optimal string alignment: letters dropped, added, changed, neighbors swapped. Stops above `max`: then `max + 1`. */
export function countEdits(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let start = 0;
  while (start < a.length && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA -= 1;
    endB -= 1;
  }
  if (start === endA || start === endB) return endA + endB - 2 * start;
  // One edit leaves one letter of each, or two that are swapped.
  if (max === 1 && (endA - start > 2 || endB - start > 2)) return 2;
  return countBetween(a.slice(start, endA), b.slice(start, endB), max);
}

/** The rows of the table of distances, which every comparison uses again. */
let [beforeLast, last, row]: [number[], number[], number[]] = [[], [], []];

/** The distance of two stretches with different first and last letters. Only places up to `max` apart can be within it. */
function countBetween(a: string, b: string, max: number): number {
  for (let j = 0; j <= b.length; j += 1) last[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    const from = Math.max(1, i - max);
    const to = Math.min(b.length, i + max);
    row[from - 1] = from === 1 ? i : max + 1;
    row[to + 1] = max + 1;
    let min = row[from - 1] ?? 0;
    for (let j = from; j <= to; j += 1) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      const swapped =
        i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (swapped) edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1);
      row[j] = edits;
      min = Math.min(min, edits);
    }
    if (min > max) return max + 1;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return Math.min(last[b.length] ?? 0, max + 1);
}

/** Null if none is close: more than a third of the mistyped word's letters would have to change. */
export function findNearestWord(word: string, candidates: Iterable<string>): string | null {
  const typed = nameKey(word);
  let nearest: string | null = null;
  let minEdits = Math.floor(typed.length / 3) + 1;
  for (const candidate of candidates) {
    const edits = countEdits(typed, nameKey(candidate), minEdits);
    if (edits >= minEdits) continue;
    nearest = candidate;
    minEdits = edits;
  }
  return nearest;
}
