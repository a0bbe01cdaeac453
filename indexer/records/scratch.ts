import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Candidate } from '#records/duplicates/compare-media.ts';
import { type BlockingKey, type BlockKind, blockKinds, type Traits } from '#records/duplicates/traits.ts';
import { hashText } from '#text/hash-text.ts';
import { atMost } from '#text/memoize.ts';

/** Two records, by their numbers in the scratch file. */
interface LikelyPair {
  a: number;
  b: number;
  score: number;
}

/** Records that share a key, by their numbers. */
export interface Block {
  kind: BlockKind;
  members: number[];
}

/** Records whose traits are kept in memory, about 50 MB. */
const maxCached = 20_000;

/**
 * What a search for duplicates notes down, as its records may not fit into memory: a temporary file of SQLite that
 * nobody else sees and that is gone when the process ends, however it ends. No address gets into it.
 */
export class Scratch {
  readonly #database: DatabaseSync;
  readonly #traits = new LRUCache<number, Traits>(atMost(maxCached));
  readonly #addRecord: StatementSync;
  readonly #addKey: StatementSync;
  readonly #addPair: StatementSync;
  readonly #selectTraits: StatementSync;
  readonly #selectGroup: StatementSync;
  readonly #selectMembers: StatementSync;
  readonly #setGroup: StatementSync;
  readonly #joinGroups: StatementSync;

  constructor() {
    // SQLite makes a temporary file for a database without a name.
    this.#database = new DatabaseSync('');
    this.#database.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA cache_size = -65536;
      CREATE TABLE records (
        record INTEGER PRIMARY KEY,
        traits TEXT NOT NULL,
        candidate TEXT NOT NULL,
        fields INTEGER NOT NULL,
        verified_at TEXT,
        id TEXT NOT NULL,
        duplicates INTEGER
      ) STRICT;
      CREATE INDEX records_by_group ON records (duplicates) WHERE duplicates IS NOT NULL;
      CREATE TABLE keys (key INTEGER NOT NULL, record INTEGER NOT NULL) STRICT;
      CREATE TABLE pairs (
        a INTEGER NOT NULL, b INTEGER NOT NULL, score INTEGER NOT NULL, PRIMARY KEY (a, b)
      ) STRICT, WITHOUT ROWID;
      BEGIN`);
    const prepare = (sql: string) => this.#database.prepare(sql);
    this.#addRecord = prepare(
      'INSERT INTO records (traits, candidate, fields, verified_at, id) VALUES (?, ?, ?, ?, ?)',
    );
    this.#addKey = prepare('INSERT INTO keys VALUES (?, ?)');
    this.#addPair = prepare('INSERT INTO pairs VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
    this.#selectTraits = prepare('SELECT traits FROM records WHERE record = ?');
    this.#selectGroup = prepare('SELECT duplicates FROM records WHERE record = ?');
    this.#selectMembers = prepare(
      'SELECT record FROM records WHERE duplicates = ? ORDER BY fields DESC, verified_at DESC NULLS LAST, id',
    );
    this.#setGroup = prepare('UPDATE records SET duplicates = ? WHERE record = ?');
    this.#joinGroups = prepare('UPDATE records SET duplicates = ? WHERE duplicates = ?');
  }

  add(candidate: Candidate, traits: Traits, keys: readonly BlockingKey[]): void {
    const { fields, last_verified_at, id } = candidate;
    const row = [JSON.stringify(traits), JSON.stringify(candidate), fields, last_verified_at, id] as const;
    const record = this.#addRecord.run(...row).lastInsertRowid;
    for (const key of new Set(keys.map(numberOf))) this.#addKey.run(key, record);
  }

  /** The blocks of two records or more. */
  *blocks(): Generator<Block> {
    const rows = this.#database
      .prepare('SELECT key, json_group_array(record) AS members FROM keys GROUP BY key HAVING count(*) > 1')
      .iterate();
    for (const { key, members } of rows) {
      yield { kind: blockKinds[Number(key) % keyStep] as BlockKind, members: JSON.parse(String(members)) };
    }
  }

  traits(record: number): Traits {
    const cached = this.#traits.get(record);
    if (cached !== undefined) return cached;
    const traits = JSON.parse(String(this.#selectTraits.get(record)?.traits)) as Traits;
    this.#traits.set(record, traits);
    return traits;
  }

  candidate(record: number): Candidate {
    const row = this.#database.prepare('SELECT candidate FROM records WHERE record = ?').get(record);
    return JSON.parse(String(row?.candidate)) as Candidate;
  }

  addPair({ a, b, score }: LikelyPair): void {
    this.#addPair.run(Math.min(a, b), Math.max(a, b), score);
  }

  /** The likely pairs, likeliest first. */
  pairs(): Iterable<LikelyPair> {
    return this.#database
      .prepare('SELECT a, b, score FROM pairs ORDER BY score DESC, a, b')
      .iterate() as Iterable<unknown> as Iterable<LikelyPair>;
  }

  /** The group of a record; null if it is in none. */
  groupOf(record: number): number | null {
    return this.#selectGroup.get(record)?.duplicates as number | null;
  }

  /** The records of a group, best first: the fullest, then the latest verified. */
  members(group: number): number[] {
    return this.#selectMembers.all(group).map(({ record }) => Number(record));
  }

  putInGroup(record: number, group: number): void {
    this.#setGroup.run(group, record);
  }

  joinGroups(into: number, from: number): void {
    this.#joinGroups.run(into, from);
  }

  countGroups(): { groups: number; records: number } {
    const row = this.#database
      .prepare('SELECT count(DISTINCT duplicates) AS groups, count(duplicates) AS records FROM records')
      .get();
    return { groups: Number(row?.groups), records: Number(row?.records) };
  }

  /** All groups, in the order of their numbers. */
  *groups(): Generator<number> {
    const rows = this.#database
      .prepare('SELECT DISTINCT duplicates FROM records WHERE duplicates IS NOT NULL ORDER BY duplicates')
      .iterate();
    for (const { duplicates } of rows) yield Number(duplicates);
  }

  close(): void {
    this.#database.close();
  }
}

const keyStep = 8;

/** A key as a number that also tells its kind. */
function numberOf({ kind, value }: BlockingKey): number {
  return Math.floor(hashText(value) / keyStep) * keyStep + blockKinds.indexOf(kind);
}
