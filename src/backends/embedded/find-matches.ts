import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { RangeBound } from '#records/field-definition.ts';
import type { Condition, Scope } from '#search/conditions.ts';
import { type ContactFilter, type RecordFilter, splitFilters } from '#search/contact-filters.ts';
import { nameToken } from '#search/name-forms.ts';
import { pageToken } from '#search/record-tokens.ts';
import type { Filter } from '#search/search-query.ts';
import { phraseTokens } from '#search/searchable-text.ts';
import { maxCorrections } from '#search/typo-tolerance.ts';
import { cached } from '#text/memoize.ts';
import { filterToken, hostOfToken, hostToken } from './index-text.ts';
import { noRecords, type RecordSet, RecordSets, sizeOf } from './record-sets.ts';
import { SqliteAway } from './sqlite-errors.ts';
import { Vocabulary } from './vocabulary.ts';

/** Bytes of the sets that are kept, and what a set costs besides its own bytes. */
const maxKept = 32_000_000;
const costOfSet = 200;

/** How long a query may work. Processor time, so that a busy machine does not end queries early. */
const maxWorkMs = 2_000;

type NameCondition = Extract<Condition, { is: 'name' }>;

const columns: Record<Scope, string> = {
  names: '{names aliases}',
  traits: '{names aliases hosts traits}',
  anywhere: '{names aliases hosts traits description}',
  people: 'people',
};

const comparisons: Record<RangeBound, string> = { from: '>=', before: '<', to: '<=' };

/**
 * Finds the records that meet conditions and pass filters. The full text finds the records of each word, and sets of records
 * combine them. Sets are kept until the index changes.
 */
