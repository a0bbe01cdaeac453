import { LRUCache } from 'lru-cache';
import type { KeyStore } from '#accounts/key-store.ts';
import { type StoredKey, secretOf } from '#accounts/stored-key.ts';
import { Problem } from '#src/problem.ts';
import { atMost } from '#text/memoize.ts';
import { type KeptKey, keepKey, keepSecrets, readKey } from '../stored-form.ts';
import { beginsWith, CollectionStore } from './collection-store.ts';

/** An API key as a document, with the HMAC of its first secret as `_id`. */
export interface KeyDocument extends KeptKey {
  _id: string;
  /** Its order does not name it yet, and may never do so; nobody has been given it. */
  is_provisional?: true;
  /** The revision of its order that last revoked or replaced it. */
  order_revision?: number;
  /** Counts the writes by orders that renew it. */
  renewal_writes?: number | null;
}

/**
 * How long a found key stays in the cache, in milliseconds. A revocation by another process applies here after this
 * time plus one lookup at most, which together stay below the promised five seconds.
 */
const cacheMs = 3_000;
/**
 * How long a key found on the primary may be accepted while the primary does not answer, in milliseconds: the time that it
 * was cached before, an election, and the new primary's wait for an old one that hangs (decisions/0056).
 */
const withoutPrimaryMs = 30_000;
const maxCached = 10_000;
/** How long a server may take to answer, in milliseconds: two are asked within a request's two seconds. */
const lookUpMs = 700;

interface CachedKey {
  key: StoredKey;
  /** By performance.now(). */
  foundAt: number;
}

/** API keys in a MongoDB collection, read from the primary. Found keys are cached briefly, missing ones never (decisions/0056). */
export class MongoKeyStore extends CollectionStore<KeyDocument> implements KeyStore {
  readonly #cache = new LRUCache<string, CachedKey>(atMost(maxCached));

  async save(key: StoredKey): Promise<void> {
    await this.run((keys) => keys.insertOne(documentOfKey(key)));
  }

  async findByHash(secret: string): Promise<StoredKey | null> {
    const cached = this.#cache.get(secret);
    if (cached !== undefined && isYounger(cached, cacheMs)) return cached.key;
    const foundAt = performance.now();
    try {
      const document = await this.run(() => this.#look('primary', secret));
      if (document === null) {
        this.#cache.delete(secret);
        return null;
      }
      const key = keyOfDocument(document);
      this.#cache.set(secret, { key, foundAt });
      return key;
    } catch (error) {
      if (!(error instanceof Problem) || cached === undefined) throw error;
      if (!isYounger(cached, withoutPrimaryMs)) throw error;
      return this.#confirm(cached.key, secret, error);
    }
  }

  async find(hash: string): Promise<StoredKey | null> {
    const document = await this.run((keys) => keys.findOne({ _id: hash }));
    return document && keyOfDocument(document);
  }

  /** Also while no server is primary: keys in use are known then, and searches need none. */
  async isReady(): Promise<boolean> {
    try {
      await Promise.any([this.#look('primary', ''), this.#look('secondary', '')]);
      return true;
    } catch {
      return false;
    }
  }

  async list(prefix: string): Promise<StoredKey[]> {
    const newestFirst = { sort: { created_at: -1, _id: 1 } } as const;
    const shown = { $or: [{ prefix: beginsWith(prefix) }, { retiring_prefix: beginsWith(prefix) }] };
    const documents = await this.run((keys) => keys.find(shown, newestFirst).toArray());
    return documents.map(keyOfDocument);
  }

  /** One write of the key's document, which applies only to the secrets that it was derived from. */
  async rotate(hash: string, rotate: (key: StoredKey) => StoredKey | null): Promise<StoredKey | null> {
    return this.run(async (keys) => {
      for (;;) {
        const document = await keys.findOne({ _id: hash });
        const rotated = document && rotate(keyOfDocument(document));
        if (document === null || rotated === null) return null;
        // Null also stands for a property that keys of earlier versions lack.
        const { secret_hash = null, retiring_hash = null, retiring_ends_at = null } = document;
        const from = { _id: hash, revoked_at: null, secret_hash, retiring_hash, retiring_ends_at };
        const { modifiedCount } = await keys.updateOne(from, { $set: keepSecrets(rotated) });
        this.forget(hash);
        if (modifiedCount === 1) return rotated;
      }
    });
  }

  async revoke(hash: string, at: Date): Promise<boolean> {
    const revocation = { $set: { revoked_at: { $ifNull: ['$revoked_at', at.toISOString()] } } };
    const { matchedCount } = await this.run((keys) => keys.updateOne({ _id: hash }, [revocation]));
    this.forget(hash);
    return matchedCount > 0;
  }

  /**
   * Asks a secondary about a key that the primary found recently, while the primary does not answer. The secondary can only
   * end the key: that it exists, and when it expires, was said by the primary.
   */
  async #confirm(key: StoredKey, secret: string, fault: Problem): Promise<StoredKey> {
    const shown = await this.#look('secondary', secret).catch(() => null);
    if (shown === null) throw fault;
    return stricterOf(key, keyOfDocument(shown), secret);
  }

  #look(readPreference: 'primary' | 'secondary', secret: string): Promise<KeyDocument | null> {
    const signal = AbortSignal.timeout(lookUpMs);
    // A secondary shows a revocation as soon as it has it, even if no primary confirms that a majority has it.
    const level = readPreference === 'primary' ? 'majority' : 'local';
    const holder = { $or: [{ _id: secret }, { secret_hash: secret }, { retiring_hash: secret }] };
    return this.collection.findOne(holder, { readPreference, readConcern: { level }, signal });
  }

  /** Drops the key from the cache under every secret, because it changed. */
  forget(hash: string): void {
    for (const [secret, { key }] of this.#cache.entries()) if (key.hash === hash) this.#cache.delete(secret);
  }
}

function isYounger({ foundAt }: CachedKey, ms: number): boolean {
  return performance.now() - foundAt < ms;
}

/** The more restrictive of two states of one key, for the holder of this secret. */
function stricterOf(one: StoredKey, other: StoredKey, secret: string): StoredKey {
  if (one.revokedAt !== null) return one;
  const isReplaced = secretOf(one) === secret && secretOf(other) !== secret;
  return isReplaced || other.revokedAt !== null || other.plan.expiresAt < one.plan.expiresAt ? other : one;
}

export function documentOfKey(key: StoredKey): KeyDocument {
  return { _id: key.hash, ...keepKey(key) };
}

export function keyOfDocument(document: KeyDocument): StoredKey {
  return readKey(document._id, document);
}
