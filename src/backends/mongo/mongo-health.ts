import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import type { KeyedKind, KeyedStore, OpenKeyed } from '#records/keyed-store.ts';
import { messageOf, Problem } from '#src/problem.ts';
import { atMostOften, type StoreHealth } from '../store-health.ts';

interface Probe {
  at: string;
}

/** What processes write to see whether they can. Each has its own, which ends with it. */
export const probeKind: KeyedKind<Probe> = { name: 'write_probes', orderOf: ({ at }) => at, livesMs: 60_000 };

/** How long a write may take to be confirmed by a majority, in milliseconds. */
const confirmMs = 2_000;

/** The health of MongoDB, as far as its clients can know it: whether it confirms a write. It looks for damage by itself. */
export class MongoHealth implements StoreHealth {
  readonly #db: Db;
  readonly #probes: KeyedStore<Probe>;
  readonly #key = randomUUID();

  constructor(db: Db, open: OpenKeyed) {
    this.#db = db;
    this.#probes = open(probeKind);
  }

  readonly findFault = atMostOften(() => this.#tryToWrite());

  note(): void {}

  async checkWhole(): Promise<void> {}

  /** From the server that the driver asks, which needs the privilege dbStats, a part of readWrite. */
  async findFreeBytes(): Promise<number | null> {
    const { fsTotalSize, fsUsedSize } = await this.#db.command({ dbStats: 1 });
    return typeof fsTotalSize === 'number' && typeof fsUsedSize === 'number' ? fsTotalSize - fsUsedSize : null;
  }

  async #tryToWrite(): Promise<string | null> {
    const consequence = 'so no purchase, claim, list or export can be stored';
    const write = this.#probes.change(this.#key, () => ({ at: new Date().toISOString() }));
    const tooLate = pause(confirmMs, 'late' as const, { ref: false });
    try {
      const isLate = (await Promise.race([write, tooLate])) === 'late';
      return isLate
        ? `write to MongoDB: no majority confirmed it within ${confirmMs / 1_000} seconds, ${consequence}`
        : null;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // The name of the server's error, such as OutOfDiskSpace.
      return `write to MongoDB: it failed (${messageOf(error.cause)}), ${consequence}`;
    } finally {
      write.catch(() => {});
    }
  }
}
