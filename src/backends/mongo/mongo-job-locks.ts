import { randomUUID } from 'node:crypto';
import type { Collection, Document } from 'mongodb';
import { holdLease, isGone, leaseMs, thisProcess } from '#backends/lease.ts';
import { type HeldLock, type Job, type JobLocks, type LockHolder, LockTaken } from '#ports/job-locks.ts';
import { askMongo, isDuplicateKey } from './mongo-faults.ts';

export interface LockDocument {
  _id: Job;
  /** Tells one holding of the lock from all others. */
  token: string;
  holder: string;
  since: Date;
  expires_at: Date;
}

const inALease = { $add: ['$$NOW', leaseMs] };
const isOver = { $expr: { $lte: ['$expires_at', '$$NOW'] } };

/** Locks as documents that expire, by the clock of the server. */
export class MongoJobLocks implements JobLocks {
  readonly #locks: Collection<LockDocument>;

  constructor(locks: Collection<LockDocument>) {
    this.#locks = locks;
  }

  async acquire(job: Job): Promise<HeldLock> {
    return askMongo(async () => {
      const token = randomUUID();
      while (!(await this.#take(job, token, isOver))) {
        const held = await this.#locks.findOne({ _id: job });
        if (held === null) continue;
        if (!isGone(held.holder, held.token)) throw new LockTaken(toHolder(held));
        if (await this.#take(job, token, { token: held.token })) break;
      }
      return holdLease({
        job,
        token,
        renew: async () => {
          const { matchedCount } = await this.#locks.updateOne({ _id: job, token }, [
            { $set: { expires_at: inALease } },
          ]);
          return matchedCount === 1;
        },
        release: async () => {
          await askMongo(() => this.#locks.deleteOne({ _id: job, token }));
        },
      });
    });
  }

  async list(): Promise<LockHolder[]> {
    return askMongo(async () => {
      const held = await this.#locks
        .find({ $expr: { $gt: ['$expires_at', '$$NOW'] } })
        .sort({ _id: 1 })
        .toArray();
      return held.filter(({ holder, token }) => !isGone(holder, token)).map(toHolder);
    });
  }

  /** Answers whether the lock was free, or as `condition` says. */
  async #take(job: Job, token: string, condition: Document): Promise<boolean> {
    const lock = { token, holder: thisProcess, since: '$$NOW', expires_at: inALease };
    try {
      await this.#locks.updateOne({ _id: job, ...condition }, [{ $set: lock }], { upsert: true });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}

function toHolder({ _id: job, holder, since }: LockDocument): LockHolder {
  return { job, holder, since: since.toJSON() };
}
