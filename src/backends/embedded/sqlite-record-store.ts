import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { RecordChange, Transition } from '#records/changes/record-change.ts';
import { type Reversal, revertChange, takenOutOf } from '#records/changes/revert-change.ts';
import { joinRecords } from '#records/duplicates/join-records.ts';
import { type MergedPatches, mergePatches } from '#records/duplicates/merge-patches.ts';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import { amendRecord, mergeRecord } from '#records/merge-record.ts';
import type {
  Amended,
  Amendment,
  MergedDuplicates,
  RecordStore,
  RowDigests,
  SaveOutcome,
} from '#records/record-store.ts';
import type { Suppressible } from '#records/suppression.ts';
import { openReader } from './database.ts';
import { type DocumentTables, documentTables } from './document-tables.ts';
import type { NewRecordForms } from './record-forms.ts';
import { columnsOfRecord, type RecordRow, readRecord, readState, recordColumns } from './record-row.ts';
import { type RecordAhead, RecordsAhead } from './records-ahead.ts';
import { SqliteChangeWriter } from './sqlite-change-writer.ts';
import { runOnStore, SqliteAway } from './sqlite-errors.ts';
import { SqliteMergedIds } from './sqlite-merged-ids.ts';
import { countRows, insertionInOrder, SqliteStore } from './sqlite-store.ts';
import { suppressionCheck } from './suppressed.ts';

/** Records that are read at a time. */
const pageSize = 500;
/** Of so many patches one tells whether they are of new records. */
const sampledEach = 50;

const selectStored = `
  SELECT record, id, body, email, email_source, row_digest, record IN (SELECT record FROM documents) AS is_found FROM records`;

/** The records in SQLite. The index changes in the same transaction. */
export class SqliteRecordStore extends SqliteStore implements RecordStore {
  readonly #select: StatementSync;
  readonly #selectAny: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #noteRow: StatementSync;
  readonly #findRows: StatementSync;
  readonly #countKnown: StatementSync;
  readonly #delete: StatementSync;
  readonly #documents: DocumentTables;
  readonly #changes: SqliteChangeWriter;
  readonly #mergedIds: SqliteMergedIds;
  readonly #isSuppressed: (record: Suppressible) => boolean;
  readonly #ahead = new RecordsAhead();

