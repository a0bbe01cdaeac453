import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Tier } from '#domain/plan.ts';
import type { StoredKey } from '#domain/stored-key.ts';
import type { KeyStore } from '#ports/key-store.ts';

/** API keys in SQLite. */
export class SqliteKeyStore implements KeyStore {
  readonly #database: DatabaseSync;
  readonly #selectByHash;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#selectByHash = database.prepare('SELECT * FROM api_keys WHERE hash = ?');
  }

  async save(key: StoredKey): Promise<void> {
    this.#database
      .prepare(`
        INSERT INTO api_keys (hash, prefix, tier, expires_at, email, order_id, created_at, revoked_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
      .run(
        key.hash,
        key.prefix,
        key.plan.tier,
        key.plan.expiresAt,
        key.email,
        key.orderId,
        key.createdAt,
        key.revokedAt,
      );
  }

  async findByHash(hash: string): Promise<StoredKey | null> {
    const row = this.#selectByHash.get(hash);
    return row ? readKey(row) : null;
  }

  async list(prefix: string): Promise<StoredKey[]> {
    return this.#database
      .prepare('SELECT * FROM api_keys WHERE substr(prefix, 1, length(?1)) = ?1 ORDER BY created_at DESC, hash')
      .all(prefix)
      .map(readKey);
  }

  async revoke(hash: string, at: Date): Promise<boolean> {
    const { changes } = this.#database
      .prepare('UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE hash = ?')
      .run(at.toISOString(), hash);
    return changes > 0;
  }
}

function readKey(row: Record<string, SQLOutputValue>): StoredKey {
  return {
    hash: String(row.hash),
    prefix: String(row.prefix),
    plan: { tier: row.tier as Tier, expiresAt: String(row.expires_at) },
    email: row.email as string | null,
    orderId: row.order_id as string | null,
    createdAt: String(row.created_at),
    revokedAt: row.revoked_at as string | null,
  };
}
