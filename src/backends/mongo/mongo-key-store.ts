import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { furtherKeyKind } from '#accounts/further-key.ts';
import type { KeyStore, StoredKey } from '#accounts/stored-key.ts';
import { atMost } from '#text/memoize.ts';
import { CallerReader } from './caller-reader.ts';
import { beginsWith, CollectionStore, hasEmail } from './collection-store.ts';
import type { KeyedDocument } from './mongo-keyed-store.ts';

/** An API key, with the HMAC of its first secret as `_id`. */
export interface KeyDocument {
  _id: string;
  /** Another one after each write: a write says which it replaces. */
  version: string;
  body: StoredKey;
}

/** In milliseconds. A revocation elsewhere applies after this and one lookup: below the promised five seconds. */
const cacheMs = 3_000;
const maxCached = 10_000;

/** API keys in a MongoDB collection. Found keys are cached briefly, missing ones never (decisions/0056). */
export class MongoKeyStore extends CollectionStore<KeyDocument> implements KeyStore {
  readonly #cache = new LRUCache<string, StoredKey>({ ...atMost(maxCached), ttl: cacheMs });
  readonly #callers = new CallerReader(this.collection);
  readonly #furtherKeys = new CallerReader(this.collection.db.collection<KeyedDocument>(furtherKeyKind.name));

  async save(key: StoredKey): Promise<void> {
    await this.run((keys) => keys.insertOne(documentOfKey(key)));
  }

  async findByHash(secret: string): Promise<StoredKey | null> {
    const cached = this.#cache.get(secret);
    if (cached !== undefined) return cached;
    const holder = { $or: [{ _id: secret }, { 'body.secretHash': secret }, { 'body.retiring.hash': secret }] };
    const isFurther = async () => (await this.#furtherKeys.find({ _id: secret })) !== null;
    const key = (await this.run(() => this.#callers.find(holder, isFurther)))?.body ?? null;
    if (key !== null) this.#cache.set(secret, key);
    return key;
  }

  async find(hash: string): Promise<StoredKey | null> {
    return (await this.run((keys) => keys.findOne({ _id: hash })))?.body ?? null;
  }

  async list(prefix: string, email?: string): Promise<StoredKey[]> {
    const newestFirst = { sort: { 'body.createdAt': -1, _id: 1 } } as const;
    const matching = {
      $or: [{ 'body.prefix': beginsWith(prefix) }, { 'body.retiring.prefix': beginsWith(prefix) }],
      ...(email !== undefined && hasEmail(email)),
    };
    return (await this.run((keys) => keys.find(matching, newestFirst).toArray())).map(({ body }) => body);
  }

  change(hash: string, decide: (key: StoredKey) => StoredKey | null): Promise<StoredKey | null> {
    return this.run(async (keys) => {
      for (;;) {
        const document = await keys.findOne({ _id: hash });
        const key = document && decide(document.body);
        if (document === null || key === null) return null;
        const { modifiedCount } = await keys.replaceOne({ _id: hash, version: document.version }, documentOfKey(key));
        this.forget();
        if (modifiedCount === 1) return key;
      }
    });
  }

  forget(): void {
    this.#cache.clear();
  }
}

export function documentOfKey(key: StoredKey): KeyDocument {
  return { _id: key.hash, version: randomUUID(), body: key };
}
