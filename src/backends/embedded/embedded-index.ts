import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { planSuppression, type SuppressionPlan } from '#records/plan-suppression.ts';
import type { Suppression } from '#records/suppression.ts';
import {
  type DeadLetter,
  type Difference,
  faultOfSize,
  type IndexMaintenance,
  type IndexStatus,
  indexVersion,
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
} from '#search/indexed/index-maintenance.ts';
import { type JobLocks, underLock } from '#search/job-locks.ts';
import { transact } from './database.ts';
import { isWorthMerging, mergeSteps } from './index/merge-text.ts';
import { keptForms, selectKept, selectRows, wantedForms } from './index/record-forms.ts';
import type { RecordRow } from './record-row.ts';
import { runOnIndex, runOnStore } from './sqlite-errors.ts';
import { countRows } from './sqlite-store.ts';
import { type DocumentTables, documentTables } from './store/document-tables.ts';
import type { SqliteSuppressionList } from './store/sqlite-suppression-list.ts';
import { findSuppressed } from './store/suppressed-records.ts';

const index = 'embedded';
/** Records renewed per transaction. Meanwhile other processes cannot write. */
const renewedAtOnce = 250;
/** Pause between two transactions in which other processes can start writing, in milliseconds. */
const gapMs = 5;
const maxExamples = 100;

/** Entries of records that are gone. */
const selectLeft = `
  SELECT record FROM documents WHERE record NOT IN (SELECT record FROM records)
  UNION SELECT id FROM search_text_docsize WHERE id NOT IN (SELECT record FROM documents)
  UNION SELECT id FROM search_tokens_docsize WHERE id NOT IN (SELECT record FROM documents)`;

/** A difference between a row of the records and its index entries. */
interface RowDifference extends Difference {
  row: number;
}

