import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { countEdits, letterBits, mayBeWithin } from '#domain/search/edit-distance.ts';

interface Term {
  text: string;
  letters: number;
  isHost: boolean;
  /** The number of records that contain it. */
  records: number;
}

/**
 * The words of the index, for finding corrections of a mistyped word. Words are loaded by first letter on demand and
 * cached until the index changes.
 */
export class Vocabulary {
  readonly #selectRange: StatementSync;
  readonly #selectOne: StatementSync;
  readonly #termsByFirstLetter = new Map<string, Map<number, Term[]>>();

  constructor(database: DatabaseSync) {
    this.#selectRange = database.prepare('SELECT term, doc FROM search_terms WHERE term >= ? AND term < ?');
    this.#selectOne = database.prepare('SELECT doc FROM search_terms WHERE term = ?');
  }

  /** Clears the cache; call it when the index has changed. */
  clear(): void {
    this.#termsByFirstLetter.clear();
  }

  /**
   * The word itself if the index has it, then up to `max` words within `edits` (a letter dropped, added, changed, or
   * two swapped); for a host, hosts. The first letter must match. Nearest first, then most frequent.
   */
  findNear(word: string, edits: number, max: number): string[] {
    const length = word.length;
    const own = this.#selectOne.get(word) === undefined ? [] : [word];
    if (edits === 0) return own;

    const letters = letterBits(word);
    const isHost = word.includes('.');
    const near: Array<Term & { edits: number }> = [];
    const byLength = this.#termsFrom(word);
    for (let size = length - edits; size <= length + edits; size += 1) {
      for (const term of byLength.get(size) ?? []) {
        if (term.isHost !== isHost || !mayBeWithin(edits, letters, term.letters)) continue;
        const away = countEdits(word, term.text, edits);
        if (away > 0 && away <= edits) near.push({ ...term, edits: away });
      }
    }
    near.sort((a, b) => a.edits - b.edits || b.records - a.records || (a.text < b.text ? -1 : 1));
    return [...own, ...near.slice(0, max).map(({ text }) => text)];
  }

  #termsFrom(word: string): ReadonlyMap<number, readonly Term[]> {
    const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
    let byLength = this.#termsByFirstLetter.get(first);
    if (byLength === undefined) {
      byLength = this.#readTerms(first);
      this.#termsByFirstLetter.set(first, byLength);
    }
    return byLength;
  }

  #readTerms(first: string): Map<number, Term[]> {
    const byLength = new Map<number, Term[]>();
    for (const row of this.#selectRange.iterate(first, `${first}\u{10ffff}`)) {
      const text = String(row.term);
      if (text.includes('_')) continue;
      const terms = byLength.get(text.length);
      const term = { text, letters: letterBits(text), isHost: text.includes('.'), records: Number(row.doc) };
      if (terms) terms.push(term);
      else byLength.set(text.length, [term]);
    }
    return byLength;
  }
}
