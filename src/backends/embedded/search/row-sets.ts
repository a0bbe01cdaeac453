import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Condition, Scope } from '#search/conditions/conditions.ts';
import { phraseTokens } from '#search/indexed/searchable-text.ts';
import { cached } from '#text/memoize.ts';
import { SqliteAway } from '../sqlite-errors.ts';
import { noRecords, type RecordSet, RecordSets, rowsOf, sizeOf } from './record-sets.ts';
import { Vocabulary } from './vocabulary.ts';

/** Bytes of the sets that are kept: so many at least, and for each row of the index. */
const leastKept = 32_000_000;
const keptPerRow = 100;
/** Bytes that a set costs besides its own. */
const costOfSet = 200;

/** Where the words of records are by their scope, and those of contacts, which have one scope. */
const columnsOfRecords: Record<Exclude<Scope, 'people'>, string> = {
  names: '{names aliases}',
  traits: '{names aliases hosts traits}',
  anywhere: '{names aliases hosts traits description}',
};
const columnsOfContacts = '{people title}';

/** The longest beginnings that the full text has lists of (index-tables.sql), in letters. */
const shortBeginning = 2;
/** How many rows are looked up one by one, rather than read the list of a short beginning: so many, and one of so many more. */
const fewRows = 10;
const rowsPerLookUp = 1_000;

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
  readonly #selectTokens: StatementSync;
  readonly #selectAmong: StatementSync;
  readonly #of: 'search' | 'contact';
  #kept = keepSets(0);
  /** Terms that no row has in any column. */
  #absent = new Set<string>();
  sets = new RecordSets(0);

  /** @param of how the names of its tables begin (index-tables.sql) */
  constructor(database: DatabaseSync, of: 'search' | 'contact', deadline: Deadline) {
    this.#database = database;
    this.#of = of;
    this.#deadline = deadline;
    this.vocabulary = new Vocabulary(database, { words: `${of}_terms`, tokens: `${of}_token_terms` });
    const selectFrom = (table: string) =>
      database.prepare(`SELECT json_group_array(rowid) AS rows FROM ${table} WHERE ${table} MATCH ?`);
    this.#selectText = selectFrom(`${of}_text`);
    this.#selectTokens = selectFrom(`${of}_tokens`);
    this.#selectAmong = database.prepare(`
      SELECT json_group_array(t.rowid) AS rows FROM json_each(?) AS p CROSS JOIN ${of}_text AS t ON t.rowid = p.value
      WHERE ${of}_text MATCH ?`);
  }

  /** Forgets everything, because the index has changed. Its rows are below `end`. */
  renew(end: number): void {
    this.vocabulary.clear();
    this.#kept = keepSets(end);
    this.#absent = new Set();
    this.sets = new RecordSets(end);
  }

  /** The rows with one of these terms where the words of a scope are. */
  matchWords(scope: Scope, terms: readonly string[]): RecordSet {
    return this.match(this.#columnOf(scope), terms);
  }

  /** The rows with one of these terms in a column or several. */
  match(column: string, terms: readonly string[]): RecordSet {
    const isWhole = column === this.#columnOf('anywhere');
    return this.#matchPresent(this.#selectText, terms, (present) => matching(column, present), isWhole);
  }

  /** Looks for no term that is known to be absent. `isWhole`: whether a term that is not found is nowhere. */
  #matchPresent(
    statement: StatementSync,
    terms: readonly string[],
    matchOf: (terms: readonly string[]) => string,
    isWhole: boolean,
  ): RecordSet {
    const present = terms.filter((term) => !this.#absent.has(term));
    if (present.length === 0) return noRecords;
    const match = matchOf(present);
    return cached(this.#kept, match, () => {
      const rows = this.#read(statement, match);
      if (isWhole && sizeOf(rows) === 0) for (const term of present) this.#absent.add(term);
      return rows;
    });
  }

  /** The rows that meet one of several conditions. Words without typos are looked up at once, by where they must be. */
  unite(conditions: readonly Condition[], find: Finder['find']): RecordSet {
    const sets: RecordSet[] = [];
    const typed = new Map<Scope, string[]>();
    for (const one of conditions) {
      const isTyped = one.is === 'word' && one.edits === 0 && !needsShortBeginning(one);
      if (isTyped) cached(typed, one.in, () => []).push(...this.termsOf(one));
      else sets.push(find(one));
    }
    for (const [scope, terms] of typed) sets.push(this.matchWords(scope, terms));
    return this.sets.unite(sets);
  }

  /** The rows with one of these tokens, or of those near them, which the index has. */
  matchTokens(tokens: readonly string[], near: readonly string[] = []): RecordSet {
    const terms = new Set(near.map(quote));
    for (const token of tokens) {
      const term = quote(token);
      if (!this.#isAbsent(term, () => this.vocabulary.lacksName(token))) terms.add(term);
    }
    return this.#matchTokens([...terms]);
  }

  /** The rows with a token that begins in one of these ways. */
  matchBeginnings(tokens: readonly string[]): RecordSet {
    return this.#matchTokens(tokens.map(beginning));
  }

  #matchTokens(terms: readonly string[]): RecordSet {
    return this.#matchPresent(this.#selectTokens, terms, (present) => present.join(' OR '), true);
  }

  /** The rows of SQL that selects them as `rows`, ascending, in JSON. */
  ask(sql: string, ...values: (string | number)[]): RecordSet {
    return cached(this.#kept, JSON.stringify([sql, ...values]), () =>
      this.#read(this.#database.prepare(sql), ...values),
    );
  }

  /** What a word is looked up as: itself or its beginning, unless no row has it, and near words. */
  termsOf({ word, unfinished, edits, takesAllNear }: Word): string[] {
    const near = edits === 0 ? [] : this.vocabulary.findNear(word, edits, takesAllNear);
    const term = unfinished ? beginning(word) : quote(word);
    const isAbsent = this.#isAbsent(term, () => this.vocabulary.lacksWord(word, unfinished));
    return [...(isAbsent ? [] : [term]), ...near.map(quote)];
  }

  /** Whether no row has a term, as far as reads and the vocabulary have told. */
  #isAbsent(term: string, isLacking: () => boolean): boolean {
    if (this.#absent.has(term)) return true;
    const isAbsent = isLacking();
    if (isAbsent) this.#absent.add(term);
    return isAbsent;
  }

  /** The rows that meet all, any or some of several conditions. Stops at the first that leaves no row. */
  combine(condition: Several, { find, findAmong }: Finder, among?: RecordSet): RecordSet {
    const { of } = condition;
    const last = of.at(-1);
    if (condition.is === 'any') return this.unite(of, find);
    if (condition.is === 'atLeast') {
      const { count } = condition;
      if (last === undefined || count < 2 || !needsShortBeginning(last)) return this.sets.atLeast(count, of.map(find));
      const others = of.slice(0, -1).map(find);
      const enough = this.sets.atLeast(count, others);
      const oneMissing = this.sets.subtract(this.sets.atLeast(count - 1, others), enough);
      return this.sets.unite([enough, findAmong(oneMissing, last)]);
    }
    let left = among;
    for (const one of of) {
      left = left === undefined ? find(one) : findAmong(left, one);
      if (sizeOf(left) === 0) break;
    }
    return last === undefined ? noRecords : (left ?? noRecords);
  }

  /** Those of these rows that meet a condition, of which not all need be known. */
  among(rows: RecordSet, condition: Condition, finder: Finder): RecordSet {
    if (condition.is === 'all') return this.combine(condition, finder, rows);
    if (condition.is === 'any' && needsShortBeginning(condition))
      return this.sets.unite(condition.of.map((one) => finder.findAmong(rows, one)));
    if (condition.is === 'word' && needsShortBeginning(condition))
      return this.#matchAmong(rows, this.#columnOf(condition.in), this.termsOf(condition));
    return this.sets.intersect([rows, finder.find(condition)]);
  }

  /** Those of these rows with one of the terms: a few are looked up, because the list of a short beginning is long. */
  #matchAmong(rows: RecordSet, column: string, terms: readonly string[]): RecordSet {
    if (terms.length === 0) return noRecords;
    const match = matching(column, terms);
    if (this.#kept.has(match) || sizeOf(rows) > fewRows + this.sets.end / rowsPerLookUp)
      return this.sets.intersect([rows, this.match(column, terms)]);
    return this.#read(this.#selectAmong, JSON.stringify([...rowsOf(rows)]), match);
  }

  #columnOf(scope: Scope): string {
    if (this.#of === 'contact') return columnsOfContacts;
    if (scope === 'people') throw new RangeError('only contacts have words of people');
    return columnsOfRecords[scope];
  }

  #read(statement: StatementSync, ...values: (string | number)[]): RecordSet {
    this.#deadline.check();
    const rows = String(statement.get(...values)?.rows);
    return rows === '[]' ? noRecords : this.sets.of(Uint32Array.from(JSON.parse(rows) as number[]));
  }
}

type Word = Extract<Condition, { is: 'word' }>;
type Several = Extract<Condition, { is: 'all' | 'any' | 'atLeast' }>;

/** Finds the rows that meet a condition, or those of some rows. */
export interface Finder {
  find: (condition: Condition) => RecordSet;
  findAmong: (rows: RecordSet, condition: Condition) => RecordSet;
}

/** Whether a condition on a row needs the beginnings of words that have so few letters that most rows have one. */
function needsShortBeginning(condition: Condition): boolean {
  if ('of' in condition) return condition.of.some(needsShortBeginning);
  return condition.is === 'word' && condition.unfinished && condition.word.length <= shortBeginning;
}

function matching(column: string, terms: readonly string[]): string {
  return `${column} : (${terms.join(' OR ')})`;
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
