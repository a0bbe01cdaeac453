import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Push } from '#domain/outbound/push.ts';
import type { PushLog } from '#ports/push-log.ts';
import { runOnStore } from './sqlite-errors.ts';

/** The push log in SQLite. */
export class SqlitePushLog implements PushLog {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async save(push: Push): Promise<void> {
    await runOnStore(() =>
      this.#database
        .prepare(`
          INSERT OR REPLACE INTO pushes
            (id, key_hash, key_prefix, tool, campaign_id, status, counts, details, failure, started_at, updated_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
        .run(
          push.id,
          push.keyHash,
          push.keyPrefix,
          push.tool,
          push.campaignId,
          push.status,
          JSON.stringify(push.counts),
          JSON.stringify(push.details),
          push.failure && JSON.stringify(push.failure),
          push.startedAt,
          push.updatedAt,
        ),
    );
  }

  async find(id: string): Promise<Push | null> {
    const row = await runOnStore(() => this.#database.prepare('SELECT * FROM pushes WHERE id = ?').get(id));
    return row === undefined ? null : readPush(row);
  }

  async list(limit: number): Promise<Push[]> {
    const rows = await runOnStore(() =>
      this.#database.prepare('SELECT * FROM pushes ORDER BY started_at DESC, id DESC LIMIT ?').all(limit),
    );
    return rows.map(readPush);
  }

  async purge(before: Date): Promise<number> {
    const at = before.toISOString();
    const { changes } = await runOnStore(() =>
      // Pushes that are old started before then, which the index of list() finds.
      this.#database.prepare('DELETE FROM pushes WHERE started_at < ? AND updated_at < ?').run(at, at),
    );
    return Number(changes);
  }
}

function readPush(row: Record<string, SQLOutputValue>): Push {
  return {
    id: String(row.id),
    keyHash: String(row.key_hash),
    keyPrefix: String(row.key_prefix),
    tool: row.tool as Push['tool'],
    campaignId: String(row.campaign_id),
    status: row.status as Push['status'],
    counts: JSON.parse(String(row.counts)),
    details: JSON.parse(String(row.details)),
    failure: row.failure === null ? null : JSON.parse(String(row.failure)),
    startedAt: String(row.started_at),
    updatedAt: String(row.updated_at),
  };
}
