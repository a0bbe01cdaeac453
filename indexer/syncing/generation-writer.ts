import type { RetryUntil } from '#backends/elasticsearch/bulk-writer.ts';
import type { IndexChange } from '#backends/elasticsearch/record-writer.ts';
import type { ChangeBatch } from '#backends/mongo/mongo-change-stream.ts';
import type { Position } from '#backends/mongo/mongo-index-journal.ts';
import type { RecordState } from '#backends/stores.ts';
import { everSince } from '#outbound/late-suppressions.ts';
import { appearanceOf } from '#records/change-feed.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { deadLetterId } from '#records/normalize/normalize-values.ts';
import { withoutSuppressed } from '#records/suppression.ts';
import type { DeadLetter } from '#search/indexed/index-maintenance.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';

export type PreparedWrite = Awaited<ReturnType<GenerationWriter['prepareStates']>>;

/**
 * Brings one generation of the index to the current state of the records: it then has what suppressions leave of all readable
 * records. A record that cannot be indexed becomes a dead letter, and the others go on.
 */
export class GenerationWriter {
  readonly index: string;
  /** How many records became dead letters since this writer started. */
  deadLetters = 0;
  readonly #syncDeps: SyncDeps;
  #suppressed: ReadonlySet<string> = new Set();
  #mayHaveDeadLetters = false;

  private constructor(syncDeps: SyncDeps, index: string) {
    this.index = index;
    this.#syncDeps = syncDeps;
  }

  static async open(syncDeps: SyncDeps, index: string): Promise<GenerationWriter> {
    const writer = new GenerationWriter(syncDeps, index);
    writer.#suppressed = await syncDeps.suppressions.listKeysSince(everSince);
    writer.#mayHaveDeadLetters = (await syncDeps.deadLetters.count()) > 0;
    return writer;
  }

  /** What a search should find of the record; null if it should find nothing. */
  recordToFind(state: RecordState | undefined): IndexChange['record'] {
    return state === undefined || 'unreadable' in state ? null : this.visiblePart(state.record);
  }

  /** What suppressions leave of a record; null if they hide it whole. */
  visiblePart(record: MediaRecord): MediaRecord | null {
    return withoutSuppressed(record, this.#suppressed);
  }

  /** Reads the current state of what changed. */
  async prepare(batch: ChangeBatch): Promise<PreparedWrite> {
    const { changed, suppressed, hasOtherSuppressions } = batch;
    const versions = new Map(changed);
    if (hasOtherSuppressions) {
      this.#suppressed = await this.#syncDeps.suppressions.listKeysSince(everSince);
      const version = [...suppressed.values()].reduce(laterOf, 0n);
      const hidden = await this.#syncDeps.generations.findSuppressed(this.index, [...suppressed.keys()]);
      for (const id of hidden) versions.set(id, laterOf(version, versions.get(id)));
    }
    return this.prepareStates(versions, await this.#syncDeps.source.read([...versions.keys()], batch));
  }

  /**
   * @param versions by record id: the version to write. A record without a state is deleted from the index
   * @param isFirst whether the index has none of these records yet
   */
  async prepareStates(
    versions: ReadonlyMap<string, bigint>,
    storedStates: ReadonlyMap<string, RecordState>,
    isFirst = false,
  ) {
    const { generations, source } = this.#syncDeps;
    const states = await source.dateChanged(storedStates, (record) => this.visiblePart(record));
    const entries = [...versions].map(([id, version]) => {
      const state = states.get(id);
      return { id, version, state, record: this.recordToFind(state) };
    });
    return {
      changes: entries.map(({ id, version, record }) => generations.prepare({ id, version, record, isFirst })),
      /** What searches show of the same records from then on. */
      appearances: entries.map(({ id, record }) => appearanceOf(id, record)),
      /** Stored documents that cannot be read as records. */
      unreadable: entries.flatMap(({ id, state }): DeadLetter[] =>
        state !== undefined && 'unreadable' in state ? [{ id, reason: state.unreadable }] : [],
      ),
    };
  }

  /**
   * Resolves when each change is in the index or among the dead letters. Dead letters are changed only after `after`, an
   * earlier write. The index is written at once: there the higher version wins, whichever write comes first. Returns the ids of
   * what the engine refused.
   */
  async write(
    { changes, unreadable }: Pick<PreparedWrite, 'changes' | 'unreadable'>,
    until?: RetryUntil,
    after?: Promise<void>,
  ): Promise<string[]> {
    const refused = await this.#syncDeps.generations.write(this.index, changes, until);
    await after;
    const deadLetters = [...unreadable, ...refused];
    this.noteDeadLetters(deadLetters.length);
    if (!this.#mayHaveDeadLetters) return [];
    const dead = new Set(deadLetters.map(({ id }) => id));
    const inOrder = changes.filter(({ id }) => !dead.has(id)).map(({ id }) => deadLetterId(id));
    await this.#syncDeps.deadLetters.remove(inOrder);
    await this.#syncDeps.deadLetters.save(
      deadLetters.map(({ id, reason }) => ({ id: deadLetterId(id), reason })),
      new Date(),
    );
    return refused.map(({ id }) => id);
  }

  /** Counts dead letters, also those that another writer of the generation has saved. */
  noteDeadLetters(count: number): void {
    this.deadLetters += count;
    this.#mayHaveDeadLetters ||= count > 0;
  }

  /** Writes what changed since a position, and returns the position reached. Throws HistoryLost, or the signal's reason. */
  async catchUp(from: Position, signal: AbortSignal): Promise<Position> {
    const { source } = this.#syncDeps;
    const now = await source.mark();
    for await (const batch of source.follow(from, signal)) {
      await this.write(await this.prepare(batch), { signal });
      if (batch.marks.includes(now)) return batch.position;
    }
    throw signal.reason;
  }
}

function laterOf(version: bigint, other = version): bigint {
  return other > version ? other : version;
}
