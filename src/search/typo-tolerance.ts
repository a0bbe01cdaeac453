/** Typo tolerance: how far a query may be from a record; see docs/decisions/0003. */

/** In a longer query only its longest words decide, since long words are rare. Limits an engine's work. */
const maxDecidingWords = 8;

/** A shorter word is never corrected; a longer one may have two edits. Elasticsearch uses the same figures. */
const minLengthOneEdit = 4;
const minLengthTwoEdits = 8;
/** The same for a whole name. */
const minLengthNameTwoEdits = 5;
const minLengthNameAnyLetters = 7;

/** How many edits a folded word may have: letters dropped, added, changed or swapped. Numbers allow none. */
export function maxEdits(word: string): 0 | 1 | 2 {
  if (word.length < minLengthOneEdit || /^\d+$/.test(word)) return 0;
  return word.length < minLengthTwoEdits ? 1 : 2;
}

/** In how many letters a near name may differ, however these are arranged. */
export interface NameTolerance {
  edits: 0 | 1 | 2;
  /** Null: in any. */
  letters: number | null;
}

/**
 * How far a whole name without spaces (see name-forms.ts) may be from the typed one. A name of five or six letters with
 * two edits must have the same letters but for one, otherwise any nonsense would be near a name.
 */
export function nameTolerance(compactName: string): NameTolerance {
  const edits = maxEdits(compactName);
  const { length } = compactName;
  if (edits !== 1 || length < minLengthNameTwoEdits) return { edits, letters: null };
  return { edits: 2, letters: length < minLengthNameAnyLetters ? 1 : null };
}

/**
 * How many corrections of a mistyped word to try. In a query of many words fewer are needed, since the other words tell
 * what is meant.
 */
export function maxCorrections(wordCount: number): number {
  return wordCount <= 3 ? 24 : 8;
}

/** The words that decide whether a record matches, in their order. */
export function decidingWords(words: readonly string[]): readonly string[] {
  if (words.length <= maxDecidingWords) return words;
  const longest = new Set(words.toSorted((a, b) => b.length - a.length).slice(0, maxDecidingWords));
  return words.filter((word) => longest.has(word));
}

/** How many of `count` deciding words a record must match: one of three or four may be missing, three of ten. */
export function minMatchingWords(count: number): number {
  if (count <= 2) return count;
  if (count <= 4) return count - 1;
  return Math.ceil(count * 0.7);
}

/**
 * Stretches of a run without spaces, at least one of which is intact if the run has one edit: an edit affects the first
 * half, the second half, or the seam between them.
 */
export function stretchesOf(run: string): string[] {
  const characters = [...run];
  if (characters.length < 4) return [run];
  const middle = Math.floor(characters.length / 2);
  const stretches = [characters.slice(0, middle), characters.slice(-middle)];
  if (middle > 2) stretches.push(characters.slice(0, middle - 1), characters.slice(1 - middle));
  return stretches.map((stretch) => stretch.join(''));
}
