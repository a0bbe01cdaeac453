import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { holdsAddress } from '#records/addresses/scrub-addresses.ts';
import type { SaveOutcome } from '#records/record-store.ts';
import type { ColumnMap } from './column-map.ts';
import { invalidMark } from './decode-text.ts';
import { type Cause, type FileSummary, noRows } from './import-summary.ts';
import { BrokenFile, quoteHeading, RefusedFile, type RowCells, type RowReader, rejectColumns } from './row.ts';

/** What is to say of a row, or of a value of it as it stands in the source. */
export type Note = Pick<Cause, 'field' | 'code' | 'message'> & { value?: unknown };

/** A row that was read, and what was noted about it. */
export interface NotedRow {
  line: number;
  cells: RowCells;
  notes: readonly Note[];
}

interface Reject extends RejectedRow {
  field: string | null;
  code: string;
}

/** Rejected rows as CSV; and, as NDJSON, rows that repeat another one or whose values were changed or skipped. */
export interface RowFiles {
  rejects: ListFile;
  notes: ListFile;
}

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
      ...{ notes: [], causes: [], rejects_file: null, rows_file: null },
    };
  }

  /** How many entries wait to be written, approximately. */
  get waiting(): number {
    return this.#rejected.length + this.#entries.length;
  }

  reject({ line, cells, field, code, reason }: Reject): void {
    this.summary.rejected += 1;
    this.#rejected.push({ line, reason, cells });
    this.#causes.add({ field, code, message: reason }, line);
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
        this.reject({ line, cells, ...incomplete });
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
    const { created, updated, unchanged, repeated, rejected } = this.summary;
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
      rejects_file: rejects.isMade ? rejects.path : null,
      rows_file: notes.isMade ? notes.path : null,
    };
  }
}

type Counted = Omit<Cause, 'values'> & { values: Map<string, number> };

/** Fields whose values are about people. */
const privateFields: ReadonlySet<string | null> = new Set(['email', 'phone', 'contact_name']);
/** Codes of values that were not understood; others were read in part, or are unfit for a list. */
const skipped: ReadonlySet<string> = new Set([
  'unreadable',
  'unknown_value',
  'unknown_topics',
  'not_a_web_address',
  'not_public',
]);
/** Values counted for a cause, and their length: enough for the words of a column. */
const maxValues = 1_000;
const maxLength = 200;
const shownValues = 10;

/** Counts causes, in bounded memory. */
class Causes {
  readonly #causes = new Map<string, Counted>();

  /** @param value as it stands in the source; undefined if it is not to be shown */
  add({ field, code, message }: Pick<Cause, 'field' | 'code' | 'message'>, line: number, value?: unknown): void {
    const key = `${field} ${code}`;
    let cause = this.#causes.get(key);
    if (cause === undefined) {
      cause = { field, code, message, count: 0, first_line: line, values: new Map() };
      this.#causes.set(key, cause);
    }
    cause.count += 1;
    cause.first_line = Math.min(cause.first_line, line);
    if (typeof value !== 'string' || value.length > maxLength || !skipped.has(code) || privateFields.has(field)) return;
    const count = cause.values.get(value);
    if (count !== undefined || cause.values.size < maxValues) cause.values.set(value, (count ?? 0) + 1);
  }

  /** The commonest first. */
  list(): Cause[] {
    return [...this.#causes.values()]
      .toSorted((a, b) => b.count - a.count || a.first_line - b.first_line)
      .map((cause) => ({ ...cause, values: commonest(cause.values) }));
  }
}

function commonest(values: ReadonlyMap<string, number>): Cause['values'] {
  return [...values]
    .toSorted(([, a], [, b]) => b - a)
    .filter(([value]) => !holdsAddress(value))
    .slice(0, shownValues)
    .map(([value, count]) => ({ value: quoteHeading(value), count }));
}

/** A file about the rows of one list, for its owner alone. It and its folder are made with the first entry. */
export class ListFile {
  readonly path: string;
  #handle: FileHandle | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /** Whether it contains anything. */
  get isMade(): boolean {
    return this.#handle !== null;
  }

  /** @param heading what it begins with */
  async append(text: string, heading = ''): Promise<void> {
    if (text === '') return;
    const isNew = this.#handle === null;
    this.#handle ??= await this.#make();
    await this.#handle.appendFile(isNew ? heading + text : text);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async #make(): Promise<FileHandle> {
    try {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      return await open(this.path, 'w', 0o600);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new Error(`${this.path} cannot be written (${code}); choose another folder with --rejects FOLDER`, {
        cause: error,
      });
    }
  }
}

/** A rejected row as it stood in its source. */
interface RejectedRow {
  /** The line on which the row starts, from 1. */
  line: number;
  reason: string;
  cells: RowCells;
}

/** The first line of a rejects file. */
function rejectsHeading(headings: readonly string[]): string {
  return csvLine([...rejectColumns, ...headings.filter(isOfSource)]);
}

/**
 * Rejected rows as lines of CSV under these headings, which `import` reads again. What fits under none of them, such as a
 * line that could not be parsed, stands whole behind the last column, so that it is rejected again until it is corrected.
 */
function rejectsLines(rows: readonly RejectedRow[], headings: readonly string[]): string {
  return rows.map(({ line, reason, cells }) => csvLine([String(line), reason, ...laidOut(cells, headings)])).join('');
}

function laidOut(cells: RowCells, headings: readonly string[]): readonly string[] {
  if (Array.isArray(cells)) return cells.filter((_, place) => isOfSource(headings[place] ?? ''));
  const below = headings.filter(isOfSource);
  const isObject = typeof cells === 'object';
  if (isObject && Object.keys(cells).every((key) => headings.includes(key))) {
    return below.map((key) => cellText((cells as Readonly<Record<string, unknown>>)[key]));
  }
  return [...below.map(() => ''), isObject ? JSON.stringify(cells) : (cells as string)];
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isOfSource(heading: string): boolean {
  return !(rejectColumns as readonly string[]).includes(heading);
}

/** Cells that a spreadsheet would run get an apostrophe, as in exports; the importer removes it. */
function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) => {
    const text = cell.replaceAll(invalidMark, '\ufffd').replace(/^(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/, "'");
    return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${quoted.join(',')}\r\n`;
}
