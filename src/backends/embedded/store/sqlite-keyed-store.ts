import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { KeyedKind, KeyedQuery, KeyedStore } from '#records/keyed-store.ts';
import { SqliteStore } from '../sqlite-store.ts';

const write = `INSERT INTO keyed (kind, key, owner, place, expires_at, body) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (kind, key) DO UPDATE SET owner = excluded.owner, place = excluded.place, expires_at = excluded.expires_at,
    body = excluded.body`;
const isThere = '(expires_at IS NULL OR expires_at > ?)';

export function writeKeyed<Value extends object>(
  database: DatabaseSync,
  { name, ownerOf, orderOf, livesMs }: KeyedKind<Value>,
  key: string,
  value: Value,
): void {
  const end = livesMs === undefined ? null : Date.now() + livesMs;
  database.prepare(write).run(name, key, ownerOf?.(value) ?? null, orderOf(value), end, JSON.stringify(value));
}

/** The values of a kind in the table that all kinds share. */
export class SqliteKeyedStore<Value extends object> extends SqliteStore implements KeyedStore<Value> {
  readonly #kind: KeyedKind<Value>;

  constructor(database: DatabaseSync, kind: KeyedKind<Value>) {
    super(database);
    this.#kind = kind;
  }

  async find(key: string): Promise<Value | null> {
    return (await this.#select('key = ?', [key]))[0] ?? null;
  }

  async findMany(keys: readonly string[]): Promise<Map<string, Value>> {
    const rows = await this.all<{ key: string; body: string }>(
      `SELECT key, body FROM keyed WHERE kind = ? AND key IN (SELECT value FROM json_each(?)) AND ${isThere}`,
      this.#kind.name,
      JSON.stringify(keys),
      Date.now(),
    );
    return new Map(rows.map(({ key, body }) => [key, JSON.parse(body) as Value]));
  }

  async list({ owner, from = '', limit = -1, without }: KeyedQuery = {}): Promise<Value[]> {
    const fitting = owner === undefined ? [] : [owner];
    const column = without === undefined ? 'body' : `json_remove(body, '$.${without}') AS body`;
    return this.#select(`${owner === undefined ? '' : 'owner = ? AND '}place >= ?`, [...fitting, from], limit, column);
  }

  change(key: string, decide: (value: Value | null) => Value | null): Promise<Value | null> {
    return this.transact(() => {
      const { name } = this.#kind;
      const now = Date.now();
      const row = this.database
        .prepare(`SELECT body FROM keyed WHERE kind = ? AND key = ? AND ${isThere}`)
        .get(name, key, now);
      const value = row === undefined ? null : (JSON.parse(String(row.body)) as Value);
      const next = decide(value);
      if (next === value) return value;
      this.database.prepare('DELETE FROM keyed WHERE expires_at <= ?').run(now);
      if (next === null) this.database.prepare('DELETE FROM keyed WHERE kind = ? AND key = ?').run(name, key);
      else writeKeyed(this.database, this.#kind, key, next);
      return next;
    });
  }

  async #select(condition: string, values: readonly SQLInputValue[], limit = 1, column = 'body'): Promise<Value[]> {
    const lastFirst = `SELECT ${column} FROM keyed WHERE kind = ? AND ${condition} AND ${isThere}
      ORDER BY place DESC, key DESC LIMIT ?`;
    const rows = await this.all<{ body: string }>(lastFirst, this.#kind.name, ...values, Date.now(), limit);
    return rows.map(({ body }) => JSON.parse(body) as Value);
  }
}
