import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { nameToken } from '#search/name-forms.ts';
import { maxCorrections } from '#search/typo-tolerance.ts';
import { countEdits, letterBits, mayBeWithin } from '#text/edit-distance.ts';
import { atMost, cached } from '#text/memoize.ts';

interface Term {
  text: string;
  letters: number;
  /** The number of records that contain it. */
  records: number;
}

const maxAnswers = 20_000;
/** How many corrections of a mistyped name are tried. */
const maxNames = 200;

/** Finds corrections of mistyped words and names. Loads words by their first letter, and keeps them until the index changes. */
export class Vocabulary {
  readonly #selectWords: StatementSync;
  readonly #selectNames: StatementSync;
  /** Kept, because a query looks for the same words several times, and people type the same words again. */
  readonly #near = new LRUCache<string, readonly string[]>(atMost(maxAnswers));
  readonly #wordsByBeginning = new Map<string, Map<number, Term[]>>();
  readonly #names = new Map<string, Map<number, Term[]>>();

  /** @param terms the tables that have the words and the tokens of a full text, with how many rows have each */
  constructor(database: DatabaseSync, terms: { words: string; tokens: string }) {
    const selectRange = (table: string) =>
      database.prepare(
        `SELECT json_group_array(term) AS terms, json_group_array(doc) AS counts FROM ${table} WHERE term >= ? AND term < ?`,
      );
    this.#selectWords = selectRange(terms.words);
    this.#selectNames = selectRange(terms.tokens);
  }

  /** Clears the cache; call it when the index has changed. */
  clear(): void {
    this.#near.clear();
    this.#wordsByBeginning.clear();
    this.#names.clear();
  }

  /**
   * Other words within `edits` (a letter dropped, added, changed, or two swapped); for the token of a host, those of hosts. The
   * first letter must match. Nearest first, then most frequent; the first `maxCorrections` of them, or all.
   */
  findNear(word: string, edits: number, takesAll = false): readonly string[] {
    return cached(this.#near, `word ${edits} ${takesAll} ${word}`, () => {
      const words = this.#wordsFrom(word.startsWith('.') ? `.${firstLetter(word.slice(1))}` : firstLetter(word));
      return findNearest(word, edits, (length) => words.get(length) ?? []).slice(
        0,
        takesAll ? undefined : maxCorrections,
      );
    });
  }

  /** The tokens of other names in the same form within so many edits, nearest first: up to 200, or all. */
  findNearNames(token: string, edits: number, takesAll = false): readonly string[] {
    return cached(this.#near, `name ${edits} ${takesAll} ${token}`, () => {
      // In the form of sorted letters, a typo may change the first one.
      const first = token.startsWith(nameToken('letters', '')) ? '' : firstLetter(token.slice(2));
      const names = this.#namesFrom(token.slice(0, 2) + first);
      return findNearest(token, edits, (length) => names.get(length) ?? []).slice(0, takesAll ? undefined : maxNames);
    });
  }

  #wordsFrom(beginning: string): ReadonlyMap<number, readonly Term[]> {
    return cached(this.#wordsByBeginning, beginning, () => byLength(this.#selectWords, beginning));
  }

  #namesFrom(beginning: string): ReadonlyMap<number, readonly Term[]> {
    return cached(this.#names, beginning, () => byLength(this.#selectNames, beginning));
  }
}

function byLength(selectRange: StatementSync, beginning: string): Map<number, Term[]> {
  const { terms, counts } = selectRange.get(beginning, `${beginning}\u{10ffff}`) ?? {};
  const records: number[] = JSON.parse(String(counts));
  const allTerms = (JSON.parse(String(terms)) as string[]).map((text, place): Term => {
    return { text, letters: letterBits(text), records: records[place] as number };
  });
  return Map.groupBy(allTerms, ({ text }) => text.length);
}

/** Others within `edits` of a text, nearest first, then most frequent. */
function findNearest(text: string, edits: number, ofLength: (length: number) => readonly Term[]): string[] {
  const letters = letterBits(text);
  const near: Array<Term & { edits: number }> = [];
  for (let length = text.length - edits; length <= text.length + edits; length += 1) {
    for (const term of ofLength(length)) {
      if (!mayBeWithin(edits, letters, term.letters)) continue;
      const away = countEdits(text, term.text, edits);
      if (away > 0 && away <= edits) near.push({ ...term, edits: away });
    }
  }
  near.sort((a, b) => a.edits - b.edits || b.records - a.records || (a.text < b.text ? -1 : 1));
  return near.map(({ text }) => text);
}

function firstLetter(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0);
}
