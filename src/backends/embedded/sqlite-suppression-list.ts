import type { DatabaseSync } from 'node:sqlite';
import { isSuppressed, type Suppression } from '#domain/suppression.ts';
import type { SuppressionList } from '#ports/suppression-list.ts';
import { ChangeLog } from './change-log.ts';
import { transact } from './database.ts';
import { DocumentWriter } from './document-writer.ts';
import { servedTables } from './index-tables.ts';
import { readRecord } from './record-row.ts';
import { runOnStore } from './sqlite-errors.ts';
import { findSuppressedRows } from './suppressed.ts';

/** The list in SQLite. What search reads follows in the same transaction; the records themselves stay as they are. */
export class SqliteSuppressionList implements SuppressionList {
  readonly #database: DatabaseSync;
  readonly #documents: DocumentWriter;
  readonly #changes: ChangeLog;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#documents = new DocumentWriter(database);
    this.#changes = new ChangeLog(database);
  }

  /** Looks through the records before it keeps others from writing, and then only at those that have changed since. */
  async add(suppressions: readonly Suppression[]): Promise<number> {
    return runOnStore(() => {
      const keys = new Set(suppressions.map(({ key }) => key));
      const last = this.#changes.last();
      const found = this.#find(keys);
      return transact(this.#database, () => {
        const added = this.#insert(suppressions);
        const changed = this.#changes.listRecordsSince(last);
        this.#hide(changed === null ? this.#find(keys) : [...found, ...changed], keys);
        return added;
      });
    });
  }

  async remove(keys: readonly string[]): Promise<number> {
    return runOnStore(() =>
      transact(this.#database, () => {
        const remove = this.#database.prepare('DELETE FROM suppressions WHERE key = ?');
        let removed = 0;
        for (const key of new Set(keys)) {
          if (Number(remove.run(key).changes) === 0) continue;
          removed += 1;
          this.#changes.note('allowed', key);
        }
        if (removed > 0) this.#show();
        return removed;
      }),
    );
  }

  async list(): Promise<Suppression[]> {
    const rows = await runOnStore(() =>
      this.#database.prepare('SELECT key, reason, added_at FROM suppressions ORDER BY added_at, key').all(),
    );
    return rows.map(({ key, reason, added_at }) => ({
      key: String(key),
      reason: reason as string | null,
      addedAt: String(added_at),
    }));
  }

  async listKeysSince(at: Date): Promise<ReadonlySet<string>> {
    const rows = await runOnStore(() =>
      this.#database.prepare('SELECT key FROM suppressions WHERE added_at >= ?').all(at.toISOString()),
    );
    return new Set(rows.map(({ key }) => String(key)));
  }

  /** Answers how many were new. */
  #insert(suppressions: readonly Suppression[]): number {
    const insert = this.#database.prepare(
      'INSERT INTO suppressions (key, reason, added_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    let added = 0;
    for (const { key, reason, addedAt } of suppressions) {
      if (Number(insert.run(key, reason, addedAt).changes) === 0) continue;
      added += 1;
      this.#changes.note('suppressed', key);
    }
    return added;
  }

  /** The ids of the records that search finds and that carry one of the keys. */
  #find(keys: ReadonlySet<string>): string[] {
    return findSuppressedRows(this.#database, servedTables.documents, keys).map(({ id }) => id);
  }

  /** Takes those of the records that carry one of the keys out of what search reads. */
  #hide(ids: readonly string[], keys: ReadonlySet<string>): void {
    const select = this.#database.prepare('SELECT record, body, email, email_source FROM records WHERE id = ?');
    for (const id of ids) {
      const row = select.get(id);
      if (row !== undefined && isSuppressed(readRecord(row), keys)) this.#documents.remove(Number(row.record));
    }
  }

  /** Gives back to search the records that nothing hides any more. */
  #show(): void {
    const hidden = this.#database
      .prepare('SELECT record FROM records WHERE record NOT IN (SELECT record FROM documents)')
      .all();
    const select = this.#database.prepare('SELECT body, email, email_source FROM records WHERE record = ?');
    for (const { record = null } of hidden) {
      const row = select.get(record);
      if (row !== undefined) this.#documents.add(readRecord(row), Number(record));
    }
  }
}
