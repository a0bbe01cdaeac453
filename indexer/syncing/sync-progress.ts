import type { FeedState } from '#backends/mongo/mongo-change-feed.ts';
import type { GenerationState, MongoIndexJournal, Position } from '#backends/mongo/mongo-index-journal.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';

/** How often the position is saved, in milliseconds: `busy` while records change, `quiet` while nothing happens. */
const saveEveryMs = { busy: 500, quiet: 5_000 };

/** Saves the position of a generation every half second, or every five if nothing happens. */
export class PositionSaver {
  readonly #journal: MongoIndexJournal;
  #state: GenerationState;
  #savedAt = performance.now();
  #isBusy = false;

  constructor(journal: MongoIndexJournal, state: GenerationState) {
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

/** Everything before the position is written, and the feed has its changes up to the version. */
type Reached = Pick<FeedState, 'position' | 'version'>;

/** Milliseconds between two refreshes. Each costs the engine as much as writing a few hundred records. */
const pauseMs = 150;
/** The same while the sync is behind, or nothing changes. */
const seldomMs = 5_000;

/**
 * Makes written records searchable at once, and then lets callers read the feed of changes so far. While the sync is behind, it
 * mostly leaves that to the engine, which refreshes by itself every few seconds (`refresh_interval`): that leaves the engine more
 * time for writing (decisions/0034).
 */
export class Refresher {
  readonly #syncDeps: Pick<SyncDeps, 'generations' | 'feed'>;
  readonly #generation: Pick<GenerationState, 'index' | 'identity'>;
  #reached: Reached | null = null;
  #isDue = false;
  #isBehind = false;
  #isUnderWay = false;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(syncDeps: Pick<SyncDeps, 'generations' | 'feed'>, { index, identity }: GenerationState) {
    this.#syncDeps = syncDeps;
    this.#generation = { index, identity };
  }

  note({ isDue, hasMore, ...reached }: { isDue: boolean; hasMore: boolean } & Reached): void {
    this.#reached = reached;
    this.#isDue ||= isDue;
    this.#isBehind = hasMore;
    this.#begin();
  }

  #begin(): void {
    const isLong = performance.now() - this.#endedAt > seldomMs;
    if (this.#isUnderWay || (!isLong && (!this.#isDue || this.#isBehind))) return;
    this.#isUnderWay = true;
    setTimeout(() => this.#refresh(), Math.max(0, this.#endedAt + pauseMs - performance.now())).unref();
  }

  async #refresh(): Promise<void> {
    this.#isDue = false;
    const reached = this.#reached;
    // Errors are ignored: if an engine is down, the writes fail too, and a later refresh makes up for this one.
    await this.#syncDeps.generations
      .refresh(this.#generation.index)
      .then(() => reached && this.#syncDeps.feed.confirm({ ...this.#generation, ...reached }))
      .catch(() => {});
    this.#endedAt = performance.now();
    this.#isUnderWay = false;
    if (this.#isDue) this.#begin();
  }
}
