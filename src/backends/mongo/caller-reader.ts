import { setTimeout as pause } from 'node:timers/promises';
import { type Collection, type Document, type Filter, ReadPreference, type Timestamp, type WithId } from 'mongodb';
import { requestTimeoutMs } from './connect-mongo.ts';

/** How long the primary has to answer before a secondary is asked as well, in milliseconds. */
const primaryMs = 300;
/** One that is at most so many seconds behind the others: MongoDB allows no less. */
const secondary = new ReadPreference('secondary', undefined, { maxStalenessSeconds: 90 });

/**
 * Finds who calls, such as a key. While the primary does not answer, a secondary that has all that this reader has seen is
 * asked as well. It may lack what is newer: so only what it has counts, and that it has nothing proves nothing (decisions/0056).
 */
export class CallerReader<Stored extends Document> {
  readonly #collection: Collection<Stored>;
  /** Of the newest state of the set that was read here. */
  #seenAt: Timestamp | undefined;

  constructor(collection: Collection<Stored>) {
    this.#collection = collection;
  }

  /**
   * The document that fits; null if there is none. Fails as the primary does if nobody can say.
   *
   * @param isElsewhere whether something else proves that there is none
   */
  async find(filter: Filter<Stored>, isElsewhere = async () => false): Promise<WithId<Stored> | null> {
    const signal = AbortSignal.timeout(requestTimeoutMs);
    const answered = new AbortController();
    const ofPrimary = this.#read(filter, { readPreference: ReadPreference.primary, signal });
    const ofSecondary = async () => {
      await pause(primaryMs, undefined, { signal: answered.signal });
      const document = await this.#read(filter, { readPreference: secondary, signal });
      return document ?? ((await isElsewhere()) ? null : ofPrimary);
    };
    try {
      return await Promise.any([ofPrimary, ofSecondary()]).catch(() => ofPrimary);
    } finally {
      answered.abort();
    }
  }

  #read(filter: Filter<Stored>, options: { readPreference: ReadPreference; signal: AbortSignal }) {
    const { client } = this.#collection.db;
    return client.withSession({ causalConsistency: true }, async (session) => {
      const catchUp = () => this.#seenAt && session.advanceOperationTime(this.#seenAt);
      catchUp();
      const majority = { level: 'majority' } as const;
      const document = await this.#collection.findOne(filter, { ...options, session, readConcern: majority });
      // Another read may have seen more meanwhile.
      catchUp();
      this.#seenAt = session.operationTime;
      return document;
    });
  }
}