  constructor(database: DatabaseSync) {
    super(database);
    this.#select = database.prepare(`${selectStored} WHERE id = ?`);
    this.#selectAny = database.prepare(
      `${selectStored} WHERE name_key IN (SELECT value FROM json_each(?)) OR id IN (SELECT value FROM json_each(?))`,
    );
    this.#insert = database.prepare(insertionInOrder('records', [...columnsOfRecord, 'row_digest']));
    this.#update = database.prepare(
      'UPDATE records SET body = ?2, email = ?3, email_source = ?4, name_key = ?5, row_digest = ?6 WHERE id = ?1',
    );
    this.#noteRow = database.prepare('UPDATE records SET row_digest = ? WHERE record = ?');
    this.#findRows = database.prepare(
      'SELECT id, row_digest FROM records WHERE id IN (SELECT value FROM json_each(?)) AND row_digest IS NOT NULL',
    );
    this.#countKnown = database.prepare(
      'SELECT count(*) AS count FROM records WHERE id IN (SELECT value FROM json_each(?))',
    );
    this.#delete = database.prepare('DELETE FROM records WHERE record = ?');
    this.#documents = documentTables(database);
    this.#changes = new SqliteChangeWriter(database);
    this.#mergedIds = new SqliteMergedIds(database);
    this.#isSuppressed = suppressionCheck(database);
  }

  async merge(patches: readonly RecordPatch[], changeSet?: string, rows?: RowDigests): Promise<SaveOutcome[]> {
    const now = new Date();
    const ahead = await this.#ahead.take(patches);
    return this.#change(changeSet, now, (save) => this.#merge(patches, now, save, { rows, ahead }));
  }

  async prepare(patches: readonly RecordPatch[]): Promise<void> {
    const sample = patches.filter((_, place) => place % sampledEach === 0).map(({ id }) => id);
    const known = await runOnStore(() => this.#countKnown.get(JSON.stringify(sample)));
    if (Number(known?.count) < sample.length / 2) this.#ahead.prepare(patches);
  }

  async findMerged(rows: RowDigests): Promise<ReadonlySet<string>> {
    const noted = await runOnStore(() => this.#findRows.all(JSON.stringify([...rows.keys()])));
    const ids = noted.map(({ id, row_digest }) => (rows.get(String(id)) === row_digest ? String(id) : null));
    return new Set(ids.filter((id) => id !== null));
  }

  async preview(patches: readonly RecordPatch[]): Promise<SaveOutcome[]> {
    return runOnStore(() => this.#merge(patches, new Date(), () => {}));
  }

  /** Returns an outcome for each patch, and hands on what is to be saved, each record once. Notes the rows they come from. */
  #merge(
    patches: readonly RecordPatch[],
    now: Date,
    save: (step: Step) => void,
    { rows, ahead }: { rows?: RowDigests | undefined; ahead?: ReadonlyMap<RecordPatch, RecordAhead> } = {},
  ): SaveOutcome[] {
    const outcomes: SaveOutcome[] = [];
    for (const { id, row, places } of this.#groupByRecord(patches)) {
      const stored = readStored(row);
      const own = places.map((place) => patches[place] as RecordPatch);
      const [only = null] = own.length === 1 && own[0]?.id === id ? own : [];
      const isKept = this.#mergedIds.isKept(id);
      const made = only !== null && row === undefined ? ahead?.get(only) : undefined;
      const merged: MergedPatches =
        made === undefined
          ? mergePatches(stored, id, own, { now, isHidden: this.#isSuppressed, isKept })
          : { outcomes: ['created'], record: made.record };
      // What a row means for a kept record depends on what others gave it.
      const rowDigest = only !== null && !isKept ? (rows?.get(id) ?? null) : null;
      for (const [index, place] of places.entries()) outcomes[place] = merged.outcomes[index] as SaveOutcome;
      if (merged.record !== stored) save({ id, row, stored, next: merged.record, rowDigest, forms: made?.forms });
      else if (row !== undefined && rowDigest !== null && rowDigest !== row.row_digest) {
        this.#noteRow.run(rowDigest, row.record as number);
      }
    }
    return outcomes;
  }

  /** The places of the patches of each record: one for a merged id is for the kept record. */
  #groupByRecord(patches: readonly RecordPatch[]): Iterable<PatchedRecord> {
    const groups = new Map<string, PatchedRecord>();
    const newGroup = (id: string, row: RecordRow | undefined) => {
      const group: PatchedRecord = { id, row, places: [] };
      groups.set(id, group);
      return group;
    };
    const find = (id: string) => {
      const row = this.#select.get(id);
      const keptId = row === undefined ? this.#mergedIds.follow(id) : null;
      if (keptId === null) return newGroup(id, row);
      return groups.get(keptId) ?? newGroup(keptId, this.#select.get(keptId));
    };
    for (const [place, { id }] of patches.entries()) (groups.get(id) ?? find(id)).places.push(place);
    return groups.values();
  }

  async amend(ids: readonly string[], amendment: Amendment, changeSet: string): Promise<Amended[]> {
    const now = new Date();
    return this.#change(changeSet, now, (save) => this.#amend(ids, amendment, now, save));
  }

  async previewAmend(ids: readonly string[], amendment: Amendment): Promise<Amended[]> {
    return runOnStore(() => this.#amend(ids, amendment, new Date(), () => {}));
  }

  /** Returns what becomes of each record, and hands on what is to be saved. */
  #amend(ids: readonly string[], amendment: Amendment, now: Date, save: (step: Step) => void): Amended[] {
    return [...new Set(ids)].flatMap((id) => {
      const row = this.#select.get(id);
      const stored = readStored(row);
      if (stored === null) return [];
      const next = amendRecord(stored, amendment(stored), now);
      if (next !== stored) save({ id, row, stored, next });
      return [{ before: stored, after: next }];
    });
  }

  async mergeDuplicates(keepId: string, otherIds: readonly string[], changeSet: string): Promise<MergedDuplicates> {
    const now = new Date();
    return this.#change(changeSet, now, (save) => {
      const steps = [keepId, ...otherIds].map((id) => {
        const row = this.#select.get(id);
        return { id, row, stored: readStored(row) };
      });
      const records = steps.flatMap(({ stored }) => stored ?? []);
      const [keep, ...others] = records;
      if (keep === undefined || records.length < steps.length) {
        return { missing: steps.flatMap(({ id, stored }) => (stored === null ? [id] : [])) };
      }
      const result = mergeRecord(keep, joinRecords(keep, others), now);
      const record = 'record' in result ? result.record : keep;
      for (const step of steps)
        save(step.id === keepId ? { ...step, next: record } : { ...step, next: null, kept: keepId });
      for (const id of otherIds) this.#mergedIds.add({ id, keptId: keepId, changeSet, mergedAt: now.toISOString() });
      return { record };
    });
  }

  async find(id: string): Promise<MediaRecord | null> {
    return runOnStore(() => readStored(this.#select.get(id)));
  }

  async findAny(nameKeys: readonly number[], ids: readonly string[]): Promise<MediaRecord[]> {
    const rows = await runOnStore(() => this.#selectAny.all(JSON.stringify(nameKeys), JSON.stringify(ids)));
    return rows.flatMap((row) => readStored(row) ?? []);
  }

  async remove(ids: readonly string[], changeSet?: string): Promise<number> {
    return this.#change(changeSet, new Date(), (save) => {
      const rows = [...new Set(ids)].map((id) => this.#select.get(id)).filter((row) => row !== undefined);
      for (const row of rows) save({ id: String(row.id), row, stored: readStored(row), next: null });
      return rows.length;
    });
  }

  async removeByIdPrefix(prefix: string, changeSet?: string): Promise<number> {
    const ids = await this.all<{ id: string }>('SELECT id FROM records WHERE substr(id, 1, length(?1)) = ?1', prefix);
    return this.remove(
      ids.map(({ id }) => id),
      changeSet,
    );
  }

  async revert(changes: readonly RecordChange[], changeSet: string): Promise<Reversal[]> {
    const now = new Date();
    return this.#change(changeSet, now, (save) =>
      changes.map((change) => {
        const row = this.#select.get(change.id);
        const stored = readStored(row);
        const reversal = revertChange(stored, change, now);
        if (reversal.record !== stored) {
          save({ id: change.id, row, stored, next: reversal.record, kept: takenOutOf(change, reversal) });
        }
        if (reversal.outcome === 'recreated') this.#mergedIds.release(change.id);
        return reversal;
      }),
    );
  }

  async previewRevert(changes: readonly RecordChange[]): Promise<Reversal[]> {
    const now = new Date();
    return runOnStore(() =>
      changes.map((change) => revertChange(readStored(this.#select.get(change.id)), change, now)),
    );
  }

  async count(): Promise<number> {
    return runOnStore(() => countRows(this.database, 'records'));
  }

  /** Ends the thread that makes records ahead. */
  async close(): Promise<void> {
    await this.#ahead.close();
  }

  /** On a connection of its own, whose read transaction is the moment that it shows. */
  async *readAll(onUnreadable: (count: number) => void = () => {}): AsyncGenerator<readonly MediaRecord[]> {
    const reader = await runOnStore(() => openReader(this.#path()));
    try {
      const rows = reader.prepare(`${selectStored} ORDER BY id`).iterate();
      for (;;) {
        const page = await runOnStore(() => nextRows(rows));
        const records = page.map(readStored).filter((record) => record !== null);
        if (records.length > 0) yield records;
        if (records.length < page.length) onUnreadable(page.length - records.length);
        if (page.length < pageSize) return;
      }
    } finally {
      reader.close();
    }
  }

  #path(): string {
    const path = this.database.location();
    if (path === null) throw new SqliteAway('the store is in memory');
    return path;
  }

  /** Does work that saves records in one transaction, and notes their changes in it. */
  #change<Result>(
    changeSet: string | undefined,
    now: Date,
    work: (save: (step: Step) => void) => Result,
  ): Promise<Result> {
    return this.transact(() => {
      const transitions: Transition[] = [];
      const indexing: Array<() => void> = [];
      const result = work((step) => {
        indexing.push(this.#save(step));
        if (changeSet === undefined) return;
        const { id, row, stored: before, next: after, kept } = step;
        const replacesUnreadable = row !== undefined && before === null;
        transitions.push({ id, before, after, kept, replacesUnreadable, digest: step.forms?.contentDigest });
      });
      // All at once, because FTS5 writes out what it holds before each statement that SQLite may have to undo alone, such as
      // the update or the delete of a record: a third of the time of an import that changes records.
      for (const index of indexing) index();
      if (changeSet !== undefined) this.#changes.write(changeSet, transitions, now);
      return result;
    });
  }

  /** Writes or deletes a record. Returns what does the same to its index entries, in the same transaction. */
  #save({ row, next, rowDigest = null, forms }: Step): () => void {
    if (next === null) {
      if (row === undefined) return () => {};
      this.#delete.run(Number(row.record));
      return () => this.#documents.remove(Number(row.record));
    }
    const columns = forms?.row ?? Object.values(recordColumns(next));
    if (row === undefined) {
      const { lastInsertRowid } = this.#insert.run(...columns, rowDigest);
      return () => this.#documents.add(next, Number(lastInsertRowid), forms);
    }
    this.#update.run(...columns, rowDigest);
    return () => this.#documents.update(next, Number(row.record));
  }
}

/** A record that a batch of patches changes. */
interface PatchedRecord {
  id: string;
  row: RecordRow | undefined;
  /** The places of its patches in the batch. */
  places: number[];
}

/** What becomes of one record. */
interface Step {
  id: string;
  /** The row of `records`, if there is one; what it holds as a record; what it is to hold, null to delete it. */
  row: RecordRow | undefined;
  stored: MediaRecord | null;
  next: MediaRecord | null;
  /** Of the row whose patch makes the next record of this one. */
  rowDigest?: string | null;
  /** What is written of the next record, if it is known. */
  forms?: NewRecordForms | undefined;
  /** The record that it is merged into, or taken out of. */
  kept?: string | undefined;
}

/** The next rows of an iteration that goes on: `take` would end it. */
function nextRows(rows: Iterator<RecordRow>): RecordRow[] {
  const page: RecordRow[] = [];
  while (page.length < pageSize) {
    const next = rows.next();
    if (next.done) break;
    page.push(next.value);
  }
  return page;
}

/** The record of a row; of one that search does not find only what an import of today would leave of it; null: nothing. */
function readStored(row: RecordRow | undefined): MediaRecord | null {
  if (row === undefined) return null;
  if (row.is_found) return readRecord(row);
  const state = readState(row);
  return 'record' in state ? state.record : null;
}
