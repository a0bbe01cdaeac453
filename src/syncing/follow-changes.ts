import pRetry from 'p-retry';
import { Problem } from '#domain/problem.ts';
import type { GenerationState, IndexJournal } from '#ports/index-journal.ts';
import type { IndexUpkeep } from '#ports/index-upkeep.ts';
import { LockTaken } from '#ports/job-locks.ts';
import { type ChangeBatch, HistoryLost, type Position } from '#ports/record-source.ts';
import { GenerationWriter } from './generation-writer.ts';
import { Refresher } from './refresher.ts';
import { describeOtherForm } from './require-current.ts';

/** Who hears how the sync goes. */
export interface SyncNews {
  /** Takes one plain line: what it does now, or waits for. */
  say: (line: string) => void;
  /** What was written, once it is safe. */
  onWritten: (written: { events: number; deadLetters: number; until: Date }) => void;
  /** That something failed that is tried again. */
  onRetry: () => void;
}

export interface SyncOptions extends SyncNews {
  upkeep: IndexUpkeep;
  /** Ends the sync, once what it has begun is safe. */
  signal: AbortSignal;
  /** Builds an index and publishes it; called where there is none, or where the history since it is lost. */
  rebuild: (signal: AbortSignal) => Promise<unknown>;
}

/** How often the position is written down while records change, and while nothing happens, in milliseconds. */
const saveEveryMs = { busy: 500, quiet: 5_000 };
/** How often it is asked whether another generation is searched by now, in milliseconds. */
const lookEveryMs = 500;
const pauses = { retries: Number.POSITIVE_INFINITY, minTimeout: 250, maxTimeout: 5_000, randomize: true };

/**
 * Keeps the searched index equal to the records, until the signal: each change is written as soon as it is known, and
 * the position saved only behind changes that are safe, in the index or in the dead letters. Killed at any moment, it
 * repeats some changes when it runs again, which changes nothing. Engines that are away are waited for.
 *
 * @throws LockTaken where another process does it; RebuildRefused where an index has to be built anew, and what would be
 * built is not right.
 */
export async function followChanges(options: SyncOptions): Promise<void> {
  const { upkeep, signal: stop, say } = options;
  while (!stop.aborted) {
    const lock = await untilItPasses(options, () => upkeep.locks.acquire('sync'), isAway);
    if (lock === null) return;
    const signal = AbortSignal.any([stop, lock.signal]);
    try {
      const following = new Following({ ...options, signal });
      while (!signal.aborted)
        await untilItPasses({ ...options, signal }, () => following.servedGeneration(), isPassing);
    } finally {
      await lock.release();
    }
    if (lock.signal.aborted) say('The store was down too long to keep the lock: taking it again.');
  }
}

/** Does the work, again and again while what fails can be better in a moment; null where the signal comes first. */
async function untilItPasses<Result>(
  { signal, say, onRetry }: Pick<SyncOptions, 'signal' | 'say' | 'onRetry'>,
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
        say(`${describe(error)} Retrying.`);
      },
    });
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

class Following {
  readonly #options: SyncOptions;

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  /** Follows with the generation that is searched, until another is. */
  async servedGeneration(): Promise<void> {
    const { rebuild, say, signal } = this.#options;
    const state = await this.#findState();
    if (state === null) {
      say(`${await this.#describeLack()}: building a new one.`);
      await rebuild(signal);
      return;
    }
    try {
      say(`Following the records with ${state.index}, from ${state.reachedAt} on.`);
      await this.#follow(state);
    } catch (error) {
      if (!(error instanceof HistoryLost)) throw error;
      say(`${error.message} Rebuilding the index.`);
      await rebuild(signal);
    }
  }

  /** How far the searched generation has come; null where there is none, or none that can be followed with. */
  async #findState(): Promise<GenerationState | null> {
    const { generations, journal } = this.#options.upkeep;
    const served = await generations.findServed();
    const state = served && (await journal.find(served.index));
    return state?.isComplete && served?.isCurrent && state.identity === served.identity ? state : null;
  }

  /** Why the searched generation cannot be followed with. */
  async #describeLack(): Promise<string> {
    const served = await this.#options.upkeep.generations.findServed();
    if (served === null) return 'There is no index yet';
    return served.isCurrent ? `The position of ${served.index} is not known` : describeOtherForm(served);
  }

  /** While two batches are written the next is read: what waits for one engine leaves the other something to do. */
  async #follow(state: GenerationState): Promise<void> {
    const { upkeep, signal, onRetry } = this.#options;
    const writer = await GenerationWriter.open(upkeep, state.index);
    const refresher = new Refresher(upkeep.generations, state.index);
    const positions = new PositionSaver(upkeep.journal, state);
    let [earlier, latest]: Promise<void>[] = [Promise.resolve(), Promise.resolve()];
    let lookedAt = performance.now();
    for await (const batch of upkeep.source.follow(state.position, signal)) {
      // What a suppression hides is looked for in the index, so all that is before it has to be there.
      if (batch.hasNewSuppressions) await latest;
      const prepared = await writer.prepare(batch);
      await earlier;
      const writing = writer.write(prepared, { signal, onRetry }, latest);
      [earlier, latest] = [latest, writing.then(() => this.#noteWritten(batch, writer, { refresher, positions }))];
      // Awaited with a later batch; where that never comes its failure is nobody's.
      latest.catch(() => {});
      await positions.saveWhenDue();
      if (performance.now() - lookedAt < lookEveryMs) continue;
      lookedAt = performance.now();
      if ((await upkeep.generations.findServed())?.index !== state.index) break;
    }
    await latest;
    await positions.save();
  }

  #noteWritten(
    { events, position, until, hasMore }: ChangeBatch,
    { deadLetters }: GenerationWriter,
    { refresher, positions }: { refresher: Refresher; positions: PositionSaver },
  ): void {
    refresher.note({ events, hasMore });
    positions.note(position, until, events > 0);
    this.#options.onWritten({ events, deadLetters, until });
  }
}

/** Writes down how far a generation has come, not more often than there is need. */
class PositionSaver {
  readonly #journal: IndexJournal;
  #state: GenerationState;
  #savedAt = performance.now();
  #isBusy = false;

  constructor(journal: IndexJournal, state: GenerationState) {
    this.#journal = journal;
    this.#state = state;
  }

  note(position: Position, until: Date, isBusy: boolean): void {
    this.#state = { ...this.#state, position, reachedAt: until.toISOString() };
    this.#isBusy ||= isBusy;
  }

  async saveWhenDue(): Promise<void> {
    const every = this.#isBusy ? saveEveryMs.busy : saveEveryMs.quiet;
    if (performance.now() - this.#savedAt >= every) await this.save();
  }

  async save(): Promise<void> {
    this.#savedAt = performance.now();
    this.#isBusy = false;
    await this.#journal.save(this.#state);
  }
}

/** Whether an engine is away. */
function isAway(error: unknown): error is Error {
  return error instanceof Problem;
}

/** Whether it can be better in a moment: an engine is away, or another process builds an index. */
function isPassing(error: unknown): error is Error {
  return isAway(error) || error instanceof LockTaken;
}

function describe(error: Error): string {
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
