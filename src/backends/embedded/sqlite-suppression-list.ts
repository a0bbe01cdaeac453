import type { DatabaseSync } from 'node:sqlite';
import type { Suppression } from '#domain/suppression.ts';
import type { SuppressionList } from '#ports/suppression-list.ts';
import { ChangeLog } from './change-log.ts';
import { transact } from './database.ts';
import { DocumentWriter } from './document-writer.ts';
import { servedTables } from './index-tables.ts';
import { readRecord } from './record-row.ts';
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

  async add(suppressions: readonly Suppression[]): Promise<number> {
    return transact(this.#database, () => {
      const insert = this.#database.prepare(
        'INSERT INTO suppressions (key, reason, added_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      );
      let added = 0;
      for (const { key, reason, addedAt } of suppressions) {
        if (Number(insert.run(key, reason, addedAt).changes) === 0) continue;
        added += 1;
        this.#changes.note('suppressed', key);
      }
      this.#hide(new Set(suppressions.map(({ key }) => key)));
      return added;
    });
  }

  async remove(keys: readonly string[]): Promise<number> {
    return transact(this.#database, () => {
      const remove = this.#database.prepare('DELETE FROM suppressions WHERE key = ?');
      let removed = 0;
      for (const key of new Set(keys)) {
        if (Number(remove.run(key).changes) === 0) continue;
        removed += 1;
        this.#changes.note('allowed', key);
      }
      if (removed > 0) this.#show();
      return removed;
    });
  }

  async list(): Promise<Suppression[]> {
    return this.#database
      .prepare('SELECT key, reason, added_at FROM suppressions ORDER BY added_at, key')
      .all()
      .map(({ key, reason, added_at }) => ({
        key: String(key),
        reason: reason as string | null,
        addedAt: String(added_at),
      }));
  }

  async listKeysSince(at: Date): Promise<ReadonlySet<string>> {
    const rows = this.#database.prepare('SELECT key FROM suppressions WHERE added_at >= ?').all(at.toISOString());
    return new Set(rows.map(({ key }) => String(key)));
  }

  /** Takes the records that carry one of the keys out of what search reads. */
  #hide(keys: ReadonlySet<string>): void {
    const rows = findSuppressedRows(this.#database, servedTables.documents, keys);
    for (const { record } of rows) this.#documents.remove(record);
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
