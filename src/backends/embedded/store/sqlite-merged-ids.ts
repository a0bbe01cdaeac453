import type { MergedId, MergedIds } from '#records/record-store.ts';
import { runOnStore } from '../sqlite-errors.ts';
import { SqliteStore } from '../sqlite-store.ts';

const columns = 'id, kept_id, change_set, merged_at';

/** Merged ids in SQLite. Writes belong into a transaction of the records. */
export class SqliteMergedIds extends SqliteStore implements MergedIds {
  readonly #find = this.database.prepare('SELECT kept_id FROM merged_ids WHERE id = ?');
  readonly #findAny = this.database.prepare('SELECT 1 FROM merged_ids LIMIT 1');
  readonly #findLeading = this.database.prepare('SELECT 1 FROM merged_ids WHERE kept_id = ? LIMIT 1');
  readonly #remove = this.database.prepare('DELETE FROM merged_ids WHERE id = ?');

  async resolve(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return runOnStore(() => {
      if (this.#findAny.get() === undefined) return new Map();
      const pairs = ids.map((id) => [id, this.follow(id)] as const);
      return new Map(pairs.filter((pair): pair is [string, string] => pair[1] !== null));
    });
  }

  find(id: string): Promise<MergedId | null> {
    return this.first<MergedId>(`SELECT ${columns} FROM merged_ids WHERE id = ?`, id);
  }

  async listLeadingTo(ids: readonly string[]): Promise<string[]> {
    const rows = await this.all<{ id: string }>(
      `
      WITH RECURSIVE leading (id) AS (
        SELECT id FROM merged_ids WHERE kept_id IN (SELECT value FROM json_each(?))
        UNION
        SELECT merged_ids.id FROM merged_ids JOIN leading ON kept_id = leading.id
      )
      SELECT id FROM leading ORDER BY id`,
      JSON.stringify(ids),
    );
    return rows.map(({ id }) => id);
  }

  /** The id that this one leads to; null if it was not merged. */
  follow(id: string): string | null {
    let keptId: string | null = null;
    for (let row = this.#find.get(id); row !== undefined; row = this.#find.get(keptId)) keptId = String(row.kept_id);
    return keptId;
  }

  /** Whether another record was merged into the one with this id. */
  isKept(id: string): boolean {
    return this.#findLeading.get(id) !== undefined;
  }

  /** The kept record has an id of its own, so no merge can lead back to where it came from. */
  add({ id, keptId, changeSet, mergedAt }: MergedId): void {
    this.release(keptId);
    this.database
      .prepare(`REPLACE INTO merged_ids (${columns}) VALUES (?, ?, ?, ?)`)
      .run(id, keptId, changeSet, mergedAt);
  }

  /** Makes an id lead nowhere else, because there is a record with it again. */
  release(id: string): void {
    this.#remove.run(id);
  }
}
