import { countEdits } from './edit-distance.ts';
import { nameKey } from './fold.ts';

/**
 * The candidate that a mistyped word most likely means; null if none is close: more than a third of its letters would
 * have to change.
 */
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
