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
  readonly #selectLast: StatementSync;
  readonly #selectRecords: StatementSync;

  constructor(database: DatabaseSync) {
    this.#selectLast = database.prepare('SELECT ifnull(max(change), 0) AS last FROM record_changes');
    this.#selectRecords = database.prepare(`
      SELECT min(change) AS first, subject, kind FROM record_changes WHERE change > ? GROUP BY kind, subject`);
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
  /** The number of the last change; 0 before the first. */
  last(): number {
    return Number(this.#selectLast.get()?.last);
  }

  /** The ids of the records that changed after a change; null where that is no longer known. */
  listRecordsSince(change: number): string[] | null {
    const rows = this.#selectRecords.all(change);
    const first = rows.reduce((least, row) => Math.min(least, Number(row.first)), Number.POSITIVE_INFINITY);
    // Numbers follow each other without a gap.
    if (rows.length === 0 ? this.last() !== change : first !== change + 1) return null;
    return rows.filter(({ kind }) => kind === 'record').map(({ subject }) => String(subject));
  }
}
