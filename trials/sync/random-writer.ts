import { setTimeout as pause } from 'node:timers/promises';
import type { AnyBulkWriteOperation, Collection, Document, MongoClient } from 'mongodb';
import type { Dice } from '../../src/sample/dice.ts';
import { Repeated } from './repeated.ts';

type Records = Collection<Document & { _id: string }>;
type Write = AnyBulkWriteOperation<Document & { _id: string }>;

export interface WriterOptions {
  collection: Records;
  client: MongoClient;
  dice: Dice;
  /** Writes a second. */
  rate: number;
  /** Records that it writes to; those that were there before are among them. */
  ids: readonly string[];
  /** Share of the writes that make a record one that cannot be indexed. */
  poison: number;
}

const tickMs = 20;
/** What could not be written while the server was away is not made up for. */
const maxAtOnce = 100;
const pauseAfterFaultMs = 100;

/**
 * Writes as the tools of data staff do, all at random: inserts, updates, replacements and deletions, one by one, several to
 * the same record at once, and in transactions. A server that is away is asked again.
 */
export class RandomWriter extends Repeated {
  readonly #options: WriterOptions;
  #last = performance.now();
  /** Writes that the server has confirmed. */
  writes = 0;

  constructor(options: WriterOptions) {
    super();
    this.#options = options;
  }

  protected async takeTurn(): Promise<void> {
    await pause(tickMs);
    const now = performance.now();
    const due = Math.min(Math.round(((now - this.#last) * this.#options.rate) / 1_000), maxAtOnce);
    this.#last = now;
    const writes = Array.from({ length: due }, () => this.#makeWrites()).flat();
    try {
      await this.#write(writes);
      this.writes += writes.length;
    } catch {
      await pause(pauseAfterFaultMs);
    }
  }

  async #write(writes: Write[]): Promise<void> {
    if (writes.length === 0) return;
    const { client, collection, dice } = this.#options;
    const options = { bypassDocumentValidation: true };
    if (!dice.chance(0.2)) {
      await collection.bulkWrite(writes, { ...options, ordered: dice.chance(0.5) });
      return;
    }
    await client.withSession((session) =>
      session.withTransaction(() => collection.bulkWrite(writes, { ...options, session }).then(() => {})),
    );
  }

  /** One write, or a few to the same record. */
  #makeWrites(): Write[] {
    const { dice, ids, poison } = this.#options;
    const filter = { _id: dice.pick(ids) };
    const name = `Name ${dice.below(1_000_000)}`;
    const update: Write = { updateOne: { filter, update: { $set: { name, kind: 'outlet' } }, upsert: true } };
    if (dice.chance(poison)) return [{ updateOne: { filter, update: { $set: makePoison(dice) }, upsert: true } }];
    const chance = dice.fraction();
    if (chance < 0.55) return [update];
    if (chance < 0.7) {
      const replacement = { kind: 'newsletter', name, email: `${dice.below(1_000)}@written.example` };
      return [{ replaceOne: { filter, replacement, upsert: true } }];
    }
    if (chance < 0.9) return [{ deleteOne: { filter } }];
    return [
      update,
      { deleteOne: { filter } },
      { updateOne: { filter, update: { $set: { kind: 'podcast', name } }, upsert: true } },
    ];
  }
}

/** What makes a document invalid, or nearly: wrong types, a field of ten megabytes, unknown fields, NUL. */
function makePoison(dice: Dice): Document {
  const kinds: Document[] = [
    { kind: 42, name: ['wrong', 'types'] },
    { kind: 'outlet', name: { first: 'an', last: 'object' } },
    { kind: 'nothing known', name: 'Name' },
    { kind: 'outlet', name: 'Nul\0 and unknown fields', unknown: { deep: [1, { two: 3 }] }, audience: 'many' },
  ];
  return dice.chance(0.02) ? { kind: 'outlet', name: 'Huge', description: 'x'.repeat(10_000_000) } : dice.pick(kinds);
}
