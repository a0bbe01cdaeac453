import type { ClientSession, Collection } from 'mongodb';
import {
  contactKeyAt,
  recordOfKey,
  type Suppressible,
  type Suppression,
  type SuppressionList,
  suppressionKeys,
} from '#records/suppression.ts';
import { beginsWith, CollectionStore } from './collection-store.ts';
import { requestTimeoutMs } from './connect-mongo.ts';

export interface SuppressionDocument {
  /** The key. */
  _id: string;
  reason: string | null;
  added_at: string;
  /** The key that it follows from. */
  follows?: string;
}

/** Reads what is at least as new as the changes that were followed (MongoRecordSource). */
interface FollowedReads {
  readFollowed<Answer>(work: (session: ClientSession) => Promise<Answer>): Promise<Answer>;
}

export class MongoSuppressionList extends CollectionStore<SuppressionDocument> implements SuppressionList {
  readonly #source: FollowedReads;
  readonly #readTimeoutMs: number;

  /** @param readTimeoutMs how long reading all keys may take: in jobs longer than in a request */
  constructor(
    suppressions: Collection<SuppressionDocument>,
    source: FollowedReads,
    readTimeoutMs: number = requestTimeoutMs,
  ) {
    super(suppressions);
    this.#source = source;
    this.#readTimeoutMs = readTimeoutMs;
  }

  async add(suppressions: readonly Suppression[], session?: ClientSession): Promise<number> {
    if (suppressions.length === 0) return 0;
    const writes = suppressions.map(({ key, reason, addedAt, follows }) => {
      const first = { reason, added_at: addedAt, ...(follows !== undefined && { follows }) };
      // An entry that followed from another one stays when an operator names it.
      const update = { $setOnInsert: first, ...(follows === undefined && { $unset: { follows: '' as const } }) };
      return { updateOne: { filter: { _id: key }, update, upsert: true } };
    });
    const options = { ordered: false, ...(session && { session }) };
    return (await this.run((list) => list.bulkWrite(writes, options))).upsertedCount;
  }

  async remove(keys: readonly string[]): Promise<number> {
    const { deletedCount } = await this.run((list) => list.deleteMany({ _id: { $in: [...keys] } }));
    await this.run((list) => list.deleteMany({ follows: { $in: [...keys] } }));
    return deletedCount;
  }

  async list(): Promise<Suppression[]> {
    const documents = await this.run((list) => list.find().sort({ added_at: 1, _id: 1 }).toArray());
    return documents.map(suppressionOf);
  }

  async listKeysSince(at: Date): Promise<ReadonlySet<string>> {
    const filter = { added_at: { $gte: at.toISOString() } };
    const options = {
      projection: { _id: 1 },
      readConcern: { level: 'majority' },
      signal: AbortSignal.timeout(this.#readTimeoutMs),
    } as const;
    const documents = await this.run((list) =>
      this.#source.readFollowed((session) => list.find(filter, { ...options, session }).toArray()),
    );
    return new Set(documents.map(({ _id }) => _id));
  }

  /** The keys on the list that hide something of these records or patches. */
  async keysOf(records: readonly Suppressible[], session?: ClientSession): Promise<ReadonlySet<string>> {
    const options = session ? { session } : {};
    if (records.length === 0 || (await this.run((list) => list.findOne({}, options))) === null) return new Set();
    const keys = [...new Set(records.flatMap(suppressionKeys))];
    const documents = await this.run((list) => list.find({ _id: { $in: keys } }, options).toArray());
    return new Set(documents.map(({ _id }) => _id));
  }

  /** Adds entries by the key that each follows from. */
  async addFollowing(following: ReadonlyMap<string, string>, now: Date, session?: ClientSession): Promise<void> {
    if (following.size === 0) return;
    const options = session ? { session } : {};
    const causes = await this.run((list) => list.find({ _id: { $in: [...following.values()] } }, options).toArray());
    const entries = new Map(causes.map((document) => [document._id, suppressionOf(document)]));
    for (const [key, cause] of following) {
      const entry = entries.get(cause);
      if (entry !== undefined && !entries.has(key)) entries.set(key, followUp(entry, key, now));
    }
    await this.add(
      [...following.keys()].flatMap((key) => entries.get(key) ?? []),
      session,
    );
  }

  /** The people of one record whom suppressions hide are those of another one, too. */
  async handOnPeople(from: string, to: string, now: Date, session: ClientSession): Promise<void> {
    const documents = await this.run((list) =>
      list.find({ _id: beginsWith(`contact ${from} `) }, { session }).toArray(),
    );
    const entries = documents.filter(({ _id }) => recordOfKey(_id) === from).map(suppressionOf);
    await this.add(
      entries.map((entry) => followUp(entry, contactKeyAt(to, entry.key), now)),
      session,
    );
  }
}

function suppressionOf({ _id, reason, added_at, follows }: SuppressionDocument): Suppression {
  return { key: _id, reason, addedAt: added_at, ...(follows !== undefined && { follows }) };
}

/** An entry that follows from another one. */
function followUp({ key: cause, reason, follows = cause }: Suppression, key: string, now: Date): Suppression {
  return { key, reason, addedAt: now.toISOString(), follows };
}
