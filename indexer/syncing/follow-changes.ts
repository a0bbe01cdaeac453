import pRetry from 'p-retry';
import type { Generation } from '#backends/elasticsearch/alias-generations.ts';
import type { ChangeBatch } from '#backends/mongo/mongo-change-stream.ts';
import type { GenerationState } from '#backends/mongo/mongo-index-journal.ts';
import { appearanceOf } from '#records/change-feed.ts';
import { HistoryLost } from '#search/indexed/index-maintenance.ts';
import { LockTaken } from '#search/job-locks.ts';
import { Problem } from '#src/problem.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';
import { countOf } from '#text/printed.ts';
import { dateEarlierRecords } from './date-earlier-records.ts';
import { GenerationWriter, type PreparedWrite } from './generation-writer.ts';
import { describeOtherForm, removeOtherForms } from './generations.ts';
import { PositionSaver, Refresher } from './sync-progress.ts';
import { takeOverFeed } from './take-over-feed.ts';

interface SyncOptions {
  syncDeps: SyncDeps;
  /** Ends the sync. What it has begun to write is still stored. */
  signal: AbortSignal;
  /** Builds and publishes an index. Called if there is none that the sync can continue. */
  rebuild: (signal: AbortSignal) => Promise<unknown>;
  /** Logs what the sync does now, or what it waits for. */
  logLine: (line: string) => void;
  /** Called after each stored batch. `until`: the index has every change up to this moment. */
  onWritten: (progress: { events: number; deadLetters: number; until: Date }) => void;
  onRetry: () => void;
}

/** How often to check whether another generation is live, in milliseconds. */
const pollMs = 500;
const pauses = { retries: Number.POSITIVE_INFINITY, minTimeout: 250, maxTimeout: 5_000, randomize: true };

/**
 * Keeps the live index up to date until the signal, and waits for engines that are down. A position is saved only after all
 * changes before it. A sync that was killed starts again there, and writing the same changes again has no effect.
 *
 * @throws LockTaken if another process is the sync; RebuildRefused if the index must be rebuilt and the new one is implausible.
 */
export async function followChanges(options: SyncOptions): Promise<void> {
  const { syncDeps, signal: stop, logLine } = options;
  while (!stop.aborted) {
    const lock = await untilItPasses(options, () => syncDeps.locks.acquire('sync'), isAway);
    if (lock === null) return;
    const signal = AbortSignal.any([stop, lock.signal]);
    try {
      const untilThen = { ...options, signal };
      while (!signal.aborted) await untilItPasses(untilThen, () => followLive(untilThen), isPassing);
    } finally {
      await lock.release();
    }
    if (lock.signal.aborted) logLine('The store was down too long to keep the lock: taking it again.');
  }
}

/** Does the work, and retries if `canPass` says that the error may go away. Null if the signal comes first. */
async function untilItPasses<Result>(
  { signal, logLine, onRetry }: Pick<SyncOptions, 'signal' | 'logLine' | 'onRetry'>,
  work: () => Promise<Result>,
  canPass: (error: unknown) => error is Error,
): Promise<Result | null> {
  try {
    return await pRetry(work, {
      ...pauses,
      signal,
      shouldRetry: ({ error }) => !signal.aborted && canPass(error),
      onFailedAttempt({ error }) {
        if (signal.aborted || !canPass(error)) return;
        onRetry();
        logLine(`${describe(error)} Retrying.`);
      },
    });
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** Keeps the live generation up to date, until another one is live. Builds a new one if it cannot continue the live one. */
async function followLive(options: SyncOptions): Promise<void> {
  const { syncDeps, rebuild, logLine, signal } = options;
  const live = await syncDeps.generations.findLive();
  const state = live && (await syncDeps.journal.find(live.index));
  if (!state || !live?.isCurrent || state.identity !== live.identity) {
    logLine(`${describeLack(live)}: building a new one.`);
    await rebuild(signal);
    return;
  }
  try {
    logLine(`Following the records with ${state.index}, from ${state.reachedAt} on.`);
    const removed = await removeOtherForms(syncDeps);
    if (removed.length > 0) logLine(`Removed the indexes of other versions: ${removed.join(', ')}.`);
    // It may have grown since it was built.
    await syncDeps.generations.linkMeanings(live.index, live.records);
    await followGeneration(options, state);
  } catch (error) {
    if (!(error instanceof HistoryLost)) throw error;
    logLine(`${error.message} Rebuilding the index.`);
    await rebuild(signal);
  }
}

/** Reads the next batch while two are written, so that neither engine is idle. */
async function followGeneration(options: SyncOptions, state: GenerationState): Promise<void> {
  const { syncDeps, signal, logLine, onRetry, onWritten } = options;
  const writer = await GenerationWriter.open(syncDeps, state.index);
  const dateEarlier = dateEarlierRecords(syncDeps.source);
  const { feed, from } = await takeOverFeed(syncDeps, state);
  const refresher = new Refresher(syncDeps, state);
  const positions = new PositionSaver(syncDeps.journal, state);
  /** Writes a batch that is noted in the feed, beside the one before it. */
  const write = async (batch: ChangeBatch, prepared: PreparedWrite, noted: Promise<number>, before: Promise<void>) => {
    const version = await noted;
    const refused = await writer.write(prepared, { signal, onRetry }, before);
    // Callers may read this once a later batch is written, too: until then, its records are noted but not yet searchable.
    await feed.note(refused.map((id) => appearanceOf(id, null)));
    const { events, marks, position, until, hasMore } = batch;
    refresher.note({ isDue: events + marks.length > 0, hasMore, position, version });
    positions.note(position, until, events > 0);
    onWritten({ events, deadLetters: writer.deadLetters, until });
  };
  let beforeLast = Promise.resolve();
  let last = beforeLast;
  let lookedAt = performance.now();
  for await (const batch of syncDeps.source.follow(from, signal)) {
    // The writer looks for suppressed records in the index, so everything before must be there.
    if (batch.hasOtherSuppressions) await last;
    const prepared = await writer.prepare(batch);
    // Before the index: what is no longer in it could not be found again after a kill.
    const noted = feed.note(prepared.appearances);
    noted.catch(() => {});
    await beforeLast;
    const writing = write(batch, prepared, noted, last);
    // It is awaited with a later batch. If there is none, its error must not be an unhandled rejection.
    writing.catch(() => {});
    [beforeLast, last] = [last, writing];
    await positions.saveWhenDue();
    const dated = await dateEarlier(batch);
    if (dated !== null) logLine(`The upgrade is done: ${countOf(dated, 'record')} of an earlier version dated.`);
    if (performance.now() - lookedAt < pollMs) continue;
    lookedAt = performance.now();
    if ((await syncDeps.generations.findLive())?.index !== state.index) break;
  }
  await last;
  await positions.save();
}

function describeLack(live: Generation | null): string {
  if (live === null) return 'There is no index yet';
  return live.isCurrent ? `The position of ${live.index} is not known` : describeOtherForm(live);
}

function isAway(error: unknown): error is Error {
  return error instanceof Problem;
}

/** Whether a retry may help: an engine is away, or another process builds an index. */
function isPassing(error: unknown): error is Error {
  return isAway(error) || error instanceof LockTaken;
}

function describe(error: Error): string {
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
