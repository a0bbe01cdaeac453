import { DatabaseSync } from 'node:sqlite';
import { hashText } from '#text/hash-text.ts';

/** A value that several records have. */
export interface Shared {
  /** As it may be shown. */
  value: string;
  records: number;
  /** The id of one of the records. */
  example: string;
}

type SharedKind = 'email' | 'host';

/** Fewer records may share a value by right: a publisher with two titles. */
const minRecords = 3;
const maxListed = 50;

/**
 * Counts how many records have each value, in a temporary file of SQLite that nobody else sees and that ends with the
 * process. It holds a hash of each value, and what may be shown of it.
 */
export class SharedValues {
  // SQLite makes a temporary file for a database without a name.
  readonly #database = new DatabaseSync('');
  readonly #insert;

  constructor() {
    this.#database.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      CREATE TABLE uses (kind TEXT NOT NULL, hash INTEGER NOT NULL, shown TEXT NOT NULL, record TEXT NOT NULL) STRICT;
      BEGIN`);
    this.#insert = this.#database.prepare('INSERT INTO uses VALUES (?, ?, ?, ?)');
  }

  add(kind: SharedKind, value: string, shown: string, record: string): void {
    this.#insert.run(kind, hashText(value), shown, record);
  }

  /** The values of at least three records, most first. */
  list(kind: SharedKind): Shared[] {
    const rows = this.#database
      .prepare(
        `SELECT shown, count(*) AS records, min(record) AS example FROM uses WHERE kind = ?
         GROUP BY hash HAVING count(*) >= ${minRecords} ORDER BY records DESC, shown LIMIT ${maxListed}`,
      )
      .all(kind);
    return rows.map(({ shown, records, example }) => ({
      value: String(shown),
      records: Number(records),
      example: String(example),
    }));
  }

  close(): void {
    this.#database.close();
  }
}
