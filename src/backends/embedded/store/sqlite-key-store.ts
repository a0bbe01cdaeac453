import type { DatabaseSync } from 'node:sqlite';
import type { KeyStore, StoredKey } from '#accounts/stored-key.ts';
import { runOnStore } from '../sqlite-errors.ts';
import { SqliteStore } from '../sqlite-store.ts';

export class SqliteKeyStore extends SqliteStore implements KeyStore {
  readonly #findByHash = this.database.prepare(
    'SELECT body FROM api_keys WHERE hash = ?1 OR secret_hash = ?1 OR retiring_hash = ?1',
  );

  async save(key: StoredKey): Promise<void> {
    await this.run('INSERT INTO api_keys (hash, body) VALUES (?, ?)', key.hash, JSON.stringify(key));
  }

  find(hash: string): Promise<StoredKey | null> {
    return runOnStore(() => findKey(this.database, hash));
  }

  findByHash(secret: string): Promise<StoredKey | null> {
    return runOnStore(() => readBody<StoredKey>(this.#findByHash.get(secret)));
  }

  change(hash: string, decide: (key: StoredKey) => StoredKey | null): Promise<StoredKey | null> {
    return this.transact(() => {
      const stored = findKey(this.database, hash);
      const key = stored && decide(stored);
      if (key !== null) writeKey(this.database, key);
      return key;
    });
  }

  async list(prefix: string, email: string | null = null): Promise<StoredKey[]> {
    const select = `SELECT body FROM api_keys
      WHERE (substr(body ->> 'prefix', 1, length(?1)) = ?1 OR substr(body -> 'retiring' ->> 'prefix', 1, length(?1)) = ?1)
        AND (?2 IS NULL OR lower(body ->> 'email') = lower(?2))
      ORDER BY body ->> 'createdAt' DESC, hash`;
    return (await this.all<{ body: string }>(select, prefix, email)).map(({ body }) => JSON.parse(body));
  }
}

export function readBody<Value>(row: Record<string, unknown> | undefined): Value | null {
  return row === undefined ? null : JSON.parse(String(row.body));
}

export function findKey(database: DatabaseSync, hash: string): StoredKey | null {
  return readBody(database.prepare('SELECT body FROM api_keys WHERE hash = ?').get(hash));
}

/** Writes a key that exists, within a transaction. */
export function writeKey(database: DatabaseSync, key: StoredKey): void {
  database.prepare('UPDATE api_keys SET body = ? WHERE hash = ?').run(JSON.stringify(key), key.hash);
}
