import { nameKeyOf } from '#records/identity.ts';
import type { RecordPatch } from '#records/media-record.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import { normalizeId } from '#records/normalize/normalize-values.ts';
import type { RecordStore, SaveOutcome } from '#records/record-store.ts';
import type { Kind } from '#records/vocabularies.ts';
import { nameKey } from '#text/fold.ts';
import { once } from '#text/memoize.ts';
import { hashText } from '#text/name-keys.ts';
import { FileAccount, type NotedRow, SavingFailed } from './file-account.ts';
import type { FileSummary } from './import-summary.ts';
import type { Input, Source } from './open-input.ts';
import { type PlannedRecord, type PlannedRow, planRecords } from './plan-records.ts';
import { readRows } from './read-rows.ts';
import { quoteHeading, RefusedFile, type Row, type RowReader } from './row.ts';

/** How far a file has been read: first to find repeated rows, then to import it. */
export interface ImportProgress {
  file: string;
  phase: 'looking' | 'importing';
  /** Bytes of the stored file; null if the size is unknown. */
  size: number | null;
  bytesRead: number;
  rows: number;
}

interface FileImport {
  /** Where the ids of merged records lead; absent for others. Rows of one record are saved together. */
  resolve: Resolve;
  findAny: RecordStore['findAny'];
  /** Merges records that turned out to be one into the first. */
  unite: (ids: readonly string[]) => Promise<void>;
  /** Says which patches will be saved next; null if that is of no use. */
  prepare: ((patches: readonly RecordPatch[]) => Promise<void>) | null;
  /** Saves patches, or only reports what would happen to them. */
  save: (patches: readonly RecordPatch[]) => Promise<SaveOutcome[]>;
  /** The kind of rows that have none. */
  kind: Kind | null;
  /** The beginning of the names of the files about rows. */
  about: string;
  onProgress: (progress: ImportProgress) => void;
}

/** Rows saved in one step. */
const batchSize = 1_000;
/** Buffered entries for the files about rows, approximately. */
const maxEntries = 5_000;

const shortRow = {
  field: null,
  code: 'short_row',
  message: 'the row has fewer cells than the header; stored values are kept for the missing ones',
};

/**
 * Reads a file into the store, batch by batch. In memory are a workbook, JSON that is not in lines and a pipe as a whole,
 * a number for each row (see findRepeats), and the rows that wait: those that may be of one record wait for each other, so
 * that it is saved once; of their values the last one wins. The summary contains what was rejected, and what ended the
 * import early.
 */
export async function importFile(input: Input, options: FileImport): Promise<FileSummary> {
  const job = new FileJob(input, options);
  try {
    await job.run();
  } catch (error) {
    job.account.fail(error);
  }
  return job.close();
}

type ReadRow = PlannedRow & NotedRow;
type Pending = PlannedRecord<ReadRow>;

class FileJob {
  readonly account: FileAccount;
  readonly #input: Input;
  readonly #options: FileImport;
  #reader: RowReader | null = null;
  #repeats: Repeats = { left: new Map(), headings: [] };
  /** By key: rows that wait for further ones. */
  readonly #held = new Map<number, ReadRow[]>();
  /** Rows to save next, those of one record together. */
  #batch: ReadRow[] = [];
  /** The kinds and names of the last two batches, which may be unsaved: what is stored of them is not known. */
  #unsaved: (() => ReadonlySet<number>)[] = [];
  /** The batch after the one that is being saved, where the store prepares batches. */
  #prepared: readonly Pending[] = [];
  /** The previous step, which may still be running while the next rows are read. */
  #saving: Promise<void> = Promise.resolve();

  constructor(input: Input, options: FileImport) {
    this.#input = input;
    this.#options = options;
    this.account = new FileAccount(input.name, options.about);
  }

