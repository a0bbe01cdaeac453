import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** What can happen: to a record, to the suppression of a key, or nothing but that somebody sets a mark. */
export type ChangeKind = 'record' | 'suppressed' | 'allowed' | 'mark';

/** Changes that are remembered: more while an index is built, which has to catch up with them. */
const remembered = { always: 100_000, whileBuilding: 5_000_000 };
/** So many changes are forgotten at a time. */
const forgotten = 1_000;

/**
 * Writes down what happens to records and suppressions, in the transaction in which it happens. No triggers: FTS5 puts
 * all it gathers on disk before each statement that fires one, and an import takes a third longer.
 */
export class ChangeLog {
  readonly #insert: StatementSync;
  readonly #forget: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('INSERT INTO record_changes (kind, subject, at) VALUES (?, ?, ?)');
    this.#forget = database.prepare(`
      DELETE FROM record_changes
      WHERE change <= ? - iif(EXISTS (SELECT 1 FROM index_generations WHERE NOT is_served), ?, ?)`);
  }

  /** @param subject a record's id, a suppression's key, or the mark */
  note(kind: ChangeKind, subject: string): void {
    const change = Number(this.#insert.run(kind, subject, Date.now()).lastInsertRowid);
    if (change % forgotten === 0) this.#forget.run(change, remembered.whileBuilding, remembered.always);
  }
}
