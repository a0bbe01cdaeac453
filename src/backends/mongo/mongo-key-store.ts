import { LRUCache } from 'lru-cache';
import { type KeptKey, keepKey, readKey } from '#backends/stored-form.ts';
import type { StoredKey } from '#domain/plans/stored-key.ts';
import { Problem } from '#domain/problem.ts';
import type { KeyStore } from '#ports/key-store.ts';
import { beginsWith, CollectionStore } from './collection-store.ts';

/** An API key as a document, with its HMAC as `_id`. */
export interface KeyDocument extends KeptKey {
  _id: string;
  /** Its order does not name it yet, and may never do so; nobody has been given it. */
  is_provisional?: true;
}

/**
 * How long a found key stays in the cache, in milliseconds. A revocation by another process applies here after this
 * time plus one lookup at most, which together stay below the promised five seconds.
 */
const cacheMs = 3_000;
/**
 * How long a key found on the primary may be accepted while the primary does not answer, in milliseconds: the time that it
 * was cached before, an election, and the new primary's wait for an old one that hangs (decisions/0068).
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

/** API keys in a MongoDB collection, read from the primary. Found keys are cached briefly, missing ones never (decisions/0056, 0068). */
export class MongoKeyStore extends CollectionStore<KeyDocument> implements KeyStore {
  readonly #cache = new LRUCache<string, CachedKey>({ max: maxCached });

  async save(key: StoredKey): Promise<void> {
    await this.run((keys) => keys.insertOne(documentOfKey(key)));
  }

  async findByHash(hash: string): Promise<StoredKey | null> {
    const cached = this.#cache.get(hash);
    if (cached !== undefined && isYounger(cached, cacheMs)) return cached.key;
    const foundAt = performance.now();
    try {
      const document = await this.run(() => this.#look('primary', hash));
      if (document === null) {
        this.forget(hash);
        return null;
      }
      const key = keyOfDocument(document);
      this.#cache.set(hash, { key, foundAt });
      return key;
    } catch (error) {
      if (!(error instanceof Problem) || cached === undefined) throw error;
      if (!isYounger(cached, withoutPrimaryMs)) throw error;
      return this.#confirm(cached.key, error);
    }
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
    const documents = await this.run((keys) => keys.find({ prefix: beginsWith(prefix) }, newestFirst).toArray());
    return documents.map(keyOfDocument);
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
  async #confirm(key: StoredKey, fault: Problem): Promise<StoredKey> {
    const shown = await this.#look('secondary', key.hash).catch(() => null);
    if (shown === null) throw fault;
    return stricterOf(key, keyOfDocument(shown));
  }

  #look(readPreference: 'primary' | 'secondary', hash: string): Promise<KeyDocument | null> {
    const signal = AbortSignal.timeout(lookUpMs);
    // A secondary shows a revocation as soon as it has it, even if no primary confirms that a majority has it.
    const level = readPreference === 'primary' ? 'majority' : 'local';
    return this.collection.findOne({ _id: hash }, { readPreference, readConcern: { level }, signal });
  }

  /** Drops the key from the cache because it changed. */
  forget(hash: string): void {
    this.#cache.delete(hash);
  }
}

function isYounger({ foundAt }: CachedKey, ms: number): boolean {
  return performance.now() - foundAt < ms;
}

/** The more restrictive of two states of one key. */
function stricterOf(one: StoredKey, other: StoredKey): StoredKey {
  if (one.revokedAt !== null) return one;
  return other.revokedAt !== null || other.plan.expiresAt < one.plan.expiresAt ? other : one;
}

export function documentOfKey(key: StoredKey): KeyDocument {
  return { _id: key.hash, ...keepKey(key) };
}

function keyOfDocument(document: KeyDocument): StoredKey {
  return readKey(document._id, document);
}
