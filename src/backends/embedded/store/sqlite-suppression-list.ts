import type { DatabaseSync } from 'node:sqlite';
import type { HiddenCounts } from '#records/plan-suppression.ts';
import type { Suppression, SuppressionList } from '#records/suppression.ts';
import { transact } from '../database.ts';
import type { RecordRow } from '../record-row.ts';
import { runOnStore } from '../sqlite-errors.ts';
import { countRows, SqliteStore } from '../sqlite-store.ts';
import { documentTables } from './document-tables.ts';
import { findSuppressed } from './suppressed-records.ts';

/** The list in SQLite. The index has changed, too, when a method resolves; the records themselves stay unchanged. */
export class SqliteSuppressionList extends SqliteStore implements SuppressionList {
  readonly #documents = documentTables(this.database);

  /** Once the list is written, other writers go by it; what they wrote before is searched without blocking them. */
  add(suppressions: readonly Suppression[], following: ReadonlyMap<string, string> = new Map()): Promise<number> {
    return runOnStore(() => {
      const table = suppressionTable(this.database);
      const added = transact(this.database, () => {
        const count = table.add(suppressions);
        table.addFollowing(following, new Date());
        return count;
      });
      const keys = new Set([...suppressions.map(({ key }) => key), ...following.keys()]);
      const hiddenRecords = findSuppressed(this.database, keys);
      transact(this.database, () => this.#hide(hiddenRecords.map(({ id }) => id)));
      return added;
    });
  }

  async remove(keys: readonly string[]): Promise<number> {
    return (await this.release(keys)).removed;
  }

  /** Removes entries from the list; returns how many of these keys there were, and what is found again. */
  async release(keys: readonly string[]): Promise<{ removed: number; shown: HiddenCounts }> {
    return this.transact(() => {
      const remove = this.database.prepare('DELETE FROM suppressions WHERE key = ?');
      const removeFollowing = this.database.prepare('DELETE FROM suppressions WHERE follows = ?');
      const removed = [...new Set(keys)].filter((key) => remove.run(key).changes > 0);
      for (const key of keys) removeFollowing.run(key);
      return { removed: removed.length, shown: removed.length > 0 ? this.#show() : { records: 0, contacts: 0 } };
    });
  }

  async list(): Promise<Suppression[]> {
    const select = 'SELECT key, reason, added_at, follows FROM suppressions ORDER BY added_at, key';
    const rows = await this.all<Omit<Suppression, 'follows'> & { follows: string | null }>(select);
    return rows.map(({ follows, ...entry }) => (follows === null ? entry : { ...entry, follows }));
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

  /** Shows what nothing hides any more of records: all of them, or contacts. Returns how much is found again. */
  #show(): HiddenCounts {
    const before = countRows(this.database, 'documents');
    const select = this.database.prepare('SELECT record, id, body, secret FROM records WHERE record = ?');
    const hidden = this.database
      .prepare(
        "SELECT record, record IN (SELECT record FROM documents) AS is_found FROM records WHERE NOT is_found OR secret ->> '$.hidden' IS NOT NULL",
      )
      .all();
    let contacts = 0;
    for (const { record = null, is_found } of hidden) {
      const row = select.get(record);
      if (row === undefined) continue;
      this.#documents.show(row);
      if (is_found) contacts += countShown(select.get(record)) - countShown(row);
    }
    return { records: countRows(this.database, 'documents') - before, contacts };
  }
}

/** How many contacts answers show of a row. */
function countShown(row: RecordRow | undefined): number {
  return row === undefined ? 0 : JSON.parse(String(row.body)).contacts.length;
}

/** Writes to the suppression list, each in the current transaction. */
export function suppressionTable(database: DatabaseSync) {
  // An entry that followed from another one stays when an operator names it.
  const insert = database.prepare(`
    INSERT INTO suppressions (key, reason, added_at, follows) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET follows = NULL WHERE follows IS NOT NULL AND excluded.follows IS NULL`);
  const follow = database.prepare(`
    INSERT INTO suppressions (key, reason, added_at, follows)
    SELECT ?1, reason, ?2, coalesce(follows, key) FROM suppressions WHERE key = ?3
    ON CONFLICT DO NOTHING`);
  const handOn = database.prepare(`
    INSERT INTO suppressions (key, reason, added_at, follows)
    SELECT 'contact ' || ?2 || substr(key, -44), reason, ?3, coalesce(follows, key) FROM suppressions
    WHERE key >= 'contact ' || ?1 || ' ' AND key < 'contact ' || ?1 || '!' AND length(key) = length('contact ' || ?1) + 44
    ON CONFLICT DO NOTHING`);

  /** Returns how many entries are new. */
  function add(suppressions: readonly Suppression[]): number {
    const changes = suppressions.map(({ key, reason, addedAt, follows }) =>
      Number(insert.run(key, reason, addedAt, follows ?? null).changes),
    );
    return changes.reduce((sum, count) => sum + count, 0);
  }

  /** Adds entries by the key that each follows from. Returns the keys that are new. */
  function addFollowing(following: ReadonlyMap<string, string>, now: Date): string[] {
    return [...following].flatMap(([key, cause]) => (follow.run(key, now.toISOString(), cause).changes ? key : []));
  }

  /** The people of one record whom suppressions hide are those of another one, too. */
  function handOnPeople(from: string, to: string, now: Date): void {
    handOn.run(from, to, now.toISOString());
  }

  return { add, addFollowing, handOnPeople };
}