  async run(): Promise<void> {
    this.#repeats = await findRepeats(this.#input, this.#resolve, (source) => this.#report('looking', source));
    const source = await this.#input.open();
    this.account.summary.other_sheets = source.otherSheets.map(quoteHeading);
    try {
      const begin = (reader: RowReader) => {
        this.#reader = reader;
      };
      for await (const rows of readRows(source, this.#input.columns, begin)) {
        await this.#takeAll(rows);
        this.#report('importing', source);
      }
    } catch (error) {
      if (error instanceof RefusedFile || error instanceof SavingFailed) throw error;
      this.account.fail(error);
    } finally {
      source.close();
      this.account.summary.sha256 = source.sha256();
      this.account.summary.size = source.bytesRead();
    }
    // Rows that still wait stood before a fault that ended the reading.
    for (const rows of this.#held.values()) this.#batch.push(...rows);
    await this.#save();
    await this.#settled();
  }

  close(): FileSummary {
    return this.account.close(this.#reader, this.#input.columns);
  }

  #report(phase: ImportProgress['phase'], { size, bytesRead }: Source): void {
    const { file, read } = this.account.summary;
    this.#options.onProgress({ file, phase, size, bytesRead: bytesRead(), rows: read });
  }

  async #takeAll(rows: readonly Row[]): Promise<void> {
    for (const keyed of await keyRows(rows, this.#resolve)) {
      this.account.summary.read += 1;
      this.#hold(this.#read(keyed), keyed.key);
      if (this.#batch.length >= batchSize || this.account.waiting >= maxEntries) await this.#save();
    }
  }

  get #kind(): Kind | null {
    return this.#options.kind ?? this.#reader?.kind ?? null;
  }

  /** null for a row that is rejected. */
  #read({ row, recordId }: KeyedRow): ReadRow | null {
    const { line, cells } = row;
    if ('fault' in row) {
      this.account.reject({ line, cells, field: null, ...row.fault });
      return null;
    }
    const result = normalizeRecord(row.source, this.#kind, row.implied);
    if ('rejection' in result) {
      const { field, code, message } = result.rejection;
      this.account.reject({ line, cells, field, code, reason: message });
      return null;
    }
    const notes = [
      ...(row.isShort ? [shortRow] : []),
      ...result.notes.map((note) => ({ ...note, value: row.source[note.field] })),
    ];
    return { line, cells, patch: result.patch, notes, recordId };
  }

  /** Adds a row to the batch, or keeps it until the last of those that may be of its record. */
  #hold(row: ReadRow | null, key: number | null): void {
    const rows = row === null ? [] : [row];
    const left = key === null ? undefined : this.#repeats.left.get(key);
    if (key === null || left === undefined) {
      this.#batch.push(...rows);
      return;
    }
    this.#repeats.left.set(key, left - 1);
    const held = [...(this.#held.get(key) ?? []), ...rows];
    if (left > 1) this.#held.set(key, held);
    else {
      this.#held.delete(key);
      this.#batch.push(...held);
    }
  }

  #resolve = (ids: readonly string[]) => saving(() => this.#options.resolve(ids));

  /** Passes the batch on when the previous one is saved; where the store prepares batches, the one prepared before. */
  async #save(): Promise<void> {
    const rows = this.#batch;
    this.#batch = [];
    if (rows.some((row) => row.recordId === null && this.#unsaved.some((keys) => keys().has(keyOfName(row))))) {
      await this.#settled();
    }
    this.#unsaved = [...this.#unsaved.slice(-1), once(() => new Set(rows.map(keyOfName)))];
    await this.#pass(await saving(() => planRecords(rows, this.#options)));
  }

  async #settled(): Promise<void> {
    await this.#pass([]);
    await this.#saving;
  }

  async #pass(batch: readonly Pending[]): Promise<void> {
    const { prepare } = this.#options;
    let next = batch;
    if (prepare !== null) {
      await saving(() => prepare(patchesOf(batch)));
      [next, this.#prepared] = [this.#prepared, batch];
    }
    await this.#saving;
    this.#saving = saving(() => this.#saveBatch(next));
    this.#saving.catch(() => undefined);
  }

  async #saveBatch(batch: readonly Pending[]): Promise<void> {
    for (const { id, doubles } of batch) if (doubles.length > 0) await this.#options.unite([id, ...new Set(doubles)]);
    if (batch.length > 0) {
      const outcomes = await this.#options.save(patchesOf(batch));
      let settled = 0;
      for (const pending of batch) {
        const { size } = pending.patches;
        this.#settle(pending, outcomes.slice(settled, settled + size));
        settled += size;
      }
    }
    await this.account.write(this.#repeats.headings);
  }

  #settle({ id: recordId, patches, rows }: Pending, outcomes: readonly SaveOutcome[]): void {
    if (outcomes.length < patches.size) throw new Error('the store returned fewer outcomes than records');
    const outcome = strongest.find((one) => outcomes.includes(one)) ?? 'incomplete';
    const ordered = rows.toSorted((a, b) => a.line - b.line).map((row) => ({ ...row, id: row.patch.id || recordId }));
    this.account.settle(ordered, outcome);
  }
}

function keyOfName({ patch: { kind = 'outlet', name = '' } }: ReadRow): number {
  return nameKeyOf(kind, name);
}

function patchesOf(batch: readonly Pending[]): RecordPatch[] {
  return batch.flatMap(({ patches }) => [...patches.values()]);
}

/** Outcomes of several patches for one record: the first of these that one has is that of all. */
const strongest = ['created', 'updated', 'unchanged'] as const;

/** @throws SavingFailed in place of what the work throws */
async function saving<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new SavingFailed(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** A row, the record that its id leads to, and its key: a hash of the id of its record, or of its name as it stands. */
interface KeyedRow {
  row: Row;
  recordId: string | null;
  key: number | null;
}

interface Repeats {
  /** By key: rows that are to come, where there are several. */
  left: Map<number, number>;
  /** The headings of the file, or all keys of its rows. */
  headings: readonly string[];
}

type Resolve = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Counts the rows of a file by id or name, so that the import can wait for all that may be of one record, and importing the
 * file again changes nothing. Faults within the file are left to the import.
 *
 * @throws RefusedFile if the input cannot be opened; what `resolve` throws
 */
async function findRepeats(input: Input, resolve: Resolve, onRead: (source: Source) => void): Promise<Repeats> {
  const counts = new Map<number, number>();
  const readers: RowReader[] = [];
  const source = await input.open();
  try {
    for await (const rows of withoutFaults(readRows(source, input.columns, (reader) => readers.push(reader)))) {
      for (const { key } of await keyRows(rows, resolve)) {
        if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      onRead(source);
    }
  } finally {
    source.close();
  }
  for (const [key, count] of counts) if (count === 1) counts.delete(key);
  return { left: counts, headings: readers[0]?.headings ?? [] };
}

/** The rows up to the first fault of a file, which the import meets too. */
async function* withoutFaults(batches: AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
  try {
    yield* batches;
  } catch {
    // It is noted when the file is imported.
  }
}

/** @param resolve where the ids of merged records lead */
async function keyRows(rows: readonly Row[], resolve: Resolve): Promise<KeyedRow[]> {
  const ids = rows.map(idOf);
  const leads = await resolve(ids.filter((id) => id !== null));
  return rows.map((row, place) => {
    const id = ids[place] ?? null;
    const recordId = id === null ? null : (leads.get(id) ?? id);
    const name = 'fault' in row ? undefined : row.source.name;
    const text = recordId !== null ? `id ${recordId}` : typeof name === 'string' ? nameKey(name) : null;
    return { row, recordId, key: text === null ? null : hashText(text) };
  });
}

function idOf(row: Row): string | null {
  const given = 'fault' in row ? null : normalizeId(row.source.id);
  return given !== null && 'id' in given ? given.id : null;
}
