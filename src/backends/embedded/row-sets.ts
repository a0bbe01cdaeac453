import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Condition } from '#search/conditions.ts';
import { phraseTokens } from '#search/searchable-text.ts';
import { cached } from '#text/memoize.ts';
import { noRecords, type RecordSet, RecordSets, sizeOf } from './record-sets.ts';
import { SqliteAway } from './sqlite-errors.ts';
import { Vocabulary } from './vocabulary.ts';

/** Bytes of the sets that are kept: so many at least, and for each row of the index. */
const leastKept = 32_000_000;
const keptPerRow = 100;
/** Bytes that a set costs besides its own. */
const costOfSet = 200;

/** How long a query may work. Processor time, so that a busy machine does not end queries early. */
const maxWorkMs = 2_000;

/** The time that a query has. What it found by then is kept for the next try. */
export class Deadline {
  readonly #clock: () => number;
  #endsAt = Number.POSITIVE_INFINITY;

  /** @param clock the processor time so far, in milliseconds */
  constructor(clock: () => number = processorMs) {
    this.#clock = clock;
  }

  begin(): void {
    this.#endsAt = this.#clock() + maxWorkMs;
  }

  check(): void {
    if (this.#clock() > this.#endsAt) throw new SqliteAway('a search takes too long');
  }
}

/** Reads sets of rows from a table of full text and by SQL. Sets are kept until the index changes. */
export class RowSets {
  readonly vocabulary: Vocabulary;
  readonly #database: DatabaseSync;
  readonly #deadline: Deadline;
  readonly #selectText: StatementSync;
  #kept = keepSets(0);
  sets = new RecordSets(0);

  constructor(database: DatabaseSync, texts: { text: string; terms: string }, deadline: Deadline) {
    this.#database = database;
    this.#deadline = deadline;
    this.vocabulary = new Vocabulary(database, texts.terms);
    this.#selectText = database.prepare(
      `SELECT json_group_array(rowid) AS rows FROM ${texts.text} WHERE ${texts.text} MATCH ?`,
    );
  }

  /** Forgets everything, because the index has changed. Its rows are below `end`. */
  renew(end: number): void {
    this.vocabulary.clear();
    this.#kept = keepSets(end);
    this.sets = new RecordSets(end);
  }

  /** The rows with one of these terms in a column or several. */
  match(column: string, terms: readonly string[]): RecordSet {
    const match = `${column} : (${terms.join(' OR ')})`;
    return cached(this.#kept, match, () => this.#read(this.#selectText, match));
  }

  /** The rows of SQL that selects them as `rows`, ascending, in JSON. */
  ask(sql: string, ...values: (string | number)[]): RecordSet {
    return cached(this.#kept, JSON.stringify([sql, ...values]), () =>
      this.#read(this.#database.prepare(sql), ...values),
    );
  }

  /** What a word is looked up as: itself or its beginning, and near words. */
  termsOf({ word, unfinished, edits, takesAllNear }: Extract<Condition, { is: 'word' }>): string[] {
    const near = edits === 0 ? [] : this.vocabulary.findNear(word, edits, takesAllNear);
    return [unfinished ? beginning(word) : quote(word), ...near.map(quote)];
  }

  /** The rows that meet all, any or some of several conditions. Stops at the first that leaves no row. */
  combine(
    condition: Extract<Condition, { is: 'all' | 'any' | 'atLeast' }>,
    find: (one: Condition) => RecordSet,
    among?: RecordSet,
  ): RecordSet {
    if (condition.is === 'any') return this.sets.unite(condition.of.map(find));
    if (condition.is === 'atLeast') return this.sets.atLeast(condition.count, condition.of.map(find));
    let left = among;
    for (const one of condition.of) {
      const rows = find(one);
      left = left === undefined ? rows : this.sets.intersect([left, rows]);
      if (sizeOf(left) === 0) break;
    }
    return condition.of.length === 0 ? noRecords : (left ?? noRecords);
  }

  #read(statement: StatementSync, ...values: (string | number)[]): RecordSet {
    this.#deadline.check();
    const rows = String(statement.get(...values)?.rows);
    return rows === '[]' ? noRecords : this.sets.of(Uint32Array.from(JSON.parse(rows) as number[]));
  }
}

function keepSets(rows: number): LRUCache<string, RecordSet> {
  return new LRUCache({
    maxSize: Math.max(leastKept, rows * keptPerRow),
    sizeCalculation: (set, key) =>
      ('byteLength' in set ? set.byteLength : set.words.byteLength) + key.length + costOfSet,
  });
}

export function beginning(word: string): string {
  return `${quote(word)} *`;
}

/** Quotes every token, so that nothing a person types is FTS5 syntax. */
export function quote(token: string): string {
  return `"${token.replaceAll('"', '""')}"`;
}

/** The term of words in sequence. */
export function quotePhrase(words: readonly string[]): string {
  return quote(phraseTokens(words).join(' '));
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
