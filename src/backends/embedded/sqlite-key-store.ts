import type { DatabaseSync } from 'node:sqlite';
import type { StoredKey } from '#domain/plans/stored-key.ts';
import type { KeyStore } from '#ports/key-store.ts';
import { endKey, insertKey, readKey } from './key-rows.ts';
import { runOnStore } from './sqlite-errors.ts';

/** API keys in SQLite. */
export class SqliteKeyStore implements KeyStore {
  readonly #database: DatabaseSync;
  readonly #selectByHash;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#selectByHash = database.prepare('SELECT * FROM api_keys WHERE hash = ?');
  }

  save(key: StoredKey): Promise<void> {
    return runOnStore(() => insertKey(this.#database, key));
  }

  findByHash(hash: string): Promise<StoredKey | null> {
    return runOnStore(() => {
      const row = this.#selectByHash.get(hash);
      return row ? readKey(row) : null;
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
      this.#database
        .prepare('SELECT * FROM api_keys WHERE substr(prefix, 1, length(?1)) = ?1 ORDER BY created_at DESC, hash')
        .all(prefix)
        .map(readKey),
    );
  }

  revoke(hash: string, at: Date): Promise<boolean> {
    return runOnStore(() => endKey(this.#database, hash, at.toISOString()));
  }
}
