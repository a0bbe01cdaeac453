import type { Generation } from '#ports/index-generations.ts';
import type { IndexUpkeep } from '#ports/index-upkeep.ts';
import type { Position } from '#ports/record-source.ts';
import { catchUp } from './catch-up.ts';
import { fillIndex } from './fill-index.ts';
import { GenerationWriter } from './generation-writer.ts';
import { removeGeneration, removeOldGenerations, removeUnfinished } from './old-generations.ts';
import { compareAndRepair, countDifferences } from './repair-index.ts';

export type RebuildPhase = 'filling' | 'merging' | 'catching up' | 'comparing';

export interface RebuildOptions {
  /** Also publish an index that is much smaller than the live one, or empty because the store is. */
  allowsShrink: boolean;
  /** Receives the current step, and how many records it has processed. */
  onProgress?: (phase: RebuildPhase, done: number) => void;
  /** Ends it, leaving everything unchanged. */
  signal?: AbortSignal;
}

export interface RebuildSummary {
  index: string;
  /** Records read from the store. */
  read: number;
  indexed: number;
  /** Records that could not be indexed. */
  deadLetters: number;
  /** What the comparison found, and fixed. */
  repaired: number;
  /** The previous live index; null for the first index. */
  replaced: Generation | null;
  seconds: number;
  /** How long the first write of all records took. */
  fillSeconds: number;
}

/** A new index that is not published, and why; the live one stays. */
export class RebuildRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RebuildRefused';
  }
}

/** A new index with less than this share of the live one's records is probably a mistake. */
const minShare = 0.8;

/**
 * Builds an index of all records beside the live one, brings it up to date, compares it with the records and publishes
 * it in one step. Any failure before that leaves the live index unchanged; the next rebuild deletes what a killed one
 * left.
 *
 * @throws LockTaken while another rebuild or rollback is running; RebuildRefused if the new index is not plausible;
 * HistoryLost if the store drops its history faster than the index is built; Problem if an engine does not answer.
 */
export async function rebuildIndex(upkeep: IndexUpkeep, options: RebuildOptions): Promise<RebuildSummary> {
  const lock = await upkeep.locks.acquire('reindex');
  const signal = options.signal ? AbortSignal.any([lock.signal, options.signal]) : lock.signal;
  try {
    return await rebuild(upkeep, { ...options, signal });
  } finally {
    await lock.release();
  }
}

async function rebuild(
  upkeep: IndexUpkeep,
  options: RebuildOptions & { signal: AbortSignal },
): Promise<RebuildSummary> {
  const { source, generations, journal } = upkeep;
  const { signal } = options;
  const start = performance.now();
  const startedAt = new Date();
  const live = await generations.findLive();
  await removeUnfinished(upkeep, live);
  const index = await generations.create(startedAt);
  try {
    const writer = await GenerationWriter.open(upkeep, index);
    const built = await build(upkeep, writer, options);
    const whole = await requireGeneration(upkeep, index);
    requireEnough(whole, live, { isStoreEmpty: built.read === 0, allowsShrink: options.allowsShrink });
    const state = { index, identity: whole.identity, isComplete: true, reachedAt: new Date().toISOString() };
    await journal.save({ ...state, position: built.position });
    signal.throwIfAborted();
    await generations.publish(index);
    // What was suppressed or changed during the swap, if no sync follows.
    const position = await catchUp(source, writer, built.position, signal);
    await generations.refresh(index);
    await journal.save({ ...state, position, reachedAt: new Date().toISOString() });
    await upkeep.deadLetters.removeBefore(startedAt);
    await removeOldGenerations(upkeep, index);
    const seconds = (performance.now() - start) / 1000;
    const { read, repaired, fillSeconds } = built;
    return {
      index,
      read,
      repaired,
      fillSeconds,
      indexed: whole.records,
      deadLetters: writer.deadLetters,
      replaced: live,
      seconds,
    };
  } catch (error) {
    const isServed = (await generations.findLive().catch(() => null))?.index === index;
    if (!isServed) await removeGeneration(upkeep, index, true).catch(() => {});
    throw error;
  }
}

/** Fills the generation and verifies it against the records. */
async function build(
  upkeep: IndexUpkeep,
  writer: GenerationWriter,
  { signal, onProgress = () => {} }: RebuildOptions & { signal: AbortSignal },
): Promise<{ read: number; repaired: number; fillSeconds: number; position: Position }> {
  const { source, generations } = upkeep;
  let position = await source.now();
  const start = performance.now();
  const read = await fillIndex(source, writer, position.version, {
    signal,
    onProgress: (done) => onProgress('filling', done),
  });
  const fillSeconds = (performance.now() - start) / 1000;
  onProgress('merging', read);
  await generations.finish(writer.index);
  const settle = async () => {
    position = await catchUp(source, writer, position, signal);
  };
  onProgress('catching up', read);
  await settle();
  const compare = (repairs: boolean) =>
    compareAndRepair(upkeep, writer, { settle, repairs, onProgress: (done) => onProgress('comparing', done) });
  const repaired = countDifferences(await compare(true));
  const left = repaired === 0 ? 0 : countDifferences(await compare(false));
  if (left > 0) throw new RebuildRefused(`The new index still differs from the store in ${left} records.`);
  await settle();
  await generations.refresh(writer.index);
  return { read, repaired, fillSeconds, position };
}

async function requireGeneration({ generations }: IndexUpkeep, index: string): Promise<Generation> {
  const found = await generations.find(index);
  if (found === null) throw new RebuildRefused(`${index} was removed while it was built.`);
  return found;
}

function requireEnough(
  built: Generation,
  live: Generation | null,
  { isStoreEmpty, allowsShrink }: { isStoreEmpty: boolean; allowsShrink: boolean },
): void {
  if (built.records === 0 && !(isStoreEmpty && (live === null || live.records === 0 || allowsShrink))) {
    throw new RebuildRefused(
      isStoreEmpty
        ? 'The store contains no records. If that is correct, use --allow-shrink.'
        : 'None of the records in the store could be indexed.',
    );
  }
  if (live !== null && built.records < minShare * live.records && !allowsShrink) {
    throw new RebuildRefused(
      `The new index would have ${built.records} records, but the live index has ${live.records}. If that is correct, use --allow-shrink.`,
    );
  }
}
