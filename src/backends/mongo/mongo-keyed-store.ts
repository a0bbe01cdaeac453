import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import type { KeyedKind, KeyedQuery, KeyedStore } from '#records/keyed-store.ts';
import { CallerReader } from './caller-reader.ts';
import { CollectionStore } from './collection-store.ts';
import { isDuplicateKey, storeUnavailable } from './mongo-faults.ts';

export interface KeyedDocument {
  _id: string;
  /** Another one after each write: a write says which it replaces. */
  version: string;
  owner: string | null;
  order: string;
  /** By the server's clock. */
  expires_at: Date | null;
  body: object;
}

/** How long a change keeps retrying against others, in milliseconds. */
const changeTimeoutMs = 10_000;

const isOver = { $and: [{ $ne: ['$expires_at', null] }, { $lte: ['$expires_at', '$$NOW'] }] };
const isThere = { $expr: { $not: [isOver] } };

/** The values of a kind in a collection of their own. */
export class MongoKeyedStore<Value extends object> extends CollectionStore<KeyedDocument> implements KeyedStore<Value> {
  readonly #kind: KeyedKind<Value>;
  readonly #callers = new CallerReader(this.collection);

  constructor(db: Db, kind: KeyedKind<Value>) {
    super(db.collection<KeyedDocument>(kind.name));
    this.#kind = kind;
  }

  async find(key: string): Promise<Value | null> {
    const query = { _id: key, ...isThere };
    const { isOfCaller } = this.#kind;
    const document = await this.run((values) => (isOfCaller ? this.#callers.find(query) : values.findOne(query)));
    return document && (document.body as Value);
  }

  async findMany(keys: readonly string[]): Promise<Map<string, Value>> {
    const documents = await this.run((values) => values.find({ _id: { $in: [...keys] }, ...isThere }).toArray());
    return new Map(documents.map(({ _id, body }) => [_id, body as Value]));
  }

  async list({ owner, from, limit = 0, without }: KeyedQuery = {}): Promise<Value[]> {
    const fitting = { ...(owner !== undefined && { owner }), ...(from !== undefined && { order: { $gte: from } }) };
    const projection = without === undefined ? {} : { [`body.${without}`]: 0 };
    const lastFirst = { sort: { order: -1, _id: -1 }, limit, projection } as const;
    const documents = await this.run((values) => values.find({ ...fitting, ...isThere }, lastFirst).toArray());
    return documents.map(({ body }) => body as Value);
  }

  change(key: string, decide: (value: Value | null) => Value | null): Promise<Value | null> {
    return this.run(async () => {
      const deadline = Date.now() + changeTimeoutMs;
      for (let tries = 0; ; tries += 1) {
        const [document] = await this.collection
          .aggregate<KeyedDocument & { isOver: boolean }>([{ $match: { _id: key } }, { $set: { isOver } }])
          .toArray();
        const value = document === undefined || document.isOver ? null : (document.body as Value);
        const next = decide(value);
        if (next === value || (await this.#replace(key, document?.version ?? null, next))) return next;
        if (Date.now() > deadline)
          throw storeUnavailable(new Error(`other processes keep changing a ${this.#kind.name}`));
        await pause(Math.random() * Math.min(tries * 5, 50));
      }
    });
  }

  /** Writes the value in place of this version; returns whether it was the one that stood there. */
  async #replace(key: string, version: string | null, value: Value | null): Promise<boolean> {
    const versionFilter = { _id: key, version: version ?? { $exists: false } };
    if (value === null) return (await this.collection.deleteOne(versionFilter)).deletedCount === 1;
    const { ownerOf, orderOf, livesMs } = this.#kind;
    const columns = { version: randomUUID(), owner: ownerOf?.(value) ?? null, order: orderOf(value), body: value };
    const expires_at = livesMs === undefined ? null : { $add: ['$$NOW', livesMs] };
    const steps = [{ $replaceWith: { _id: '$_id', expires_at, ...literally(columns) } }];
    try {
      const result = await this.collection.updateOne(versionFilter, steps, { upsert: version === null });
      return result.matchedCount + result.upsertedCount === 1;
    } catch (error) {
      // Another process wrote the first version.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}

/** In an update with steps, a text that begins with $ would name a field. */
function literally(columns: Omit<KeyedDocument, '_id' | 'expires_at'>): object {
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, { $literal: value }]));
}

export async function prepareKeyed(db: Db, name: string): Promise<void> {
  await db
    .collection(name)
    .createIndexes([
      { key: { order: -1, _id: -1 } },
      { key: { owner: 1, order: -1, _id: -1 } },
      { key: { expires_at: 1 }, expireAfterSeconds: 60 },
    ]);
}
