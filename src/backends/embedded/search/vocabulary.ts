import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { maxCorrections } from '#search/conditions/typo-tolerance.ts';
import { isStem } from '#search/words/stems.ts';
import { countEdits, letterBits, mayBeWithin } from '#text/edit-distance.ts';
import { atMost, cached } from '#text/memoize.ts';

/** The terms of a table with the same beginning. As numbers beside one text, because so many objects slow the collection of garbage. */
interface Terms {
  /** All of them, each behind a space. */
  text: string;
  byLength: ReadonlyMap<number, TermsOfLength>;
  /** The number of rows that contain each of all terms. */
  rows: readonly number[];
  isCurrent: boolean;
}

/** Where each term starts in the text, its letters (letterBits), and its place among all terms. */
interface TermsOfLength {
  starts: number[];
  letters: number[];
  places: number[];
}

const maxAnswers = 20_000;
/** How many corrections of a mistyped name are tried. */
const maxNames = 200;

/** Terms that the full text takes as they are, and that sort alike there and here. */
const plainTerm = /^[a-z0-9._\u0080-\ud7ff]*$/;

/** Finds corrections of mistyped words and names. Loads words by their first letter, and keeps them until the index changes. */
export class Vocabulary {
  readonly #selectWords: StatementSync;
  readonly #selectNames: StatementSync;
  /** Kept, because a query looks for the same words several times, and people type the same words again. */
  readonly #near = new LRUCache<string, readonly string[]>(atMost(maxAnswers));
  readonly #words = new Map<string, Terms>();
  readonly #names = new Map<string, Terms>();

  /** @param terms the tables that have the words and the tokens of a full text, with how many rows have each */
  constructor(database: DatabaseSync, terms: { words: string; tokens: string }) {
    const selectRange = (table: string) =>
      database.prepare(
        `SELECT group_concat(term, ' ') AS terms, json_group_array(doc) AS counts FROM ${table} WHERE term >= ? AND term < ?`,
      );
    this.#selectWords = selectRange(terms.words);
    this.#selectNames = selectRange(terms.tokens);
  }

  /** Call it when the index has changed. The next look reads the terms again, but most changes bring no new ones. */
  clear(): void {
    this.#near.clear();
    for (const terms of [...this.#words.values(), ...this.#names.values()]) terms.isCurrent = false;
  }

  /**
   * Other words within `edits` (a letter dropped, added, changed, or two swapped); for the token of a host, those of hosts. The
   * first letter must match. Nearest first, then most frequent; the first `maxCorrections` of them, or all.
   */
  findNear(word: string, edits: number, takesAll = false): readonly string[] {
    return cached(this.#near, `word ${edits} ${takesAll} ${word}`, () => {
      const near = findNearest(word, edits, currentTerms(this.#words, this.#selectWords, beginningOfWord(word)));
      return near.slice(0, takesAll ? undefined : maxCorrections);
    });
  }

  /** The tokens of other names in the same form within so many edits, nearest first: up to 200, or all. */
  findNearNames(token: string, edits: number, takesAll = false): readonly string[] {
    return cached(this.#near, `name ${edits} ${takesAll} ${token}`, () => {
      const near = findNearest(token, edits, currentTerms(this.#names, this.#selectNames, beginningOfName(token)));
      return near.slice(0, takesAll ? undefined : maxNames);
    });
  }

  /** Whether surely no row has this word, or one that begins so. Only terms that are loaded tell; stems are few, and loaded for that. */
  lacksWord(word: string, isBeginning: boolean): boolean {
    const first = beginningOfWord(word);
    const terms = isStem(word) ? currentTerms(this.#words, this.#selectWords, first) : this.#words.get(first);
    return lacks(terms, word, isBeginning);
  }

  /** Whether surely no row has the token of this name. */
  lacksName(token: string): boolean {
    return lacks(this.#names.get(beginningOfName(token)), token, false);
  }
}

/** The terms with a beginning as they are now. If they are the same as before, only the numbers of their rows are made again. */
function currentTerms(known: Map<string, Terms>, selectRange: StatementSync, beginning: string): Terms {
  const before = known.get(beginning);
  if (before?.isCurrent) return before;
  const { terms, counts } = selectRange.get(beginning, `${beginning}\u{10ffff}`) ?? {};
  const text = terms === null ? '' : ` ${terms}`;
  const byLength = before?.text === text ? before.byLength : readTerms(text);
  const current = { text, byLength, rows: JSON.parse(String(counts)) as number[], isCurrent: true };
  known.set(beginning, current);
  return current;
}

function readTerms(text: string): Terms['byLength'] {
  const byLength = new Map<number, TermsOfLength>();
  let start = 1;
  for (const [place, term] of text.split(' ').slice(1).entries()) {
    const { starts, letters, places } = cached(byLength, term.length, () => ({ starts: [], letters: [], places: [] }));
    starts.push(start);
    letters.push(letterBits(term));
    places.push(place);
    start += term.length + 1;
  }
  return byLength;
}

/** Others within `edits` of a text, nearest first, then most frequent. */
function findNearest(text: string, edits: number, terms: Terms): string[] {
  const letters = letterBits(text);
  const near: { term: string; edits: number; rows: number }[] = [];
  for (let length = text.length - edits; length <= text.length + edits; length += 1) {
    const group = terms.byLength.get(length);
    for (let at = 0; group !== undefined && at < group.starts.length; at += 1) {
      if (!mayBeWithin(edits, letters, group.letters[at] as number)) continue;
      const start = group.starts[at] as number;
      const term = terms.text.slice(start, start + length);
      const away = countEdits(text, term, edits);
      if (away > 0 && away <= edits)
        near.push({ term, edits: away, rows: terms.rows[group.places[at] as number] as number });
    }
  }
  near.sort((a, b) => a.edits - b.edits || b.rows - a.rows || (a.term < b.term ? -1 : 1));
  return near.map(({ term }) => term);
}

function lacks(terms: Terms | undefined, term: string, isBeginning: boolean): boolean {
  return terms?.isCurrent === true && plainTerm.test(term) && !hasTerm(terms.text, term, isBeginning);
}

/** Whether a text of sorted terms, each behind a space, has this one, or one that begins so. */
function hasTerm(text: string, term: string, isBeginning: boolean): boolean {
  let [start, end] = [0, text.length];
  while (start < end) {
    const space = text.lastIndexOf(' ', (start + end) >>> 1);
    const next = text.indexOf(' ', space + 1);
    const one = text.slice(space + 1, next < 0 ? text.length : next);
    if (one === term || (isBeginning && one.startsWith(term))) return true;
    if (one > term) end = space;
    else start = space + 1 + one.length;
  }
  return false;
}

/** The beginning by which a word is loaded: its first letter, behind the mark of a host or a stem. */
function beginningOfWord(word: string): string {
  const isMarked = word.startsWith('.') || isStem(word);
  return isMarked ? word.charAt(0) + firstLetter(word.slice(1)) : firstLetter(word);
}

/** The form and the first letter of a name. */
function beginningOfName(token: string): string {
  return token.slice(0, 2) + firstLetter(token.slice(2));
}

function firstLetter(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0);
}
