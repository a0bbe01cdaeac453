import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { Suppression } from '#records/suppression.ts';
import {
  type DeadLetter,
  type IndexMaintenance,
  type IndexStatus,
  type LiveIndex,
  type RebuildOptions,
  RebuildRefused,
  type RebuildSummary,
  RollbackRefused,
  type RollbackSummary,
  type SuppressionSummary,
  type UnsuppressionSummary,
  type Verification,
  type VerifyOptions,
} from '#search/index-maintenance.ts';
import { faultOfSize } from '#search/index-size.ts';
import { transact } from './database.ts';
import { DocumentRenewer, type RowDifference, type Step } from './document-renewer.ts';
import { indexForm } from './index-form.ts';
import { isDamaged, runOnIndex, runOnStore } from './sqlite-errors.ts';
import { SqliteJobLocks } from './sqlite-job-locks.ts';
import { countRows } from './sqlite-store.ts';
import type { SqliteSuppressionList } from './sqlite-suppression-list.ts';
import { findSuppressed } from './suppressed.ts';

/** The one index of a store. */
const index = 'embedded';
/** Pause between two transactions in which other processes can start writing, in milliseconds. */
const gapMs = 5;
/** Pages of full text merged per transaction. */
const pagesAMerge = 500;
const countSegments = 'SELECT count(DISTINCT segid) AS count FROM search_text_idx';
/** Merging all takes about a fiftieth of the time of writing all, so it is done after writing a tenth. */
const worthPart = 10;
const maxSegments = 12;
const maxExamples = 100;
const scanBatch = 1_000;

/**
 * The index in the same file as the records. It changes in their transactions, so there is only one, and it is rebuilt
 * in place: batch by batch, each record's index entries are derived again, while searches and writes continue.
 */
export class EmbeddedIndex implements IndexMaintenance {
  readonly #database: DatabaseSync;
  readonly #locks: SqliteJobLocks;
  readonly #suppressions: SqliteSuppressionList;
  readonly #renewer: DocumentRenewer;

  constructor(database: DatabaseSync, suppressions: SqliteSuppressionList) {
    this.#database = database;
    this.#locks = new SqliteJobLocks(database);
    this.#suppressions = suppressions;
    this.#renewer = new DocumentRenewer(database);
  }

