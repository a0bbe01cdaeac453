import type { StoredKey } from '#domain/plans/stored-key.ts';

/**
 * API keys, identified by their HMAC. Every method fails with Problem `store_unavailable` if the store cannot be
 * reached.
 */
export interface KeyStore {
  save(key: StoredKey): Promise<void>;
  /** The key with this hash, revoked or not. */
  findByHash(hash: string): Promise<StoredKey | null>;
  /** Whether keys can be looked up now; never fails. */
  isReady(): Promise<boolean>;
  /** Keys whose shown prefix starts with this; all for an empty one. Newest first. */
  list(prefix: string): Promise<StoredKey[]>;
  /** Marks the key as revoked; one revoked earlier keeps its time. Returns whether the key existed. */
  revoke(hash: string, at: Date): Promise<boolean>;
}
