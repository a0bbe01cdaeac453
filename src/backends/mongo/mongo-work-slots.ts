import type { HeldSlot, LimitedWork, WorkSlots } from '#outbound/work-slots.ts';
import { holdLease, isGone, leaseMs, takeUnderToken, thisProcess } from '../lease.ts';
import { CollectionStore } from './collection-store.ts';
import { isDuplicateKey } from './mongo-faults.ts';

/** The slots taken for one kind of work with one key. */
export interface SlotsDocument {
  /** The kind of work and the key's HMAC. */
  _id: string;
  slots: { token: string; holder: string; expires_at: Date }[];
  /** When the last slot expires unless renewed; the document is useless after that. */
  expires_at: Date;
}

const inALease = { $add: ['$$NOW', leaseMs] };
const living = { $filter: { input: { $ifNull: ['$slots', []] }, cond: { $gt: ['$$this.expires_at', '$$NOW'] } } };

/** Slots are leases in one document for each key and kind of work, by the server's clock. */
export class MongoWorkSlots extends CollectionStore<SlotsDocument> implements WorkSlots {
  async take(work: LimitedWork, keyHash: string, max: number): Promise<HeldSlot | null> {
    const id = `${work} ${keyHash}`;
    return takeUnderToken(async (token) => {
      if (!(await this.run(() => this.#take(id, token, max)))) return null;
      return holdLease({
        work,
        token,
        renew: () => this.#renew(id, token),
        release: async () => {
          await this.collection.updateOne({ _id: id }, { $pull: { slots: { token } } });
        },
      });
    });
  }

  /** Returns whether there was room, after freeing the slots of processes that are gone. */
  async #take(id: string, token: string, max: number): Promise<boolean> {
    for (;;) {
      const slots = await this.#tryToTake(id, token, max);
      if (slots.some((slot) => slot.token === token)) return true;
      const gone = slots.filter((slot) => isGone(slot.holder, slot.token)).map((slot) => slot.token);
      if (gone.length === 0) return false;
      await this.collection.updateOne({ _id: id }, { $pull: { slots: { token: { $in: gone } } } });
    }
  }

  /** Adds a slot if there is room, in one step, and returns all that are taken then. */
  async #tryToTake(id: string, token: string, max: number): Promise<SlotsDocument['slots']> {
    const own = { token, holder: { $literal: thisProcess }, expires_at: inALease };
    const hasRoom = { $lt: [{ $size: '$slots' }, max] };
    const steps = [
      { $set: { slots: living } },
      { $set: { slots: { $cond: [hasRoom, { $concatArrays: ['$slots', [own]] }, '$slots'] }, expires_at: inALease } },
    ];
    try {
      const options = { upsert: true, returnDocument: 'after' } as const;
      return (await this.collection.findOneAndUpdate({ _id: id }, steps, options))?.slots ?? [];
    } catch (error) {
      // If two create the document, the second finds that of the first.
      if (isDuplicateKey(error)) return this.#tryToTake(id, token, max);
      throw error;
    }
  }

  async #renew(id: string, token: string): Promise<boolean> {
    const later = { $mergeObjects: ['$$this', { expires_at: inALease }] };
    const renewed = { $cond: [{ $eq: ['$$this.token', token] }, later, '$$this'] };
    const { matchedCount } = await this.collection.updateOne({ _id: id, 'slots.token': token }, [
      { $set: { slots: { $map: { input: '$slots', in: renewed } }, expires_at: inALease } },
    ]);
    return matchedCount === 1;
  }
}
