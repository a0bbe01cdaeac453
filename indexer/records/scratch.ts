import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Candidate } from '#records/duplicates/compare-media.ts';
import { type BlockingKey, type BlockKind, blockKinds, type Traits } from '#records/duplicates/traits.ts';
import { atMost } from '#text/memoize.ts';
import { hashText } from '#text/name-keys.ts';

/** For how many records traits are kept in memory, about 50 MB. */
const maxCached = 20_000;
/** Keys are stored as numbers. The rest of a division by this is the kind of key. */
const keyStep = 8;

/** Traits of records in a temporary SQLite file, which the system removes however the process ends. It has no addresses. */
export class Scratch {
  // SQLite makes a temporary file for a database without a name.
  readonly #database = new DatabaseSync('');
  readonly #traits = new LRUCache<number, Traits>(atMost(maxCached));
  readonly #addRecord: StatementSync;
  readonly #addKey: StatementSync;
  readonly #select: StatementSync;

  constructor() {
    this.#database.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA cache_size = -65536;
      CREATE TABLE records (record INTEGER PRIMARY KEY, traits TEXT NOT NULL, candidate TEXT NOT NULL) STRICT;
      CREATE TABLE keys (key INTEGER NOT NULL, record INTEGER NOT NULL) STRICT;
      BEGIN`);
    this.#addRecord = this.#database.prepare('INSERT INTO records (traits, candidate) VALUES (?, ?)');
    this.#addKey = this.#database.prepare('INSERT INTO keys VALUES (?, ?)');
    this.#select = this.#database.prepare('SELECT traits, candidate FROM records WHERE record = ?');
  }

  add(candidate: Candidate, traits: Traits, keys: readonly BlockingKey[]): void {
    const record = this.#addRecord.run(JSON.stringify(traits), JSON.stringify(candidate)).lastInsertRowid;
    const numbers = keys.map(
      ({ kind, value }) => Math.floor(hashText(value) / keyStep) * keyStep + blockKinds.indexOf(kind),
    );
    for (const key of new Set(numbers)) this.#addKey.run(key, record);
  }

  /** For each key that two or more records share, the numbers of these records. */
  *blocks(): Generator<{ kind: BlockKind; members: number[] }> {
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
    const traits = JSON.parse(String(this.#select.get(record)?.traits)) as Traits;
    this.#traits.set(record, traits);
    return traits;
  }

  candidate(record: number): Candidate {
    return JSON.parse(String(this.#select.get(record)?.candidate)) as Candidate;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
