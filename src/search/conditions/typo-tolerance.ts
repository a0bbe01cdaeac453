/** Typo tolerance: how far a query may be from a record; see docs/decisions/0003. */

/** A shorter word is never corrected; a longer one may have two edits. Elasticsearch uses the same figures. */
const minLengthOneEdit = 4;
const minLengthTwoEdits = 8;

/** How many edits a folded word may have: letters dropped, added, changed or swapped. Numbers allow none. */
export function maxEdits(word: string): 0 | 1 | 2 {
  if (word.length < minLengthOneEdit || /^\d+$/.test(word)) return 0;
  return word.length < minLengthTwoEdits ? 1 : 2;
}

/** How many corrections of a mistyped word an engine tries. */
export const maxCorrections = 24;

/** How many of `count` words a record must match: one of three or four may be missing, three of ten. */
export function minMatchingWords(count: number): number {
  if (count <= 2) return count;
  if (count <= 4) return count - 1;
  return Math.ceil(count * 0.7);
}

/** Stretches of a run in a script without spaces. If the run has one typo, at least one of them has none. */
export function stretchesOf(run: string): string[] {
  const characters = [...run];
  if (characters.length < 4) return [run];
  const middle = Math.floor(characters.length / 2);
  const stretches = [characters.slice(0, middle), characters.slice(-middle)];
  if (middle > 2) stretches.push(characters.slice(0, middle - 1), characters.slice(1 - middle));
  return stretches.map((stretch) => stretch.join(''));
}
