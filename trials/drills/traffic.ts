import { setTimeout as pause } from 'node:timers/promises';
import type { AnyBulkWriteOperation, Collection, Document, MongoClient } from 'mongodb';
import { Problem } from '../../src/problem.ts';
import type { Dice } from '../../src/sample/dice.ts';
import type { SearchIndex } from '../../src/search/search-index.ts';
import { firstPage } from '../../src/search/search-query.ts';

/** A request whose right answer is known. Returns null if the answer is right, otherwise the answer. Throws if there is none. */
export type Ask = () => Promise<string | null>;

/** Starts requests at a fixed rate, without waiting for earlier ones. */
export class Traffic {
  requests = 0;
  /** The errors of requests that failed. */
  failed: string[] = [];
  /** Wrong answers. */
  wrong: string[] = [];
  /** The time of the slowest answer, in milliseconds. */
  maxMs = 0;
  /** While this is set, requests may fail with a Problem. */
  isOutage = false;
  readonly #underWay = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  constructor(asks: readonly Ask[], perSecond: number) {
    this.#running = this.#run(asks, 1_000 / perSecond);
  }

  /** Starts no more requests. Resolves when all have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await Promise.all(this.#underWay);
  }

  async #run(asks: readonly Ask[], everyMs: number): Promise<void> {
    const { signal } = this.#stopping;
    const begun = performance.now();
    while (!signal.aborted) {
      const asking = this.#take(asks[this.requests % asks.length] as Ask);
      this.#underWay.add(asking);
      void asking.finally(() => this.#underWay.delete(asking));
      this.requests += 1;
      const dueMs = begun + this.requests * everyMs - performance.now();
      await pause(Math.max(dueMs, 0), undefined, { signal }).catch(() => {});
    }
  }

  async #take(ask: Ask): Promise<void> {
    const begun = performance.now();
    const wasOutage = this.isOutage;
    try {
      const wrong = await ask();
      if (wrong !== null) this.wrong.push(wrong);
    } catch (error) {
      const isExpected = (wasOutage || this.isOutage) && error instanceof Problem;
      if (!isExpected) this.failed.push(`${error} (${(error as Error).cause})`);
    }
    this.maxMs = Math.max(this.maxMs, performance.now() - begun);
  }
}

/** The records that nobody changes: how many there are, and what finds only them. */
export const steady = {
  count: 300,
  query: { text: null, filters: [{ field: 'country', any: ['IS'], none: [] }] },
} as const;

/** A search for the steady records. If it finds fewer, the index was incomplete. */
export function askForSteady(index: SearchIndex): Ask {
  const page = firstPage(10);
  return async () => {
    const { total } = await index.search(steady.query, page, 'masked');
    const { total: contacts } = await index.search({ ...steady.query, rows: 'contacts' }, page, 'masked');
    const isWhole = total === steady.count && contacts === steady.count * steadyContacts.length;
    return isWhole ? null : `${total} found with ${contacts} contacts`;
  };
}

/** The contacts of each steady record. */
const steadyContacts = ['Ann Steady', 'Bob Steady'].map((name) => ({ name, title: 'Editor' }));

type Records = Collection<Document & { _id: string }>;
type Write = AnyBulkWriteOperation<Document & { _id: string }>;

/** Stores the steady records, and every other record that a Writer changes. Returns the ids of all that it changes. */
export async function fillForTrial({ collection }: { collection: Records }, records: number): Promise<string[]> {
  const kept = Array.from({ length: steady.count }, (_, place) => ({
    _id: `steady-${place}`,
    kind: 'outlet',
    name: `Steady Gazette ${place}`,
    country: 'IS',
    country_name: 'Iceland',
    continent: 'europe',
    contacts: steadyContacts,
  }));
  await collection.insertMany(kept);
  const ids = Array.from({ length: records }, (_, place) => `written-${place}`);
  const first = ids.filter((_, place) => place % 2 === 0);
  await collection.insertMany(
    first.map((_id) => ({ _id, kind: 'outlet', name: `First of ${_id}`, contacts: steadyContacts })),
  );
  return ids;
}

