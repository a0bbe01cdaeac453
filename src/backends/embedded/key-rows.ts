import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { StoredKey } from '#domain/plans/stored-key.ts';

/** Rows of `api_keys`, for code that writes keys within its own transaction. */

export function insertKey(database: DatabaseSync, key: StoredKey): void {
  database
    .prepare(`
      INSERT INTO api_keys (hash, prefix, tier, expires_at, email, order_id, created_at, revoked_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(key.hash, key.prefix, key.plan.tier, key.plan.expiresAt, key.email, key.orderId, key.createdAt, key.revokedAt);
}

/** Marks the key as revoked at this time, unless it already is. Returns whether the key exists. */
export function endKey(database: DatabaseSync, hash: string, at: string): boolean {
  const { changes } = database
    .prepare('UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE hash = ?')
    .run(at, hash);
  return changes > 0;
}

export function readKey(row: Record<string, SQLOutputValue>): StoredKey {
  return {
    hash: String(row.hash),
    prefix: String(row.prefix),
    plan: { tier: String(row.tier), expiresAt: String(row.expires_at) },
    email: row.email as string | null,
    orderId: row.order_id as string | null,
    createdAt: String(row.created_at),
    revokedAt: row.revoked_at as string | null,
  };
}
