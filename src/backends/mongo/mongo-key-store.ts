import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongodb';
import type { Tier } from '#domain/plans/plan.ts';
import type { StoredKey } from '#domain/plans/stored-key.ts';
import { Problem } from '#domain/problem.ts';
import type { KeyStore } from '#ports/key-store.ts';
import { beginsWith } from './begins-with.ts';
import { runOnMongo } from './mongo-faults.ts';

/** An API key as a document: its HMAC as `_id`, times as ISO 8601. */
export interface KeyDocument {
  _id: string;
  prefix: string;
  tier: Tier;
  expires_at: string;
  email: string | null;
  order_id: string | null;
  created_at: string;
  revoked_at: string | null;
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
export class MongoKeyStore implements KeyStore {
  readonly #keys: Collection<KeyDocument>;
  readonly #cache = new LRUCache<string, CachedKey>({ max: maxCached });

  constructor(keys: Collection<KeyDocument>) {
    this.#keys = keys;
  }

  async save(key: StoredKey): Promise<void> {
    await runOnMongo(() => this.#keys.insertOne(documentOfKey(key)));
  }

  async findByHash(hash: string): Promise<StoredKey | null> {
    const cached = this.#cache.get(hash);
    if (cached !== undefined && isYounger(cached, cacheMs)) return cached.key;
    const foundAt = performance.now();
    try {
      const document = await runOnMongo(() => this.#look('primary', hash));
      if (document === null) {
        this.forget(hash);
        return null;
      }
      const key = readKey(document);
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
    const newestFirst = { created_at: -1, _id: 1 } as const;
    const documents = await runOnMongo(() =>
      this.#keys
        .find({ prefix: beginsWith(prefix) })
        .sort(newestFirst)
        .toArray(),
    );
    return documents.map(readKey);
  }

  async revoke(hash: string, at: Date): Promise<boolean> {
    const { matchedCount } = await runOnMongo(() =>
      this.#keys.updateOne({ _id: hash }, [{ $set: { revoked_at: { $ifNull: ['$revoked_at', at.toISOString()] } } }]),
    );
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
    return stricterOf(key, readKey(shown));
  }

  #look(readPreference: 'primary' | 'secondary', hash: string): Promise<KeyDocument | null> {
    const signal = AbortSignal.timeout(lookUpMs);
    // A secondary shows a revocation as soon as it has it, even if no primary confirms that a majority has it.
    const level = readPreference === 'primary' ? 'majority' : 'local';
    return this.#keys.findOne({ _id: hash }, { readPreference, readConcern: { level }, signal });
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
  return {
    _id: key.hash,
    prefix: key.prefix,
    tier: key.plan.tier,
    expires_at: key.plan.expiresAt,
    email: key.email,
    order_id: key.orderId,
    created_at: key.createdAt,
    revoked_at: key.revokedAt,
  };
}

function readKey(document: KeyDocument): StoredKey {
  return {
    hash: document._id,
    prefix: document.prefix,
    plan: { tier: document.tier, expiresAt: document.expires_at },
    email: document.email,
    orderId: document.order_id,
    createdAt: document.created_at,
    revokedAt: document.revoked_at,
  };
}
