import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { mostSlips } from '#domain/search/forgiveness.ts';
import { countSlips, letterBits, mayBeWithin } from '#domain/search/slips.ts';

const mostMeanings = 12;

interface Term {
  text: string;
  letters: number;
  isHost: boolean;
  /** Records that hold it. */
  records: number;
}

/**
 * The words of the index, for finding those that a mistyped word may have been meant as. Words are read by their first
 * letter when they are first needed and kept until the index changes.
 */
export class Vocabulary {
  readonly #selectRange: StatementSync;
  readonly #selectOne: StatementSync;
  readonly #termsByFirstLetter = new Map<string, Map<number, Term[]>>();

  constructor(database: DatabaseSync) {
    this.#selectRange = database.prepare('SELECT term, doc FROM search_terms WHERE term >= ? AND term < ?');
    this.#selectOne = database.prepare('SELECT doc FROM search_terms WHERE term = ?');
  }

  /** Forgets what was read; to be called when the index has changed. */
  clear(): void {
    this.#termsByFirstLetter.clear();
  }

  /**
   * The word itself where it is in the index, and the words within one slip (a letter dropped, added, changed, or two
   * swapped), two from 8 letters on; for a host, hosts. The first letter has to be right. Nearest first, then the commonest.
   */
  findMeanings(word: string): string[] {
    const length = word.length;
    const own = this.#selectOne.get(word) === undefined ? [] : [word];
    const most = mostSlips(word);
    if (most === 0) return own;

    const letters = letterBits(word);
    const isHost = word.includes('.');
    const near: Array<Term & { slips: number }> = [];
    const byLength = this.#termsFrom(word);
    for (let size = length - most; size <= length + most; size += 1) {
      for (const term of byLength.get(size) ?? []) {
        if (term.isHost !== isHost || !mayBeWithin(most, letters, term.letters)) continue;
        const slips = countSlips(word, term.text, most);
        if (slips > 0 && slips <= most) near.push({ ...term, slips });
      }
    }
    near.sort((a, b) => a.slips - b.slips || b.records - a.records || (a.text < b.text ? -1 : 1));
    return [...own, ...near.slice(0, mostMeanings).map(({ text }) => text)];
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