interface Walk {
  limit: number;
  /** Runs the read of a batch and the work on its rows together, such as in one transaction. */
  run: <Result>(work: () => Result) => Promise<Result>;
  onRead?: ((recordCount: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

const reading = { limit: 1_000, run: runOnIndex } as const;

/**
 * The index in the same file as the records. It changes in their transactions, so there is only one, and it is rebuilt
 * in place: batch by batch, each record's index entries are derived again, while searches and writes continue.
 */
export class EmbeddedIndex implements IndexMaintenance {
  readonly #database: DatabaseSync;
  readonly #locks: JobLocks;
  readonly #suppressions: SqliteSuppressionList;
  readonly #documents: DocumentTables;

  constructor(database: DatabaseSync, suppressions: SqliteSuppressionList, locks: JobLocks) {
    this.#database = database;
    this.#locks = locks;
    this.#suppressions = suppressions;
    this.#documents = documentTables(database);
  }

  async findLive(): Promise<LiveIndex> {
    return runOnIndex(() => ({
      index,
      isCurrent: this.#isCurrent(),
      records: countRows(this.#database, 'documents'),
      contacts: countRows(this.#database, 'contacts'),
    }));
  }

  /** @throws LockTaken while another rebuild is running; RebuildRefused before anything changes. */
  async rebuild(options: RebuildOptions): Promise<RebuildSummary> {
    return underLock(this.#locks, 'reindex', (signal) => this.#rebuild({ ...options, signal }), options.signal);
  }

  async #rebuild({
    allowsShrink,
    onProgress,
    signal,
  }: RebuildOptions & { signal: AbortSignal }): Promise<RebuildSummary> {
    const start = performance.now();
    const before = await this.findLive();
    const sizes = { stored: 0, built: 0, live: before.records };
    const onRead = (recordCount: number) => onProgress?.('checking', recordCount);
    sizes.stored = await this.#walk(selectRows, { ...reading, onRead, signal }, (rows) => {
      sizes.built += rows.filter((row) => this.#documents.findable(row) !== null).length;
    });
    const fault = faultOfSize(sizes, allowsShrink);
    if (fault !== null) throw new RebuildRefused(fault);
    const { read, fillSeconds } = await this.#renewAll(signal, onProgress);
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
  }

  async verify({ repairs, onProgress }: VerifyOptions): Promise<Verification> {
    if (!(await this.findLive()).isCurrent) {
      throw new Error(
        "The embedded index was built by other rules than this version's. To rebuild it: npm run indexer -- reindex",
      );
    }
    const differences: RowDifference[] = [];
    const recordCount = await this.#walk(selectKept, { ...reading, onRead: onProgress }, (rows) => {
      for (const row of rows) {
        const record = this.#documents.findable(row);
        const currentForms = record && wantedForms(record);
        const storedForms = keptForms(row);
        if (storedForms === currentForms) continue;
        const is = storedForms === null ? 'missing' : currentForms === null ? 'extra' : 'stale';
        differences.push({ row: Number(row.record), id: String(row.id), is });
      }
    });
    differences.push(...(await runOnIndex(() => this.#listExtra())));
    for (let done = 0; repairs && done < differences.length; done += renewedAtOnce) {
      await this.#transact(() => {
        for (const { row } of differences.slice(done, done + renewedAtOnce)) this.#renewOne(row);
      });
    }
    const count = (kind: Difference['is']) => differences.filter(({ is }) => is === kind).length;
    const examples = differences.slice(0, maxExamples).map(({ id, is }) => ({ id, is }));
    return {
      index,
      compared: recordCount,
      missing: count('missing'),
      extra: count('extra'),
      stale: count('stale'),
      examples,
    };
  }

  /** @throws RollbackRefused always: no earlier index is kept. */
  async rollBack(): Promise<RollbackSummary> {
    throw new RollbackRefused(
      'The embedded store keeps one index and rebuilds it in place: there is no earlier one to go back to. To build it from the records again: npm run indexer -- reindex',
    );
  }

  async readStatus(): Promise<IndexStatus> {
    const { isCurrent, records, contacts } = await this.findLive();
    return runOnStore(async () => ({
      index,
      is_current: isCurrent,
      kept: [],
      outdated: [],
      stored: countRows(this.#database, 'records'),
      indexed: records,
      indexed_contacts: contacts,
      suppressions: countRows(this.#database, 'suppressions'),
      dead_letters: countRows(this.#database, 'dead_letters'),
      lag_seconds: 0,
      is_followed: true,
      locks: await this.#locks.list(),
    }));
  }

  async *readDeadLetters(): AsyncIterable<DeadLetter & { at: string }> {
    const rows = await runOnStore(() =>
      this.#database.prepare('SELECT id, reason, at FROM dead_letters ORDER BY id').all(),
    );
    for (const { id, reason, at } of rows) yield { id: String(id), reason: String(reason), at: String(at) };
  }

  async planSuppression(keys: readonly string[]): Promise<SuppressionPlan> {
    const listed = await this.#suppressions.listKeysSince(new Date(0));
    return planSuppression(keys, listed, (fresh) => runOnIndex(() => findSuppressed(this.#database, fresh)));
  }

  async suppress(suppressions: readonly Suppression[]): Promise<SuppressionSummary> {
    const { following, hidden } = await this.planSuppression(suppressions.map(({ key }) => key));
    const added = await this.#suppressions.add(suppressions, following);
    return { added, known: suppressions.length - added, hidden: hidden.records, hidden_contacts: hidden.contacts };
  }

  async unsuppress(keys: readonly string[]): Promise<UnsuppressionSummary> {
    const { removed, shown } = await this.#suppressions.release(keys);
    return { removed, shown: shown.records, shown_contacts: shown.contacts };
  }

  async settle(recordCount: number): Promise<void> {
    const isWorthIt = () => isWorthMerging(this.#database, recordCount, countRows(this.#database, 'documents'));
    if (await runOnIndex(isWorthIt)) await this.#mergeText();
  }

  /** The transaction that deleted them also removed them from the index. */
  async hideDeleted(): Promise<void> {}

  /** Words stay until segments merge, bytes until a file rewrite. `secure_delete` slows imports by a fiftieth. */
  async eraseDeleted(): Promise<boolean> {
    await this.#mergeText();
    return runOnStore(() => {
      this.#database.exec('VACUUM');
      return this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
    });
  }

  /** Renews all records, merges the full text, and deletes all other entries; then the index has this indexVersion. */
  async #renewAll(signal: AbortSignal, onProgress: RebuildOptions['onProgress']) {
    const start = performance.now();
    await this.#transact(() => this.#database.exec('DELETE FROM dead_letters'));
    const run = <Result>(work: () => Result) => this.#transact(work);
    const onRead = (recordCount: number) => onProgress?.('filling', recordCount);
    const renewedRows = await this.#walk(selectRows, { limit: renewedAtOnce, run, onRead, signal }, (rows) => {
      for (const row of rows) this.#documents.renew(row);
    });
    const fillSeconds = (performance.now() - start) / 1_000;
    onProgress?.('merging', renewedRows);
    await this.#mergeText(signal);
    await this.#transact(() => this.#finishRenewal());
    return { read: renewedRows, fillSeconds };
  }

  /** Records that were written since the last batch already have this version's entries. */
  #finishRenewal(): void {
    for (const { record } of this.#database.prepare(selectLeft).all()) this.#renewOne(Number(record));
    this.#database.prepare('UPDATE search_index SET version = ?').run(indexVersion);
  }

  /** Passes the rows of the records to `take` in batches, in the order of their keys. Returns how many it read. */
  async #walk(
    sql: string,
    { limit, run, onRead, signal }: Walk,
    take: (rows: readonly RecordRow[]) => void,
  ): Promise<number> {
    const select = this.#database.prepare(sql);
    let rowCount = 0;
    for (let last: number | null = 0; last !== null; await pause(gapMs)) {
      signal?.throwIfAborted();
      const behind: number = last;
      const rows = await run(() => {
        const batch = select.all(behind, limit);
        take(batch);
        return batch;
      });
      rowCount += rows.length;
      onRead?.(rowCount);
      last = rows.length < limit ? null : Number(rows.at(-1)?.record);
    }
    return rowCount;
  }

  async #mergeText(signal?: AbortSignal): Promise<void> {
    for (const step of mergeSteps(this.#database)) {
      signal?.throwIfAborted();
      await this.#transact(step);
      await pause(gapMs);
    }
  }

  /** Renews the entries of a row, whether or not there still is one. */
  #renewOne(record: number): void {
    const row = this.#database.prepare(selectRows).get(record - 1, 1);
    if (row?.record === record) this.#documents.renew(row);
    else this.#documents.remove(record);
  }

  #listExtra(): RowDifference[] {
    return this.#database
      .prepare('SELECT record, id FROM documents WHERE record NOT IN (SELECT record FROM records)')
      .all()
      .map(({ record, id }) => ({ row: Number(record), id: String(id), is: 'extra' }));
  }

  #isCurrent(): boolean {
    return this.#database.prepare('SELECT version FROM search_index').get()?.version === indexVersion;
  }

  #transact<Result>(work: () => Result): Promise<Result> {
    return runOnIndex(() => transact(this.#database, work));
  }
}
