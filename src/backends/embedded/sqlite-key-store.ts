import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { KeyStore } from '#accounts/key-store.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { type KeptKey, keepKey, keepPlan, keepSecrets, readKey } from '../stored-form.ts';
import { runOnStore } from './sqlite-errors.ts';
import { insertInto, SqliteStore } from './sqlite-store.ts';

/** API keys in SQLite. */
export class SqliteKeyStore extends SqliteStore implements KeyStore {
  readonly #selectByHash;

  constructor(database: DatabaseSync) {
    super(database);
    this.#selectByHash = database.prepare(
      'SELECT * FROM api_keys WHERE hash = ?1 OR secret_hash = ?1 OR retiring_hash = ?1',
    );
  }

  save(key: StoredKey): Promise<void> {
    return runOnStore(() => insertKey(this.database, key));
  }

  find(hash: string): Promise<StoredKey | null> {
    return runOnStore(() => findKey(this.database, hash));
  }

  findByHash(secret: string): Promise<StoredKey | null> {
    return runOnStore(() => readRow(this.#selectByHash.get(secret)));
  }

  rotate(hash: string, rotate: (key: StoredKey) => StoredKey | null): Promise<StoredKey | null> {
    return this.transact(() => {
      const key = findKey(this.database, hash);
      const rotated = key && rotate(key);
      if (rotated === null) return null;
      update(this.database, hash, keepSecrets(rotated));
      return rotated;
    });
  }

  async isReady(): Promise<boolean> {
    return this.findByHash('').then(
      () => true,
      () => false,
    );
  }

  list(prefix: string): Promise<StoredKey[]> {
    return runOnStore(() =>
      this.database
        .prepare(
          `SELECT * FROM api_keys
           WHERE substr(prefix, 1, length(?1)) = ?1 OR substr(retiring_prefix, 1, length(?1)) = ?1
           ORDER BY created_at DESC, hash`,
        )
        .all(prefix)
        .flatMap((row) => readRow(row) ?? []),
    );
  }

  revoke(hash: string, at: Date): Promise<boolean> {
    return runOnStore(() => endKey(this.database, hash, at.toISOString()));
  }
}

/** Adds a key, within a transaction. */
export function insertKey(database: DatabaseSync, key: StoredKey): void {
  insertInto(database, 'api_keys', { hash: key.hash, ...keepKey(key) });
}

/** Marks the key as revoked at this time, unless it already is. Returns whether the key exists. */
export function endKey(database: DatabaseSync, hash: string, at: string): boolean {
  const { changes } = database
    .prepare('UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE hash = ?')
    .run(at, hash);
  return changes > 0;
}

/** The key with this identity; null if there is none. */
export function findKey(database: DatabaseSync, hash: string): StoredKey | null {
  return readRow(database.prepare('SELECT * FROM api_keys WHERE hash = ?').get(hash));
}

/** Gives a key other secrets, and ends a revocation, within a transaction. */
export function writeSecrets(database: DatabaseSync, key: StoredKey): void {
  update(database, key.hash, { ...keepSecrets(key), revoked_at: key.revokedAt });
}

/** Moves the end of a key's plan, within a transaction. */
export function writePlan(database: DatabaseSync, key: StoredKey): void {
  update(database, key.hash, keepPlan(key));
}

function update(database: DatabaseSync, hash: string, row: Record<string, SQLInputValue>): void {
  const updates = Object.keys(row).map((column) => `${column} = :${column}`);
  database.prepare(`UPDATE api_keys SET ${updates.join(', ')} WHERE hash = :hash`).run({ ...row, hash });
}

function readRow(row: Record<string, SQLOutputValue> | undefined): StoredKey | null {
  return row === undefined ? null : readKey(String(row.hash), row as unknown as KeptKey);
}