export class Matches {
  readonly #vocabulary: Vocabulary;
  readonly #selectText: StatementSync;
  readonly #database: DatabaseSync;
  readonly #kept = new LRUCache<string, RecordSet>({
    maxSize: maxKept,
    sizeCalculation: (set, key) =>
      ('byteLength' in set ? set.byteLength : set.words.byteLength) + key.length + costOfSet,
  });
  /** What the conditions of this query found. */
  #found = new Map<Condition, RecordSet>();
  readonly #clock: () => number;
  #deadline = Number.POSITIVE_INFINITY;
  sets = new RecordSets(0);

  /** @param clock the processor time so far, in milliseconds */
  constructor(database: DatabaseSync, clock = processorMs) {
    this.#database = database;
    this.#clock = clock;
    this.#vocabulary = new Vocabulary(database);
    this.#selectText = database.prepare(
      'SELECT json_group_array(rowid) AS rows FROM search_text WHERE search_text MATCH ?',
    );
  }

  /** Forgets everything, because the index has changed. Its rows are below `end`. */
  renew(end: number): void {
    this.#vocabulary.clear();
    this.#kept.clear();
    this.sets = new RecordSets(end);
  }

  /** Begins a query, which may work for two seconds. What it found by then is kept for the next try. */
  begin(): void {
    this.#found = new Map();
    this.#deadline = this.#clock() + maxWorkMs;
  }

  /** The records that meet a condition. */
  find(condition: Condition): RecordSet {
    return cached(this.#found, condition, () => this.#compute(condition));
  }

  /** Those of the records that meet a condition. Stops early when none is left. */
  findAmong(records: RecordSet, condition: Condition): RecordSet {
    return condition.is === 'all' && !this.#found.has(condition)
      ? this.#findAll(condition.of, records)
      : this.sets.intersect([records, this.find(condition)]);
  }

  /** The records that pass all filters; null if all do. */
  findPassing(filters: readonly Filter[]): RecordSet | null {
    if (filters.length === 0) return null;
    const { ofRecord, ofContact, ofNoContact } = splitFilters(filters);
    const passing = ofRecord.map((filter) => this.#findPassingOne(filter));
    if (ofContact.length > 0) passing.push(this.#findByContact(ofContact));
    const among = passing.length === 0 ? this.all() : this.sets.intersect(passing);
    if (ofNoContact.length === 0) return among;
    return this.sets.subtract(among, this.sets.unite(ofNoContact.map((filter) => this.#findByContact([filter]))));
  }

  all(): RecordSet {
    return this.#ask('SELECT json_group_array(record) AS rows FROM documents NOT INDEXED');
  }

  #compute(condition: Condition): RecordSet {
    switch (condition.is) {
      case 'word': {
        const { word, unfinished, edits } = condition;
        const near = edits === 0 ? [] : this.#vocabulary.findNear(word, edits, maxCorrections);
        const terms = [unfinished ? beginning(word) : quote(word), ...near.map(quote)];
        return this.#matchWords(condition.in, terms);
      }
      case 'phrase':
        return this.#matchWords(condition.in, [quote(phraseTokens(condition.words).join(' '))]);
      case 'concept':
        return this.#match('concepts', [quote(condition.concept)]);
      case 'host': {
        const { hosts, edits } = condition;
        const [first = ''] = hosts;
        const near =
          edits === 0 ? [] : this.#vocabulary.findNear(hostToken(first), edits, maxCorrections).map(hostOfToken);
        return this.#findHosts([...near, ...hosts]);
      }
      case 'page':
        return this.#match('exact', [quote(pageToken(condition.page, condition.standing))]);
      case 'address':
        return this.#match('exact', [quote(condition.token)]);
      case 'name':
        return this.#findNames([condition]);
      case 'nameBeginning':
        return this.#match('exact', [beginning(nameToken('whole', condition.key))]);
      case 'contact':
        throw new RangeError('no plan asks for contacts here yet');
      case 'all':
        return this.#findAll(condition.of);
      case 'any': {
        const names = condition.of.filter((one) => one.is === 'name');
        const others = condition.of.filter((one) => one.is !== 'name');
        return this.sets.unite([this.#findNames(names), ...others.map((one) => this.find(one))]);
      }
      case 'atLeast':
        return this.sets.atLeast(
          condition.count,
          condition.of.map((one) => this.find(one)),
        );
    }
  }

  /** Stops at the first condition that leaves no record. */
  #findAll(conditions: readonly Condition[], among?: RecordSet): RecordSet {
    let left = among;
    for (const condition of conditions) {
      const found = this.find(condition);
      left = left === undefined ? found : this.sets.intersect([left, found]);
      if (sizeOf(left) === 0) break;
    }
    return conditions.length === 0 ? noRecords : (left ?? noRecords);
  }

  /** Looks anywhere first for names and traits: that set is known after the first tier, and often empty. */
  #matchWords(scope: Scope, terms: readonly string[]): RecordSet {
    const isNarrow = scope !== 'anywhere' && scope !== 'people';
    if (isNarrow && sizeOf(this.#match(columns.anywhere, terms)) === 0) return noRecords;
    return this.#match(columns[scope], terms);
  }

  #findPassingOne(filter: RecordFilter): RecordSet {
    if ('range' in filter) {
      const { range, bound, value } = filter;
      const sql = `SELECT json_group_array(record) AS rows FROM documents NOT INDEXED WHERE ${range} ${comparisons[bound]} ?`;
      return this.#ask(sql, value);
    }
    const find = (values: readonly string[]) => {
      if ('field' in filter) {
        return this.#match(
          'exact',
          values.map((value) => quote(filterToken(filter.field, value))),
        );
      }
      return filter.identity === 'url' ? this.#findHosts(values) : this.#findIds(values);
    };
    const any = filter.any.length === 0 ? this.all() : find(filter.any);
    return filter.none.length === 0 ? any : this.sets.subtract(any, find(filter.none));
  }

  /** The records with a contact that meets all of these filters. */
  #findByContact(filters: readonly ContactFilter[]): RecordSet {
    const tests = filters.map(testContact);
    const sql = `
      SELECT json_group_array(record) AS rows
      FROM (SELECT DISTINCT record FROM contacts WHERE ${tests.map((test) => test.sql).join(' AND ')} ORDER BY record)`;
    return this.#ask(sql, ...tests.flatMap(({ value }) => value ?? []));
  }

  /** Looks for all names at once, because most typed names are of no record. */
  #findNames(conditions: readonly NameCondition[]): RecordSet {
    const tokens = conditions.flatMap(({ form, keys, edits }) => {
      const own = keys.map((key) => nameToken(form, key));
      return edits === 0 ? own : [...own, ...own.flatMap((token) => this.#vocabulary.findNearNames(token, edits))];
    });
    const found = tokens.length === 0 ? noRecords : this.#match('exact', [...new Set(tokens)].map(quote));
    if (sizeOf(found) === 0) for (const condition of conditions) this.#found.set(condition, found);
    return found;
  }

  /** Finds hosts, and names that spell one of them out: `news bbc co uk`. */
  #findHosts(hosts: readonly string[]): RecordSet {
    return this.sets.unite([
      this.#match('hosts', hosts.map(hostToken).map(quote)),
      this.#match(
        columns.names,
        hosts.map((host) => quote(host.replaceAll(/[.-]/g, ' '))),
      ),
    ]);
  }

  #findIds(ids: readonly string[]): RecordSet {
    const sql = `
      SELECT json_group_array(r.record ORDER BY r.record) AS rows
      FROM (SELECT DISTINCT value FROM json_each(?)) AS p CROSS JOIN records AS r ON r.id = p.value
      WHERE EXISTS (SELECT 1 FROM documents AS d WHERE d.record = r.record)`;
    return this.#ask(sql, JSON.stringify(ids));
  }

  #match(column: string, terms: readonly string[]): RecordSet {
    const match = `${column} : (${terms.join(' OR ')})`;
    return cached(this.#kept, match, () => this.#read(this.#selectText, match));
  }

  #ask(sql: string, ...values: (string | number)[]): RecordSet {
    return cached(this.#kept, JSON.stringify([sql, ...values]), () =>
      this.#read(this.#database.prepare(sql), ...values),
    );
  }

  #read(statement: StatementSync, ...values: (string | number)[]): RecordSet {
    if (this.#clock() > this.#deadline) throw new SqliteAway('a search takes too long');
    const rows = String(statement.get(...values)?.rows);
    return rows === '[]' ? noRecords : this.sets.of(Uint32Array.from(JSON.parse(rows) as number[]));
  }
}

/** The test of a row of `contacts`, with the value that its SQL takes, if it takes one. */
function testContact(filter: ContactFilter): { sql: string; value?: string | number } {
  if ('present' in filter) return { sql: filter.present === 'contact_name' ? "kind = 'person'" : 'has_email = 1' };
  if ('range' in filter) return { sql: `verified_at ${comparisons[filter.bound]} ?`, value: filter.value };
  return { sql: 'email_status IN (SELECT value FROM json_each(?))', value: JSON.stringify(filter.any) };
}

function beginning(word: string): string {
  return `${quote(word)} *`;
}

/** Quotes every token, so that nothing a person types is FTS5 syntax. */
function quote(token: string): string {
  return `"${token.replaceAll('"', '""')}"`;
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