interface WriterOptions {
  collection: Records;
  client: MongoClient;
  dice: Dice;
  /** Writes a second. */
  rate: number;
  /** The records that it writes to. Some of them need not exist yet. */
  ids: readonly string[];
  /** Share of the writes that make a record one that cannot be indexed. */
  poison: number;
}

const tickMs = 20;
/** The most writes at once. Further ones that were due while the server was away are left out. */
const maxAtOnce = 100;
const pauseAfterFaultMs = 100;

/**
 * Writes at random, as tools of data staff do: inserts, updates, replacements and deletions, one by one, several to the same
 * record at once, and in transactions. If the server is away, tries again.
 */
export class Writer {
  /** Writes that the server has confirmed. */
  writes = 0;
  #isStopped = false;
  readonly #options: WriterOptions;
  readonly #running: Promise<void>;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let last = performance.now(); !this.#isStopped; ) {
      await pause(tickMs);
      const now = performance.now();
      const due = Math.min(Math.round(((now - last) * this.#options.rate) / 1_000), maxAtOnce);
      last = now;
      const writes = Array.from({ length: due }, () => makeWrites(this.#options)).flat();
      try {
        await write(this.#options, writes);
        this.writes += writes.length;
      } catch {
        await pause(pauseAfterFaultMs);
      }
    }
  }
}

async function write({ client, collection, dice }: WriterOptions, writes: Write[]): Promise<void> {
  if (writes.length === 0) return;
  if (!dice.chance(0.2)) {
    await collection.bulkWrite(writes, { ordered: dice.chance(0.5) });
    return;
  }
  await client.withSession((session) =>
    session.withTransaction(() => collection.bulkWrite(writes, { session }).then(() => {})),
  );
}

/** One write, or a few to the same record. */
function makeWrites({ dice, ids, poison }: WriterOptions): Write[] {
  const filter = { _id: dice.pick(ids) };
  const set = (fields: Document): Write => ({ updateOne: { filter, update: { $set: fields }, upsert: true } });
  const name = `Name ${dice.below(1_000_000)}`;
  if (dice.chance(poison)) return [set(makePoison(dice))];
  const chance = dice.fraction();
  if (chance < 0.3) return [set({ name, kind: 'outlet' })];
  if (chance < 0.55) return [set({ name, kind: 'outlet', contacts: makeContacts(dice) })];
  if (chance < 0.7) {
    const replacement = { kind: 'newsletter', name, email: `${dice.below(1_000)}@written.example` };
    return [{ replaceOne: { filter, replacement, upsert: true } }];
  }
  if (chance < 0.9) return [{ deleteOne: { filter } }];
  return [set({ name, kind: 'outlet' }), { deleteOne: { filter } }, set({ kind: 'podcast', name })];
}

/** None or some of a few people, so that most writes bring some of them and take others away. */
function makeContacts(dice: Dice): Document[] {
  const people = ['Ann', 'Bob', 'Cem', 'Dan'].filter(() => dice.chance(0.4));
  return people.map((name) => ({ id: name, name: `${name} Writer`, email: `${name}@written.example` }));
}

/** Makes a document invalid, or nearly: wrong types, a field of ten megabytes, unknown fields, NUL. */
function makePoison(dice: Dice): Document {
  const kinds: Document[] = [
    { kind: 42, name: ['wrong', 'types'] },
    { kind: 'outlet', name: { first: 'an', last: 'object' } },
    { kind: 'nothing known', name: 'Name' },
    { kind: 'outlet', name: 'Nul\0 and unknown fields', unknown: { deep: [1, { two: 3 }] }, audience: 'many' },
  ];
  return dice.chance(0.02) ? { kind: 'outlet', name: 'Huge', description: 'x'.repeat(10_000_000) } : dice.pick(kinds);
}
