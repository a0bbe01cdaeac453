import type { Push, PushLog } from '#outbound/push.ts';
import { SqliteStore } from './sqlite-store.ts';

type JsonColumn = 'counts' | 'details' | 'failure';
type PushRow = Omit<Push, JsonColumn> & Record<JsonColumn, string | null>;

/** The push log in SQLite. */
export class SqlitePushLog extends SqliteStore implements PushLog {
  async save({ counts, details, failure, ...push }: Push): Promise<void> {
    const json = {
      counts: JSON.stringify(counts),
      details: JSON.stringify(details),
      failure: failure && JSON.stringify(failure),
    };
    await this.insert('pushes', { ...push, ...json }, 'REPLACE');
  }

  async find(id: string): Promise<Push | null> {
    const row = await this.first<PushRow>('SELECT * FROM pushes WHERE id = ?', id);
    return row && readPush(row);
  }

  async list(limit: number): Promise<Push[]> {
    const rows = await this.all<PushRow>('SELECT * FROM pushes ORDER BY started_at DESC, id DESC LIMIT ?', limit);
    return rows.map(readPush);
  }

  async purge(before: Date): Promise<number> {
    const at = before.toISOString();
    // Pushes that are old started before then, which the index of list() finds.
    return this.run('DELETE FROM pushes WHERE started_at < ? AND updated_at < ?', at, at);
  }
}

function readPush({ counts, details, failure, ...push }: PushRow): Push {
  const read = (json: string | null) => (json === null ? null : JSON.parse(json));
  return { ...push, counts: read(counts), details: read(details), failure: read(failure) };
}
