import type { SaveOutcome } from '#records/record-store.ts';
import { type Cause, Causes } from './causes.ts';
import type { ColumnMap } from './column-map.ts';
import { type FileSummary, noRows } from './import-summary.ts';
import { BrokenFile, RefusedFile } from './refused-file.ts';
import { type ListFile, type RejectedRow, rejectsHeading, rejectsLines } from './rejects-file.ts';
import { quoteHeading, type RowCells, type RowReader } from './row.ts';

/** What is to say of a row, or of a value of it as it stands in the source. */
export type Note = Pick<Cause, 'field' | 'code' | 'message'> & { value?: unknown };

/** A row that was read, and what was noted about it. */
export interface NotedRow {
  line: number;
  cells: RowCells;
  notes: readonly Note[];
}

type Reject = FileSummary['first_rejects'][number] & { cells: RowCells };

/** Rejected rows as CSV; and, as NDJSON, rows that repeat another one or whose values were changed or skipped. */
export interface RowFiles {
  rejects: ListFile;
  notes: ListFile;
}

/** Rejected rows that the summary lists. */
const maxFirstRejects = 10;

const incomplete = {
  field: 'kind',
  code: 'incomplete',
  reason: 'no record has this id, and a new one needs kind and name',
};

/** A failure of the store or the rejects file, which ends the whole run. */
export class SavingFailed extends Error {}

/** Accounts for every row of a file: in counts, by cause, and by line in two files. */
export class FileAccount {
  readonly summary: FileSummary;
  readonly #files: RowFiles;
  readonly #notes = new Causes();
  readonly #causes = new Causes();
  #rejected: RejectedRow[] = [];
  #entries: object[] = [];

  constructor(file: string, files: RowFiles) {
    this.#files = files;
    this.summary = {
      ...{ file, sha256: null, size: 0, format: null },
      ...{ refused: null, broken: null, stopped: null },
      ...noRows,
      ...{ repeats_incomplete: false, ignored_columns: [], doubted_columns: [], other_sheets: [] },
      ...{ notes: [], causes: [], first_rejects: [], rejects_file: null, rows_file: null },
    };
  }

  /** How many entries wait to be written, approximately. */
  get waiting(): number {
    return this.#rejected.length + this.#entries.length;
  }

  reject({ cells, ...entry }: Reject): void {
    const { line, field, code, reason } = entry;
    this.summary.rejected += 1;
    this.#rejected.push({ line, reason, cells });
    this.#causes.add({ field, code, message: reason }, line);
    if (this.summary.first_rejects.length < maxFirstRejects) this.summary.first_rejects.push(entry);
  }

  /**
   * Counts the rows of one record. The first counts as what happened to the record, the others repeat it.
   *
   * @param before the line on which input that is read once had this record; null if it had not, and in other input
   */
  settle(rows: readonly (NotedRow & { id: string })[], outcome: SaveOutcome, before: number | null): void {
    let first = before;
    for (const { line, cells, id, notes } of rows) {
      if (outcome === 'incomplete') {
        this.reject({ line, cells, id, ...incomplete });
        continue;
      }
      if (first === null) {
        this.summary[outcome] += 1;
        first = line;
      } else {
        this.summary.repeated += 1;
        this.#entries.push({ level: 'repeat', line, id, first_line: first });
      }
      for (const { value, ...note } of notes) {
        this.#entries.push({ level: 'note', line, id, field: note.field, code: note.code, reason: note.message });
        this.#notes.add(note, line, value);
      }
    }
  }

  /** Writes the entries that wait. */
  async write(headings: readonly string[]): Promise<void> {
    const [rejected, entries] = [this.#rejected, this.#entries];
    this.#rejected = [];
    this.#entries = [];
    await this.#files.rejects.append(rejectsLines(rejected, headings), rejectsHeading(headings));
    await this.#files.notes.append(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }

  /**
   * Notes what ended the import: a failure of the store or the rejects file, or a fault of the file. A reader's unexpected
   * error is one too: other files can still be read.
   */
  fail(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof RefusedFile) this.summary.refused = { code: error.code, reason };
    else if (error instanceof SavingFailed) this.summary.stopped = reason;
    else if (error instanceof BrokenFile) this.summary.broken = reason;
    else this.summary.broken = `cannot be read completely (unexpected error ${quoteHeading(reason)})`;
  }

  /**
   * The whole account. Rows that were read but not saved because the import stopped do not count as read.
   *
   * @param columns what the headings mean before their values were looked at
   */
  close(reader: RowReader | null, columns: ColumnMap | null, isIncomplete: boolean): FileSummary {
    const { created, updated, unchanged, repeated, rejected, first_rejects } = this.summary;
    const { rejects, notes } = this.#files;
    const ignored = [...(reader?.ignored ?? [])];
    const doubted = ignored.filter((heading) => (columns?.fieldOf(heading) ?? null) !== null);
    return {
      ...this.summary,
      format: reader?.format ?? null,
      read: created + updated + unchanged + repeated + rejected,
      repeats_incomplete: isIncomplete,
      ignored_columns: ignored.filter((heading) => !doubted.includes(heading)).map(quoteHeading),
      doubted_columns: doubted.map(quoteHeading),
      notes: this.#notes.list(),
      causes: this.#causes.list(),
      first_rejects: first_rejects.toSorted((a, b) => a.line - b.line),
      rejects_file: rejects.isMade ? rejects.path : null,
      rows_file: notes.isMade ? notes.path : null,
    };
  }
}
