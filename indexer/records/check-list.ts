import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** Ids that are read at a time. */
const pageSize = 500;

/**
 * Which records are to be checked, by the domain of their address: a temporary file of SQLite that nobody else sees and that is
 * gone when the process ends, however it ends. No address gets into it.
 */
export class CheckList {
  readonly #database: DatabaseSync;
  readonly #addDomain: StatementSync;
  readonly #addRecord: StatementSync;
  readonly #selectIds: StatementSync;
  #records = 0;

  constructor() {
    // SQLite makes a temporary file for a database without a name.
    this.#database = new DatabaseSync('');
    this.#database.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      CREATE TABLE domains (number INTEGER PRIMARY KEY, domain TEXT NOT NULL UNIQUE, oldest TEXT NOT NULL) STRICT;
      CREATE TABLE records (domain INTEGER NOT NULL, id TEXT NOT NULL) STRICT;
      BEGIN`);
    this.#addDomain = this.#database.prepare(`
      INSERT INTO domains (domain, oldest) VALUES (?, ?)
      ON CONFLICT (domain) DO UPDATE SET oldest = min(oldest, excluded.oldest) RETURNING number`);
    this.#addRecord = this.#database.prepare('INSERT INTO records VALUES (?, ?)');
    this.#selectIds = this.#database.prepare(`
      SELECT rowid, id FROM records WHERE domain = (SELECT number FROM domains WHERE domain = ?) AND rowid > ?
      ORDER BY rowid LIMIT ${pageSize}`);
  }

  /**
   * @param domain empty if the address has none
   * @param verifiedAt when the address was last verified; null for never
   */
  add(id: string, domain: string, verifiedAt: string | null): void {
    const number = this.#addDomain.get(domain, verifiedAt ?? '')?.number ?? null;
    this.#addRecord.run(number, id);
    this.#records += 1;
  }

  /** How many records were added. */
  get size(): number {
    return this.#records;
  }

  /** The domains, first that of the address that was verified longest ago. Add nothing any more by then. */
  *domains(): Generator<string> {
    this.#database.exec('CREATE INDEX IF NOT EXISTS records_by_domain ON records (domain)');
    const rows = this.#database.prepare('SELECT domain FROM domains ORDER BY oldest, number').iterate();
    for (const { domain } of rows) yield String(domain);
  }

  /** The ids of the records at a domain, in pages. */
  *idsOf(domain: string): Generator<string[]> {
    for (let after = 0; ; ) {
      const page = this.#selectIds.all(domain, after);
      if (page.length > 0) yield page.map(({ id }) => String(id));
      if (page.length < pageSize) return;
      after = Number(page.at(-1)?.rowid);
    }
  }

  close(): void {
    this.#database.close();
  }
}
