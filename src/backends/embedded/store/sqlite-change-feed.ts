import type { DatabaseSync } from 'node:sqlite';
import type { ChangeFeed, FeedEntry, FeedPage, FeedPosition, FeedQuery } from '#records/change-feed.ts';
import { appearanceOf, leftBy } from '#records/change-feed.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { Kind } from '#records/vocabularies.ts';
import { SqliteStore } from '../sqlite-store.ts';

/** The feed in SQLite. The transactions that change the index write it, so it is always as far as the index. */
export class SqliteChangeFeed extends SqliteStore implements ChangeFeed {
  async findPosition(): Promise<FeedPosition> {
    const last = await this.first<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'change_feed'");
    return { version: last?.seq ?? 0, index: 'embedded' };
  }

  async read({ after, since, upTo, kinds, limit }: FeedQuery): Promise<FeedPage> {
    const select = `
      SELECT id, kind, leads_to, version, noted_at FROM change_feed
      WHERE version > ?1 AND version <= ?2 AND (
        kind IN (SELECT value FROM json_each(?3))
        OR EXISTS (SELECT 1 FROM json_each(left_kinds) WHERE value > ?5 AND key IN (SELECT value FROM json_each(?3))))
      ORDER BY version LIMIT ?4`;
    const rows = await this.all<Omit<FeedEntry, 'notedAt'> & { notedAt: number }>(
      select,
      after,
      upTo,
      JSON.stringify(kinds),
      limit,
      since,
    );
    return { entries: rows.map(({ notedAt, ...entry }) => ({ ...entry, notedAt: new Date(notedAt) })), since: upTo };
  }

  purge(before: Date): Promise<number> {
    return this.run('DELETE FROM change_feed WHERE kind IS NULL AND noted_at < ?', before.getTime());
  }
}

/**
 * Notes what the API shows of a record from now on, null for nothing, or where its id leads. That is an entry only if it was
 * otherwise before. Belongs into the transaction that changes the index.
 */
export function feedWriter(database: DatabaseSync) {
  const find = database.prepare('SELECT kind, shown_at, leads_to, left_kinds FROM change_feed WHERE id = ?');
  const write = database.prepare(
    'REPLACE INTO change_feed (id, kind, shown_at, leads_to, noted_at) VALUES (?, ?, ?, ?, ?)',
  );
  const noteLeft = database.prepare('UPDATE change_feed SET left_kinds = ? WHERE version = ?');
  const unknown = { kind: null, shown_at: null, leads_to: null, left_kinds: null };
  return (id: string, visible: MediaRecord | null, leadsTo: string | null = null): void => {
    const before = find.get(id) ?? unknown;
    const { kind, updatedAt } = appearanceOf(id, visible);
    if (before.shown_at === updatedAt && before.leads_to === leadsTo) return;
    const version = Number(write.run(id, kind, updatedAt, leadsTo, Date.now()).lastInsertRowid);
    const earlier = { kind: before.kind as Kind | null, left: JSON.parse(String(before.left_kinds ?? '{}')) };
    const left = leftBy(version, kind, earlier);
    if (Object.keys(left).length > 0) noteLeft.run(JSON.stringify(left), version);
  };
}
