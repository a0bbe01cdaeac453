import type { RecordPatch } from '#domain/media-record.ts';
import { normalizeId } from '#domain/normalize/normalize-id.ts';
import { normalizeRecord } from '#domain/normalize/normalize-record.ts';
import type { Kind } from '#domain/vocabularies.ts';
import type { RowDigests, SaveOutcome } from '#ports/record-store.ts';
import { findRepeats, type Repeats } from './find-repeats.ts';
import { type FileSummary, type NoteCount, noRows } from './import-summary.ts';
import type { Input } from './open-input.ts';
import type { Source } from './open-source.ts';
import { readRows } from './read-rows.ts';
import { BrokenFile, RefusedFile } from './refused-file.ts';
import type { RejectEntry, RejectsFile } from './rejects-file.ts';
import { quoteHeading, type Row, type RowReader } from './row.ts';
import { digestRow } from './row-digest.ts';

/** How far a file has been read: first to find repeated ids, then to import it. */
export interface ImportProgress {
  file: string;
  phase: 'looking' | 'importing';
  /** Bytes of the stored file; null if the size is unknown. */
  size: number | null;
  bytesRead: number;
  rows: number;
}

export interface FileImport {
  /** The ids whose record is as this row left it; these rows are not read further. */
  findMerged: (rows: RowDigests) => Promise<ReadonlySet<string>>;
  /** Where the ids of merged records lead; absent for others. Rows of one record are saved together. */
  resolve: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Says which patches will be saved next; null if that is of no use. */
  prepare: ((patches: readonly RecordPatch[]) => Promise<void>) | null;
  /** Saves patches, or only reports what would happen to them. */
  save: (patches: readonly RecordPatch[], rows: RowDigests) => Promise<SaveOutcome[]>;
  rejects: RejectsFile;
  /** The kind of rows that have none. */
  kind: Kind | null;
  onProgress: (progress: ImportProgress) => void;
}

/** Rows saved in one step. */
const batchSize = 1_000;
/** Maximum number of ids whose rows wait for more. */
const maxHeld = 10_000;
/** Maximum number of buffered entries for the rejects file, approximately. */
const maxEntries = 5_000;
/** Rejected rows that the summary lists. */
const maxFirstRejects = 10;

const shortRow = {
  field: null,
  code: 'short_row',
  message: 'the row has fewer cells than the header; stored values are kept for the missing ones',
};
const incomplete = {
  field: 'kind',
  code: 'incomplete',
  reason: 'no record has this id, and a new one needs kind and name',
};

/**
 * Reads a file into the store, in constant memory. Rows are saved in file order, so the last of several rows with one
 * id wins. The summary contains what was rejected, and what ended the import early.
 */
export async function importFile(input: Input, options: FileImport): Promise<FileSummary> {
  const job = new FileJob(input, options);
  try {
    await job.run();
  } catch (error) {
    job.fail(error);
  }
  return job.summarize();
}

type Note = Pick<NoteCount, 'field' | 'code' | 'message'>;

/** What will be saved of one record, and the rows it comes from. */
interface Pending {
  /** By their ids: that of the record, and those that lead to it. */
  patches: Map<string, RecordPatch>;
  rows: PendingRow[];
}

interface PendingRow {
  line: number;
  id: string;
  notes: readonly Note[];
  /** Null if there is more to say of the row than what its patch does, or if its file may have more rows of its record. */
  digest: string | null;
}

/** What a row says, and what was noted about it. */
interface ReadRow {
  patch: RecordPatch;
  row: PendingRow;
}

/** A failure of the store or the rejects file, which ends the whole run. */
class SavingFailed extends Error {}

class FileJob {
  readonly #input: Input;
  readonly #summary: FileSummary;
  readonly #options: FileImport;
  readonly #notes = new Map<string, NoteCount>();
  #reader: RowReader | null = null;
  #repeats: Repeats | null = null;
  /** By id: entries that further rows of the file will add to. */
  readonly #held = new Map<string, Pending>();
  /** By id: entries to save next. */
  #batch = new Map<string, Pending>();
  /** The batch after the one that is being saved, where the store prepares batches. */
  #prepared: readonly Pending[] = [];
  #entries: RejectEntry[] = [];
  /** The previous step, which may still be running while the next rows are read. */
  #saving: Promise<void> = Promise.resolve();

