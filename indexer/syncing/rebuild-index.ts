import { Piscina } from 'piscina';
import type { Position } from '#backends/mongo/mongo-index-journal.ts';
import type { IdRange, MongoRecordSource } from '#backends/mongo/mongo-record-source.ts';
import {
  faultOfSize,
  type RebuildOptions,
  RebuildRefused,
  type RebuildSummary,
} from '#search/indexed/index-maintenance.ts';
import { underLock } from '#search/job-locks.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';
import { countOf } from '#text/printed.ts';
import { compareAndRepair, countDifferences } from './compare-index.ts';
import { type FilledRange, fillInThread, fillRange, type RangeToFill } from './fill-range.ts';
import { GenerationWriter } from './generation-writer.ts';
import { removeGeneration, removeOldGenerations, removeUnfinished } from './generations.ts';

/**
 * Builds an index of all records beside the live one, brings it up to date, compares it with the records and makes it live in
 * one step. If it fails before, the live index stays as it is. The next rebuild deletes what a killed one left.
 *
 * @throws LockTaken while another rebuild or rollback is running; RebuildRefused if the new index is not plausible;
 * HistoryLost if the store drops its history faster than the index is built; Problem if an engine does not answer.
 */
export async function rebuildIndex(syncDeps: SyncDeps, options: RebuildOptions): Promise<RebuildSummary> {
  return underLock(syncDeps.locks, 'reindex', (signal) => rebuild(syncDeps, { ...options, signal }), options.signal);
}

async function rebuild(syncDeps: SyncDeps, options: RebuildOptions & { signal: AbortSignal }): Promise<RebuildSummary> {
  const { generations, journal } = syncDeps;
  const { signal } = options;
  const start = performance.now();
  const startedAt = new Date();
  const live = await generations.findLive();
  await removeUnfinished(syncDeps, live);
  const index = await generations.create(startedAt);
  try {
    const writer = await GenerationWriter.open(syncDeps, index);
    const { position: reached, ...figures } = await build(syncDeps, writer, options);
    const builtIndex = await generations.find(index);
    if (builtIndex === null) throw new RebuildRefused(`${index} was removed while it was built.`);
    const size = { stored: figures.read, built: builtIndex.records, live: live?.records ?? null };
    const fault = faultOfSize(size, options.allowsShrink);
    if (fault !== null) throw new RebuildRefused(fault);
    const state = { index, identity: builtIndex.identity, reachedAt: new Date().toISOString() };
    await journal.save({ ...state, position: reached });
    signal.throwIfAborted();
    await generations.publish(index);
    // Something may have changed while the index became live, and perhaps no sync is running that would write it.
    const position = await writer.catchUp(reached, signal);
    await generations.refresh(index);
    await journal.save({ ...state, position, reachedAt: new Date().toISOString() });
    await syncDeps.deadLetters.removeBefore(startedAt);
    await removeOldGenerations(syncDeps, index);
    const seconds = (performance.now() - start) / 1000;
    return { index, ...figures, indexed: builtIndex.records, deadLetters: writer.deadLetters, replaced: live, seconds };
  } catch (error) {
    const isServed = (await generations.findLive().catch(() => null))?.index === index;
    if (!isServed) await removeGeneration(syncDeps, index).catch(() => {});
    throw error;
  }
}

async function build(
  syncDeps: SyncDeps,
  writer: GenerationWriter,
  { signal, workers, onProgress = () => {} }: RebuildOptions & { signal: AbortSignal },
): Promise<{ read: number; repaired: number; fillSeconds: number; position: Position }> {
  const { source, generations } = syncDeps;
  await generations.linkMeanings(writer.index, await source.count());
  let position = await source.now();
  const start = performance.now();
  const recordCount = await fillIndex(source, writer, position.version, {
    signal,
    workers,
    onRead: (done) => onProgress('filling', done),
  });
  const fillSeconds = (performance.now() - start) / 1000;
  const settle = async () => {
    position = await writer.catchUp(position, signal);
  };
  onProgress('catching up', recordCount);
  await settle();
  const compare = (options: { repairs: boolean }) =>
    compareAndRepair(syncDeps, writer, { settle, ...options, onProgress: (done) => onProgress('comparing', done) });
  // Compares while the engine merges segments: that changes no document, and takes only one of its cores.
  const [differences] = await Promise.all([
    compare({ repairs: true }).finally(() => onProgress('merging', recordCount)),
    generations.finish(writer.index),
  ]);
  const repaired = countDifferences(differences);
  const remaining = repaired === 0 ? 0 : countDifferences(await compare({ repairs: false }));
  if (remaining > 0)
    throw new RebuildRefused(`The new index still differs from the store in ${countOf(remaining, 'record')}.`);
  await settle();
  await generations.refresh(writer.index);
  return { read: recordCount, repaired, fillSeconds, position };
}

/** How many ranges of ids a thread reads in parallel, each with its own requests to both engines. More are not faster. */
const readers = 3;
/** How many ranges each reader gets, so that a slow one does not delay the end. */
const rangesAReader = 4;

type FillOptions = Pick<RebuildOptions, 'workers'> & { signal: AbortSignal; onRead: (recordCount: number) => void };

/** Writes all records to an empty generation. `version` must be from before the reading, so that later changes win. */
async function fillIndex(
  source: MongoRecordSource,
  writer: GenerationWriter,
  version: bigint,
  { signal, workers, onRead }: FillOptions,
): Promise<number> {
  const atOnce = readers * (workers?.count ?? 1);
  const boundaries = ['', ...(await source.findBoundaries(atOnce * rangesAReader)), null];
  const ranges = boundaries.slice(1).map((upTo, index) => ({ after: boundaries[index] ?? '', upTo }));
  let recordCount = 0;
  const note = (records: number) => {
    signal.throwIfAborted();
    recordCount += records;
    onRead(recordCount);
  };
  const threads = workers && startFillThreads(workers.count);
  const fill = async (range: IdRange) => {
    if (!threads) return fillRange(source, writer, { range, version }, note);
    const task = { index: writer.index, range, version, isAhead: workers.isAhead };
    const filled = await threads.run(task);
    writer.noteDeadLetters(filled.deadLetters);
    note(filled.read);
  };
  const fillRanges = async () => {
    for (let range = ranges.shift(); range !== undefined; range = ranges.shift()) await fill(range);
  };
  const end = async () => threads?.destroy();
  signal.addEventListener('abort', end);
  try {
    await Promise.all(Array.from({ length: atOnce }, fillRanges));
  } catch (error) {
    // A thread that is ended fails with another reason.
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
    await end();
  }
  return recordCount;
}

function startFillThreads(count: number): Piscina<RangeToFill, FilledRange> {
  return new Piscina({
    filename: new URL('./fill-range.ts', import.meta.url).href,
    name: fillInThread.name,
    minThreads: count,
    maxThreads: count,
    concurrentTasksPerWorker: readers,
  });
}