  async findLive(): Promise<LiveIndex> {
    return runOnIndex(() => ({ index, isCurrent: this.#isCurrent(), records: countRows(this.#database, 'documents') }));
  }

  /**
   * Resumes an interrupted rebuild to this version's form where it stopped.
   *
   * @throws LockTaken while another rebuild is running; RebuildRefused before anything changes.
   */
  async rebuild({ allowsShrink, onProgress = () => {}, signal: stop }: RebuildOptions): Promise<RebuildSummary> {
    const lock = await this.#locks.acquire('reindex');
    const signal = stop ? AbortSignal.any([lock.signal, stop]) : lock.signal;
    try {
      const start = performance.now();
      const before = await this.findLive();
      await this.#requireEnough(before.records, { allowsShrink, onProgress, signal });
      const renew = () => this.#renewAll({ onProgress, signal });
      const { read, fillSeconds } = await renew().catch(async (error: unknown) => {
        if (!(error instanceof IndexDamaged)) throw error;
        await this.#transact(() => this.#emptyText());
        return renew();
      });
      const after = await this.findLive();
      return {
        index,
        read,
        indexed: after.records,
        deadLetters: countRows(this.#database, 'dead_letters'),
        repaired: 0,
        replaced: { index, records: before.records },
        seconds: (performance.now() - start) / 1_000,
        fillSeconds,
      };
    } finally {
      await lock.release();
    }
  }

  async verify({ repairs, onProgress = () => {} }: VerifyOptions): Promise<Verification> {
    if (!(await this.findLive()).isCurrent) {
      throw new Error(
        "The embedded index was built by other rules than this version's. To rebuild it: npm run indexer -- reindex",
      );
    }
    const found: Verification = { index, compared: 0, missing: 0, extra: 0, stale: 0, examples: [] };
    const note = async (differences: readonly RowDifference[]) => {
      for (const { id, is } of differences) {
        found[is] += 1;
        if (found.examples.length < maxExamples) found.examples.push({ id, is });
      }
      if (!repairs || differences.length === 0) return;
      await this.#transact(() => {
        for (const { row } of differences) this.#renewer.renewRow(row);
      });
    };
    for (let after: number | null = 0; after !== null; await pause(0)) {
      const row: number = after;
      const { last, read, differences } = await runOnIndex(() => this.#renewer.compareAfter(row));
      await note(differences);
      found.compared += read;
      onProgress(found.compared);
      after = last;
    }
    await note(await runOnIndex(() => this.#listExtra()));
    return found;
  }

  /** @throws RollbackRefused always: no earlier index is kept. */
  async rollBack(): Promise<RollbackSummary> {
    throw new RollbackRefused(
      'The embedded store keeps one index and rebuilds it in place: there is no earlier one to go back to. To build it from the records again: npm run indexer -- reindex',
    );
  }

  async readStatus(): Promise<IndexStatus> {
    const { isCurrent, records } = await this.findLive();
    return runOnStore(async () => ({
      index,
      is_current: isCurrent,
      kept: [],
      outdated: [],
      stored: countRows(this.#database, 'records'),
      indexed: records,
      suppressions: countRows(this.#database, 'suppressions'),
      dead_letters: countRows(this.#database, 'dead_letters'),
      lag_seconds: 0,
      is_followed: true,
      locks: await this.#locks.list(),
    }));
  }

  async *readDeadLetters(): AsyncIterable<DeadLetter & { at: string }> {
    const next = this.#database.prepare('SELECT id, reason, at FROM dead_letters WHERE id > ? ORDER BY id LIMIT ?');
    for (let last: string | null = ''; last !== null; ) {
      const after: string = last;
      const rows = await runOnStore(() => next.all(after, scanBatch));
      for (const { id, reason, at } of rows) yield { id: String(id), reason: String(reason), at: String(at) };
      last = rows.length < scanBatch ? null : String(rows.at(-1)?.id);
    }
  }

  async findVisible(keys: readonly string[]): Promise<readonly string[]> {
    return runOnIndex(() => findSuppressed(this.#database, new Set(keys)));
  }

  async suppress(suppressions: readonly Suppression[]): Promise<SuppressionSummary> {
    const { length: hidden } = await this.findVisible(suppressions.map(({ key }) => key));
    const added = await this.#suppressions.add(suppressions);
    return { added, known: suppressions.length - added, hidden };
  }

  async unsuppress(keys: readonly string[]): Promise<UnsuppressionSummary> {
    return this.#suppressions.release(keys);
  }

  /** A word is looked up in every segment of the full text, so many segments make searches slow. */
  async settle(written: number): Promise<void> {
    const segments = await runOnIndex(() => Number(this.#database.prepare(countSegments).get()?.count));
    const isWorthIt = written * worthPart >= countRows(this.#database, 'documents') || segments > maxSegments;
    if (segments > 1 && isWorthIt) await this.#mergeText();
  }

  /** The transaction that deleted them also removed them from the index. */
  async hideDeleted(): Promise<void> {}

  /**
   * The words of a deleted record stay in the full text until its segments are merged, and deleted bytes stay in free pages
   * and in the gaps of others until the file is rewritten. `secure_delete` would cost every import a fiftieth of its time,
   * and miss what was deleted before it.
   */
  async eraseDeleted(): Promise<boolean> {
    await this.#mergeText();
    return runOnStore(() => {
      this.#database.exec('VACUUM');
      return this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
    });
  }

  /** @throws RebuildRefused if far fewer records would be found than now. */
  async #requireEnough(live: number, { allowsShrink, onProgress, signal }: Required<RebuildOptions>): Promise<void> {
    let stored = 0;
    let built = 0;
    for (let after: number | null = 0; after !== null; await pause(0)) {
      signal.throwIfAborted();
      const row: number = after;
      const { last, read, found } = await runOnIndex(() => this.#renewer.countFindable(row));
      stored += read;
      built += found;
      onProgress('checking', stored);
      after = last;
    }
    const fault = faultOfSize({ stored, built, live }, allowsShrink);
    if (fault !== null) throw new RebuildRefused(fault);
  }

  /**
   * Renews all records, merges the full text, and deletes all other entries; then the index has this version's form.
   */
  async #renewAll({ onProgress, signal }: Required<Pick<RebuildOptions, 'onProgress' | 'signal'>>) {
    const start = performance.now();
    let read = 0;
    // To change the form it is enough to write what differs. In the current form, the operator suspects errors.
    const sparesEqual = !this.#isCurrent();
    for (let after: number | null = await this.#transact(() => this.#begin()); after !== null; await pause(gapMs)) {
      signal.throwIfAborted();
      const row: number = after;
      const step = await this.#transact(() => this.#renewAfter(row, sparesEqual));
      read += step.read;
      onProgress('filling', read);
      after = step.last;
    }
    const fillSeconds = (performance.now() - start) / 1_000;
    onProgress('merging', read);
    await this.#mergeText(signal);
    await this.#transact(() => this.#end());
    return { read, fillSeconds };
  }

  #renewAfter(row: number, sparesEqual: boolean): Step {
    const step = this.#renewer.renewAfter(row, sparesEqual);
    if (step.last !== null) this.#database.prepare('UPDATE search_index SET renewed_to = ?').run(step.last);
    return step;
  }

  /** A damaged full text cannot be changed record by record, so it is filled again from the first record on. */
  #emptyText(): void {
    this.#database.exec(`
      INSERT INTO search_text (search_text) VALUES ('delete-all');
      UPDATE search_index SET form = NULL, next_form = NULL, edition = edition + 1`);
  }

  /** Returns the last row that has the target form: 0 unless a rebuild to this form was interrupted. */
  #begin(): number {
    const { form, next_form, renewed_to } = this.#database.prepare('SELECT * FROM search_index').get() ?? {};
    if (form !== indexForm() && next_form === indexForm()) return Number(renewed_to);
    this.#database.prepare('UPDATE search_index SET next_form = ?, renewed_to = 0').run(indexForm());
    this.#database.exec('DELETE FROM dead_letters');
    return 0;
  }

  /** Records written after the last step have the form of this version. */
  #end(): void {
    for (const row of this.#renewer.listLeft()) this.#renewer.renewRow(row);
    this.#database.prepare('UPDATE search_index SET form = ?, next_form = NULL, renewed_to = NULL').run(indexForm());
  }

  /** Merges the full text into one segment step by step, so nobody waits long to write. */
  async #mergeText(signal?: AbortSignal): Promise<void> {
    const merge = this.#database.prepare("INSERT INTO search_text (search_text, rank) VALUES ('merge', ?)");
    const countChanges = this.#database.prepare('SELECT total_changes() AS changes');
    // A negative count starts one merge of all segments, and positive ones continue it. When it is done, nothing
    // changes except the command itself.
    for (let pages = -pagesAMerge, isDone = false; !isDone; pages = pagesAMerge) {
      signal?.throwIfAborted();
      isDone = await this.#transact(() => {
        const before = Number(countChanges.get()?.changes);
        merge.run(pages);
        return Number(countChanges.get()?.changes) - before < 2;
      });
      await pause(gapMs);
    }
  }

  /** Index entries of records that are gone. */
  #listExtra(): RowDifference[] {
    return this.#database
      .prepare('SELECT record, id FROM documents WHERE record NOT IN (SELECT record FROM records)')
      .all()
      .map(({ record, id }) => ({ row: Number(record), id: String(id), is: 'extra' }));
  }

  #isCurrent(): boolean {
    return this.#database.prepare('SELECT form FROM search_index').get()?.form === indexForm();
  }

  #transact<Result>(work: () => Result): Promise<Result> {
    return runOnIndex(() => {
      try {
        return transact(this.#database, work);
      } catch (error) {
        throw isDamaged(error) ? new IndexDamaged(error) : error;
      }
    });
  }
}

/** Tables are damaged; a rebuild can repair those of the index. */
class IndexDamaged extends Error {
  constructor(cause: unknown) {
    super(
      'The file of the embedded store is damaged. To build its index again: npm run indexer -- reindex. If that fails, restore a backup.',
      { cause },
    );
    this.name = 'IndexDamaged';
  }
}