  constructor(input: Input, options: FileImport) {
    this.#input = input;
    this.#options = options;
    this.#summary = {
      file: input.name,
      sha256: null,
      size: 0,
      format: null,
      refused: null,
      broken: null,
      stopped: null,
      ...noRows,
      repeats_incomplete: false,
      ignored_columns: [],
      other_sheets: [],
      notes: [],
      first_rejects: [],
      rejects_file: null,
    };
  }

  async run(): Promise<void> {
    this.#repeats = await findRepeats(this.#input, this.#options.kind, {
      resolve: this.#resolve,
      onRead: (source) => this.#report('looking', source),
    });
    const source = await this.#input.open();
    this.#summary.other_sheets = source.otherSheets.map(quoteHeading);
    try {
      const batches = readRows(source, (reader) => {
        this.#reader = reader;
      });
      for await (const rows of batches) {
        await this.#takeAll(rows);
        this.#report('importing', source);
      }
    } catch (error) {
      if (error instanceof RefusedFile || error instanceof SavingFailed) throw error;
      this.fail(error);
    } finally {
      source.close();
      this.#summary.sha256 = source.sha256();
      this.#summary.size = source.bytesRead();
    }
    await this.#finish();
  }

  /**
   * Notes what ended the import: a failure of the store or the rejects file, or a fault of the file. A reader's unexpected
   * error is one too: other files can still be read.
   */
  fail(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof RefusedFile) this.#summary.refused = { code: error.code, reason };
    else if (error instanceof SavingFailed) this.#summary.stopped = reason;
    else if (error instanceof BrokenFile) this.#summary.broken = reason;
    else this.#summary.broken = `cannot be read completely (unexpected error ${quoteHeading(reason)})`;
  }

  /** Rows that were read but not saved because the import stopped do not count as read. */
  summarize(): FileSummary {
    const { created, updated, unchanged, rejected } = this.#summary;
    return {
      ...this.#summary,
      format: this.#reader?.format ?? null,
      read: created + updated + unchanged + rejected,
      repeats_incomplete: this.#repeats?.isIncomplete() ?? false,
      ignored_columns: [...(this.#reader?.ignored ?? [])].map(quoteHeading),
      notes: [...this.#notes.values()].toSorted((a, b) => b.count - a.count),
      first_rejects: this.#summary.first_rejects.toSorted((a, b) => a.line - b.line),
      rejects_file: this.#options.rejects.isMade ? this.#options.rejects.path : null,
    };
  }

  #report(phase: ImportProgress['phase'], { size, bytesRead }: Source): void {
    const { file, read } = this.#summary;
    this.#options.onProgress({ file, phase, size, bytesRead: bytesRead(), rows: read });
  }

  async #takeAll(rows: readonly Row[]): Promise<void> {
    const digests = rows.map((row) => this.#digest(row));
    const merged = await saving(() => this.#options.findMerged(new Map(digests.filter((known) => known !== null))));
    const read = rows.flatMap((row, index) => {
      const [id, digest] = digests[index] ?? [null, null];
      if (id === null || !merged.has(id)) return this.#read(row, digest) ?? [];
      this.#summary.read += 1;
      this.#summary.unchanged += 1;
      return [];
    });
    const leads = await this.#resolve(read.map(({ patch }) => patch.id));
    for (const one of read) {
      if (this.#batch.size >= batchSize || this.#entries.length >= maxEntries) await this.#save();
      this.#hold(one, leads.get(one.patch.id) ?? one.patch.id);
    }
  }

  /** The id of a row with its digest; null if it is not the only row of this id, or has none of its own. */
  #digest(row: Row): [string, string] | null {
    if ('fault' in row || row.isShort) return null;
    const given = normalizeId(row.source.id);
    if ('fault' in given || given.id === null || !this.#repeats?.isAlone(given.id)) return null;
    return [given.id, digestRow(row.source, this.#kind)];
  }

  /** The kind of rows that have none. */
  get #kind(): Kind | null {
    return this.#options.kind ?? this.#reader?.kind ?? null;
  }

  /** null for a row that is rejected. */
  #read(row: Row, digest: string | null): ReadRow | null {
    this.#summary.read += 1;
    const { line } = row;
    if ('fault' in row) {
      this.#reject({ line, id: null, field: null, ...row.fault });
      return null;
    }
    const result = normalizeRecord(row.source, this.#kind);
    if ('rejection' in result) {
      const { field, code, message } = result.rejection;
      this.#reject({ line, id: result.id, field, code, reason: message });
      return null;
    }
    const { patch } = result;
    const notes = row.isShort ? [shortRow, ...result.notes] : result.notes;
    return { patch, row: { line, id: patch.id, notes, digest: notes.length === 0 ? digest : null } };
  }

  /** Merges a row with unsaved rows of the same record, and adds them to the batch after the last one. */
  #hold({ patch, row }: ReadRow, recordId: string): void {
    const { isRepeat, isFollowed } = this.#repeats?.next(recordId) ?? { isRepeat: false, isFollowed: false };
    const pending: Pending = this.#held.get(recordId) ?? this.#batch.get(recordId) ?? { patches: new Map(), rows: [] };
    const { patches, rows } = pending;
    // Beside a merged id, its row repeats nothing.
    if (isRepeat && (patches.size === 0 || patches.has(patch.id))) this.#summary.repeated += 1;
    patches.set(patch.id, { ...patches.get(patch.id), ...patch });
    rows.push(row);
    if (isFollowed) {
      this.#held.set(recordId, pending);
      if (this.#held.size > maxHeld) this.#release();
    } else {
      this.#held.delete(recordId);
      this.#batch.set(recordId, pending);
    }
  }

  #resolve = (ids: readonly string[]) => saving(() => this.#options.resolve(ids));

  #release(): void {
    for (const [id, pending] of this.#held) this.#batch.set(id, pending);
    this.#held.clear();
  }

  /** Passes the batch on when the previous one is saved; where the store prepares batches, the one prepared before. */
  async #save(): Promise<void> {
    const batch = [...this.#batch.values()];
    this.#batch.clear();
    const next = await this.#prepare(batch);
    await this.#saving;
    this.#saving = saving(() => this.#saveBatch(next));
    this.#saving.catch(() => undefined);
  }

  /** Returns the batch to save next. */
  async #prepare(batch: readonly Pending[]): Promise<readonly Pending[]> {
    const { prepare } = this.#options;
    if (prepare === null) return batch;
    await saving(() => prepare(patchesOf(batch)));
    const before = this.#prepared;
    this.#prepared = batch;
    return before;
  }

  /** Saves everything that was read. */
  async #finish(): Promise<void> {
    this.#release();
    await this.#save();
    await this.#save();
    await this.#saving;
  }

  async #saveBatch(batch: readonly Pending[]): Promise<void> {
    if (batch.length > 0) {
      const outcomes = await this.#options.save(patchesOf(batch), digestsOf(batch));
      let settled = 0;
      for (const pending of batch) {
        const { size } = pending.patches;
        this.#settle(pending, outcomes.slice(settled, settled + size));
        settled += size;
      }
    }
    const entries = this.#entries;
    this.#entries = [];
    await this.#options.rejects.append(entries);
  }

  /** Of several rows of one record, the last counts as what happened to the record, the earlier ones as unchanged. */
  #settle({ patches, rows }: Pending, outcomes: readonly SaveOutcome[]): void {
    if (outcomes.length < patches.size) throw new Error('the store returned fewer outcomes than records');
    const outcome = strongest.find((one) => outcomes.includes(one)) ?? 'incomplete';
    if (outcome === 'incomplete') {
      for (const { line, id } of rows) this.#reject({ line, id, ...incomplete });
      return;
    }
    this.#summary[outcome] += 1;
    this.#summary.unchanged += rows.length - 1;
    for (const { line, id, notes } of rows) for (const note of notes) this.#note(line, id, note);
  }

  #reject(entry: FileSummary['first_rejects'][number]): void {
    this.#summary.rejected += 1;
    this.#entries.push({ level: 'reject', file: this.#summary.file, ...entry });
    if (this.#summary.first_rejects.length < maxFirstRejects) this.#summary.first_rejects.push(entry);
  }

  #note(line: number, id: string, { field, code, message }: Note): void {
    this.#entries.push({ level: 'note', file: this.#summary.file, line, id, field, code, reason: message });
    const key = `${field} ${code}`;
    const counted = this.#notes.get(key);
    if (counted === undefined) this.#notes.set(key, { field, code, message, count: 1 });
    else counted.count += 1;
  }
}

function patchesOf(batch: readonly Pending[]): RecordPatch[] {
  return batch.flatMap(({ patches }) => [...patches.values()]);
}

/** The digests of rows that alone make a record's patch. */
function digestsOf(batch: readonly Pending[]): RowDigests {
  const digests = new Map<string, string>();
  for (const { rows } of batch) {
    const [row] = rows;
    if (rows.length === 1 && row !== undefined && row.digest !== null) digests.set(row.id, row.digest);
  }
  return digests;
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
