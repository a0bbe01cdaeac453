import type { StoredKey } from '#domain/plans/stored-key.ts';

/** API keys, known by their HMAC. Every method fails with Problem `store_unavailable` when the store is out of reach. */
export interface KeyStore {
  save(key: StoredKey): Promise<void>;
  /** The key with this hash, revoked or not. */
  findByHash(hash: string): Promise<StoredKey | null>;
  /** Whether keys can be looked up now; never fails. */
  isReady(): Promise<boolean>;
  /** Keys whose shown prefix begins so; all with an empty one. Newest first. */
  list(prefix: string): Promise<StoredKey[]>;
  /** Marks the key as revoked; one that already is keeps its time. Answers whether there was such a key. */
  revoke(hash: string, at: Date): Promise<boolean>;
}
