import type { Document } from 'mongodb';
import { type HeldLock, type Job, type JobLocks, type LockHolder, LockTaken } from '#search/index-maintenance.ts';
import { holdLease, isGone, leaseMs, takeUnderToken, thisProcess } from '../lease.ts';
import { CollectionStore } from './collection-store.ts';
import { isDuplicateKey } from './mongo-faults.ts';

export interface LockDocument {
  _id: Job;
  /** Distinguishes one holding of the lock from all others. */
  token: string;
  holder: string;
  since: Date;
  expires_at: Date;
}

const inALease = { $add: ['$$NOW', leaseMs] };
const isOver = { $expr: { $lte: ['$expires_at', '$$NOW'] } };

/** Locks as documents with an expiry time, by the server's clock. */
export class MongoJobLocks extends CollectionStore<LockDocument> implements JobLocks {
  async acquire(job: Job): Promise<HeldLock> {
    return takeUnderToken(async (token) => {
      await this.run(() => this.#take(job, token));
      return holdLease({
        work: job,
        token,
        renew: async () => {
          const { matchedCount } = await this.collection.updateOne({ _id: job, token }, [
            { $set: { expires_at: inALease } },
          ]);
          return matchedCount === 1;
        },
        release: async () => {
          await this.run((locks) => locks.deleteOne({ _id: job, token }));
        },
      });
    });
  }

  async #take(job: Job, token: string): Promise<void> {
    for (;;) {
      if ((await this.#takeOver(job, token, isOver)) || (await this.#takeFree(job, token))) return;
      const held = await this.collection.findOne({ _id: job });
      if (held === null) continue;
      if (!isGone(held.holder, held.token)) throw new LockTaken(toHolder(held));
      if (await this.#takeOver(job, token, { token: held.token })) return;
    }
  }

  async list(): Promise<LockHolder[]> {
    const living = { $expr: { $gt: ['$expires_at', '$$NOW'] } };
    const held = await this.run((locks) => locks.find(living).sort({ _id: 1 }).toArray());
    return held.filter(({ holder, token }) => !isGone(holder, token)).map(toHolder);
  }

  /** Returns whether a lock matched the condition; it then belongs to this process. */
  async #takeOver(job: Job, token: string, condition: Document): Promise<boolean> {
    const { matchedCount } = await this.collection.updateOne({ _id: job, ...condition }, [{ $set: lockOf(token) }]);
    return matchedCount === 1;
  }

  /** Returns whether there was no lock. */
  async #takeFree(job: Job, token: string): Promise<boolean> {
    try {
      await this.collection.updateOne({ _id: job, token }, [{ $set: lockOf(token) }], { upsert: true });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}

function lockOf(token: string): Document {
  return { token, holder: thisProcess, since: '$$NOW', expires_at: inALease };
}

function toHolder({ _id: job, holder, since }: LockDocument): LockHolder {
  return { job, holder, since: since.toJSON() };
}
