import type { DatabaseSync } from 'node:sqlite';
import { type Suppression, type SuppressionList, withoutSuppressed } from '#records/suppression.ts';
import { transact } from './database.ts';
import { type DocumentTables, documentTables, findSuppressed } from './document-tables.ts';
import { readState } from './record-row.ts';
import { runOnStore } from './sqlite-errors.ts';
import { countRows, SqliteStore } from './sqlite-store.ts';

/** The list in SQLite. The index has changed, too, when a method resolves; the records themselves stay unchanged. */
export class SqliteSuppressionList extends SqliteStore implements SuppressionList {
  readonly #documents: DocumentTables;

  constructor(database: DatabaseSync) {
    super(database);
    this.#documents = documentTables(database);
  }

  /** Once the list is written, other writers go by it; what they wrote before is searched without blocking them. */
  add(suppressions: readonly Suppression[]): Promise<number> {
    return runOnStore(() => {
      const insert = this.database.prepare(
        'INSERT INTO suppressions (key, reason, added_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      );
      const rows = suppressions.map(({ key, reason, addedAt }) => [key, reason, addedAt] as const);
      const added = transact(this.database, () =>
        rows.reduce((sum, row) => sum + Number(insert.run(...row).changes), 0),
      );
      const found = findSuppressed(this.database, new Set(suppressions.map(({ key }) => key)));
      transact(this.database, () => this.#hide(found));
      return added;
    });
  }

  async remove(keys: readonly string[]): Promise<number> {
    return (await this.release(keys)).removed;
  }

  /** Removes entries from the list; returns how many existed, and how many records are found again. */
  async release(keys: readonly string[]): Promise<{ removed: number; shown: number }> {
    return this.transact(() => {
      const remove = this.database.prepare('DELETE FROM suppressions WHERE key = ?');
      const removed = [...new Set(keys)].reduce((sum, key) => sum + Number(remove.run(key).changes), 0);
      return { removed, shown: removed > 0 ? this.#show(new Set(keys)) : 0 };
    });
  }

  list(): Promise<Suppression[]> {
    return this.all('SELECT key, reason, added_at FROM suppressions ORDER BY added_at, key');
  }

  async listKeysSince(at: Date): Promise<ReadonlySet<string>> {
    const select = 'SELECT key FROM suppressions WHERE added_at >= ?';
    return new Set((await this.all<Suppression>(select, at.toISOString())).map(({ key }) => key));
  }

  #hide(ids: readonly string[]): void {
    const select = this.database.prepare('SELECT record, id, body, secret FROM records WHERE id = ?');
    for (const id of ids) {
      const row = select.get(id);
      if (row !== undefined) this.#documents.show(row);
    }
  }

  /**
   * Shows what nothing hides any more of records: all of them, or contacts. Returns how many records are found again.
   *
   * @param released the keys that hide nothing any more
   */
  #show(released: ReadonlySet<string>): number {
    const before = countRows(this.database, 'documents');
    const hidden = this.database
      .prepare(
        "SELECT record FROM records WHERE record NOT IN (SELECT record FROM documents) OR secret ->> '$.hidden' IS NOT NULL",
      )
      .all();
    const select = this.database.prepare('SELECT record, id, body, secret FROM records WHERE record = ?');
    for (const { record = null } of hidden) {
      const row = select.get(record);
      const state = row && readState(row);
      if (state === undefined || 'unreadable' in state) continue;
      const wasHidden = withoutSuppressed(state.record, released) !== state.record;
      if (row !== undefined && wasHidden) this.#documents.show(row);
    }
    return countRows(this.database, 'documents') - before;
  }
}
