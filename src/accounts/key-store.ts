import type { StoredKey } from './stored-key.ts';

/**
 * API keys, identified by the HMAC of their first secret. Every method fails with Problem `store_unavailable` if the store cannot be
 * reached.
 */
export interface KeyStore {
  save(key: StoredKey): Promise<void>;
  /** The key that the secret with this HMAC opens, or opened until it was replaced or revoked. */
  findByHash(secret: string): Promise<StoredKey | null>;
  /** The key itself as it is now, also if this process knew it a moment ago. Null if there is none. */
  find(hash: string): Promise<StoredKey | null>;
  /**
   * Writes the secrets that `rotate` gives the key's current state, in one atomic step; nothing if it returns null. It
   * may be called again if another process changed the key meanwhile. Null if nothing was written.
   */
  rotate(hash: string, rotate: (key: StoredKey) => StoredKey | null): Promise<StoredKey | null>;
  /** Whether keys can be looked up now; never fails. */
  isReady(): Promise<boolean>;
  /** Keys with a secret whose shown prefix starts with this; all for an empty one. Newest first. */
  list(prefix: string): Promise<StoredKey[]>;
  /** Marks the key as revoked, with all its secrets; one revoked earlier keeps its time. Returns whether the key existed. */
  revoke(hash: string, at: Date): Promise<boolean>;
}
