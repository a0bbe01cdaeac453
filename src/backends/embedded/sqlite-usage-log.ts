import type { UsageDay } from '#accounts/usage.ts';
import type { UsageEntry, UsageLog } from '#accounts/usage-log.ts';
import { insertAll, SqliteStore } from './sqlite-store.ts';

/** The use of keys in SQLite: one row a key and day. */
export class SqliteUsageLog extends SqliteStore implements UsageLog {
  async add(entries: readonly UsageEntry[]): Promise<void> {
    const add = `
      (key_hash, date) DO UPDATE SET
        requests = requests + excluded.requests,
        exported_rows = exported_rows + excluded.exported_rows,
        pushed_leads = pushed_leads + excluded.pushed_leads,
        last_used_at = max(last_used_at, excluded.last_used_at)`;
    await this.transact(() => insertAll(this.database, 'key_usage', entries, add));
  }

  list(keyHash: string, since: string): Promise<UsageDay[]> {
    return this.all<UsageDay>(
      `SELECT date, requests, exported_rows, pushed_leads FROM key_usage
       WHERE key_hash = ? AND date >= ? ORDER BY date`,
      keyHash,
      since,
    );
  }

  async listLastUses(): Promise<Map<string, string>> {
    const rows = await this.all<{ keyHash: string; at: string }>(
      'SELECT key_hash, max(last_used_at) AS at FROM key_usage GROUP BY key_hash',
    );
    return new Map(rows.map(({ keyHash, at }) => [keyHash, at]));
  }

  purge(before: string): Promise<number> {
    return this.run('DELETE FROM key_usage WHERE date < ?', before);
  }
}
