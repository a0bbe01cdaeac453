import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongodb';
import type { Tier } from '#domain/plans/plan.ts';
import type { StoredKey } from '#domain/plans/stored-key.ts';
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
const rememberedMs = 3_000;
const mostRemembered = 10_000;
/** How long a server may take to answer, in milliseconds: two are asked within a request's two seconds. */
const lookUpMs = 700;

/** API keys in a MongoDB collection. Found keys are cached briefly, missing ones never. */
export class MongoKeyStore implements KeyStore {
  readonly #keys: Collection<KeyDocument>;
  readonly #remembered = new LRUCache<string, StoredKey>({ max: mostRemembered, ttl: rememberedMs });

  constructor(keys: Collection<KeyDocument>) {
    this.#keys = keys;
  }

  async save(key: StoredKey): Promise<void> {
    await runOnMongo(() => this.#keys.insertOne(documentOfKey(key)));
  }

  async findByHash(hash: string): Promise<StoredKey | null> {
    const remembered = this.#remembered.get(hash);
    if (remembered !== undefined) return remembered;
    const document = await runOnMongo(() => this.#findDocument(hash));
    if (document === null) return null;
    const key = readKey(document);
    this.#remembered.set(hash, key);
    return key;
  }

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
   * Reads from the primary. While that does not answer, as during an election, it asks a secondary and trusts it if it
   * knows the key: keys can be neither created nor revoked meanwhile. A key that it does not know may be too new for
   * it.
   */
  async #findDocument(hash: string): Promise<KeyDocument | null> {
    try {
      return await this.#look('primary', hash);
    } catch (error) {
      const found = await this.#look('secondary', hash).catch(() => null);
      if (found === null) throw error;
      return found;
    }
  }

  #look(readPreference: 'primary' | 'secondary', hash: string): Promise<KeyDocument | null> {
    const signal = AbortSignal.timeout(lookUpMs);
    return this.#keys.findOne({ _id: hash }, { readPreference, readConcern: { level: 'majority' }, signal });
  }

  /** Drops the key from the cache because it changed. */
  forget(hash: string): void {
    this.#remembered.delete(hash);
  }
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
