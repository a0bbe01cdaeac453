import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { countSlips } from '#domain/slips.ts';

/** Shorter words are never taken for others; longer ones may hold two slips. The figures are Elasticsearch's and ours. */
const shortestCorrected = 4;
const shortestWithTwoSlips = 8;
const mostMeanings = 12;

interface Term {
  text: string;
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
    if (length < shortestCorrected || /^\d+$/.test(word)) return own;
    const mostSlips = length >= shortestWithTwoSlips ? 2 : 1;

    const isHost = word.includes('.');
    const near: Array<Term & { slips: number }> = [];
    const byLength = this.#termsFrom(word);
    for (let size = length - mostSlips; size <= length + mostSlips; size += 1) {
      for (const term of byLength.get(size) ?? []) {
        if (term.text.includes('.') !== isHost) continue;
        const slips = countSlips(word, term.text, mostSlips);
        if (slips > 0 && slips <= mostSlips) near.push({ ...term, slips });
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
      const term = { text, records: Number(row.doc) };
      if (terms) terms.push(term);
      else byLength.set(text.length, [term]);
    }
    return byLength;
  }
}
