import type { ClientSession, Collection } from 'mongodb';
import type { RecordPatch } from '#records/media-record.ts';
import { type Suppression, type SuppressionList, suppressionKeys, withoutSuppressed } from '#records/suppression.ts';
import { CollectionStore } from './collection-store.ts';
import { requestTimeoutMs } from './connect-mongo.ts';

export interface SuppressionDocument {
  /** The key. */
  _id: string;
  reason: string | null;
  added_at: string;
}

/** Reads what is at least as new as the changes that were followed (MongoRecordSource). */
interface FollowedReads {
  readFollowed<Answer>(read: (session: ClientSession) => Promise<Answer>): Promise<Answer>;
}

export class MongoSuppressionList extends CollectionStore<SuppressionDocument> implements SuppressionList {
  readonly #source: FollowedReads;

  constructor(suppressions: Collection<SuppressionDocument>, source: FollowedReads) {
    super(suppressions);
    this.#source = source;
  }

  async add(suppressions: readonly Suppression[]): Promise<number> {
    if (suppressions.length === 0) return 0;
    const writes = suppressions.map(({ key, reason, addedAt }) => {
      const update = { $setOnInsert: { reason, added_at: addedAt } };
      return { updateOne: { filter: { _id: key }, update, upsert: true } };
    });
    return (await this.run((list) => list.bulkWrite(writes, { ordered: false }))).upsertedCount;
  }

  async remove(keys: readonly string[]): Promise<number> {
    return (await this.run((list) => list.deleteMany({ _id: { $in: [...keys] } }))).deletedCount;
  }

  async list(): Promise<Suppression[]> {
    const documents = await this.run((list) => list.find().sort({ added_at: 1, _id: 1 }).toArray());
    return documents.map(({ _id, reason, added_at }) => ({ key: _id, reason, addedAt: added_at }));
  }

  async listKeysSince(at: Date): Promise<ReadonlySet<string>> {
    const filter = { added_at: { $gte: at.toISOString() } };
    const options = {
      projection: { _id: 1 },
      readConcern: { level: 'majority' },
      signal: AbortSignal.timeout(requestTimeoutMs),
    } as const;
    const documents = await this.run((list) =>
      this.#source.readFollowed((session) => list.find(filter, { ...options, session }).toArray()),
    );
    return new Set(documents.map(({ _id }) => _id));
  }

  /** Finds what the list leaves of these patches, or of others with the same keys; null if it hides one whole. */
  async visiblePartsOf(
    patches: readonly RecordPatch[],
    session?: ClientSession,
  ): Promise<(patch: RecordPatch) => RecordPatch | null> {
    const keys = [...new Set(patches.flatMap(suppressionKeys))];
    if (keys.length === 0) return (patch) => patch;
    const found = await this.run((list) => list.find({ _id: { $in: keys } }, session ? { session } : {}).toArray());
    const listed = new Set(found.map(({ _id }) => _id));
    return (patch) => withoutSuppressed(patch, listed);
  }
}
