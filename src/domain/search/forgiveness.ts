import type { TextQuery } from './search-query.ts';

/** What every engine forgives in a query alike: see docs/decisions/0003-exact-form-first.md. */

/**
 * The exact form of a query is enough when it finds so many records, or a name that is just what was typed. A host or a
 * phrase that is found at all was meant; a word may be another one mistyped.
 */
export function enoughExactMatches({ words }: TextQuery): number {
  return words.length === 0 ? 1 : 5;
}

/** Of a longer query its longest words decide, since long words are rare ones. It bounds the work of an engine. */
export const mostDeciding = 8;

/** Shorter words are never taken for others; longer ones may hold two slips. The figures are Elasticsearch's and ours. */
const shortestCorrected = 4;
const shortestWithTwoSlips = 8;

/** How many slips a folded word may hold. A number is what it is. */
export function mostSlips(word: string): 0 | 1 | 2 {
  if (word.length < shortestCorrected || /^\d+$/.test(word)) return 0;
  return word.length < shortestWithTwoSlips ? 1 : 2;
}

/** The words that decide whether a record is found, in their order. */
export function decidingWords(words: readonly string[]): readonly string[] {
  if (words.length <= mostDeciding) return words;
  const longest = new Set(words.toSorted((a, b) => b.length - a.length).slice(0, mostDeciding));
  return words.filter((word) => longest.has(word));
}

/** How many of so many words have to be in a record. */
export function leastWords(count: number): number {
  if (count <= 2) return count;
  if (count <= 4) return count - 1;
  return Math.ceil(count * 0.7);
}

/** One slip touches the first or the second half of a run without spaces, or the seam between them: one of these stretches is whole. */
export function stretchesOf(run: string): string[] {
  const characters = [...run];
  if (characters.length < 4) return [run];
  const middle = Math.floor(characters.length / 2);
  const stretches = [characters.slice(0, middle), characters.slice(-middle)];
  if (middle > 2) stretches.push(characters.slice(0, middle - 1), characters.slice(1 - middle));
  return stretches.map((stretch) => stretch.join(''));
}
