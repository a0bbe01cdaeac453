import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { holdsAddress } from '#records/addresses/scrub-addresses.ts';
import type { SaveOutcome } from '#records/record-store.ts';
import type { ColumnMap } from './column-map.ts';
import { type Cause, type FileSummary, noRows } from './import-summary.ts';
import { invalidMark } from './open-input.ts';
import { BrokenFile, quoteHeading, RefusedFile, type RowCells, type RowReader, rejectColumns } from './row.ts';

/** What is to say of a row, or of a value of it as it stands in the source. */
export type Note = Pick<Cause, 'field' | 'code' | 'message'> & { value?: unknown };

export interface NotedRow {
  line: number;
  cells: RowCells;
  notes: readonly Note[];
}

interface RejectedRow {
  line: number;
  reason: string;
  cells: RowCells;
}

const incomplete = {
  field: 'kind',
  code: 'incomplete',
  reason:
    'no record has this id, and a new one needs kind and name; add --kind outlet, or podcast or newsletter, and let --columns auto find the names',
};

/** A failure of the store or the rejects file, which ends the whole run. */
export class SavingFailed extends Error {}

/** Accounts for every row of a file: in counts, by cause, and by line in two files. */
export class FileAccount {
  readonly summary: FileSummary;
  readonly #about: string;
  readonly #notes = new Causes();
  readonly #causes = new Causes();
  #rejected: RejectedRow[] = [];
  #entries: object[] = [];

  /** @param about the beginning of the names of the two files */
  constructor(file: string, about: string) {
    this.#about = about;
    this.summary = {
      ...{ file, sha256: null, size: 0, format: null },
      ...{ refused: null, broken: null, stopped: null },
      ...noRows,
      ...{ ignored_columns: [], doubted_columns: [], other_sheets: [] },
      ...{ notes: [], causes: [], rejects_file: null, rows_file: null },
    };
  }

  /** How many entries wait to be written, approximately. */
  get waiting(): number {
    return this.#rejected.length + this.#entries.length;
  }

  reject({ field, code, ...row }: RejectedRow & { field: string | null; code: string }): void {
    this.summary.rejected += 1;
    this.#rejected.push(row);
    this.#causes.add({ field, code, message: row.reason }, row.line);
  }

  /** Counts the rows of one record. The first counts as what happened to the record, the others repeat it. */
  settle(rows: readonly (NotedRow & { id: string })[], outcome: SaveOutcome): void {
    let first: number | null = null;
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

  async write(headings: readonly string[]): Promise<void> {
    const below = headings.filter(isOfSource);
    const [rejected, entries] = [this.#rejected, this.#entries];
    [this.#rejected, this.#entries] = [[], []];
    if (rejected.length > 0) {
      const lines = rejected.map(({ line, reason, cells }) =>
        csvLine([String(line), reason, ...laidOut(cells, headings, below)]),
      );
      const heading = csvLine([...rejectColumns, ...below]);
      this.summary.rejects_file ??= await makeFile(`${this.#about}.rejects.csv`, heading);
      await appendFile(this.summary.rejects_file, lines.join(''));
    }
    if (entries.length > 0) {
      this.summary.rows_file ??= await makeFile(`${this.#about}.rows.ndjson`, '');
      await appendFile(this.summary.rows_file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    }
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
   * Rows that were read but not saved because the import stopped do not count as read. `columns` is what the headings
   * mean before their values were looked at: those that somebody left out are not news.
   */
  close(reader: RowReader | null, columns: ColumnMap): FileSummary {
    const { created, updated, unchanged, repeated, rejected } = this.summary;
    const ignored = [...(reader?.ignored ?? [])].filter((heading) => !columns.names(heading));
    const isDoubted = (heading: string) => columns.fieldOf(heading) !== null;
    return {
      ...this.summary,
      format: reader?.format ?? null,
      read: created + updated + unchanged + repeated + rejected,
      ignored_columns: ignored.filter((heading) => !isDoubted(heading)).map(quoteHeading),
      doubted_columns: ignored.filter(isDoubted).map(quoteHeading),
      notes: this.#notes.list(),
      causes: this.#causes.list(),
    };
  }
}

/** Fields whose values are about people. */
const privateFields: ReadonlySet<string | null> = new Set(['email', 'phone', 'contact_name']);
/** Codes of values that were not understood; others were read in part, or are unfit for a list. */
const skipped: ReadonlySet<string> = new Set([
  ...['unreadable', 'unknown_value', 'unknown_topics', 'not_a_web_address', 'not_public'],
]);
/** Values counted for a cause, and their length: enough for the words of a column. */
const maxValues = 1_000;
const maxLength = 200;
const shownValues = 10;

/** Counts causes, in bounded memory. */
class Causes {
  readonly #causes = new Map<string, Omit<Cause, 'values'> & { values: Map<string, number> }>();

  /** @param value as it stands in the source; undefined if it is not to be shown */
  add({ field, code, message }: Note, line: number, value?: unknown): void {
    const key = `${field} ${code}`;
    const cause = this.#causes.get(key) ?? { field, code, message, count: 0, first_line: line, values: new Map() };
    this.#causes.set(key, cause);
    cause.count += 1;
    cause.first_line = Math.min(cause.first_line, line);
    if (typeof value !== 'string' || value.length > maxLength || !skipped.has(code) || privateFields.has(field)) return;
    const count = cause.values.get(value);
    if (count !== undefined || cause.values.size < maxValues) cause.values.set(value, (count ?? 0) + 1);
  }

  /** The commonest first. */
  list(): Cause[] {
    const ordered = [...this.#causes.values()].toSorted((a, b) => b.count - a.count || a.first_line - b.first_line);
    return ordered.map((cause) => {
      const values = [...cause.values].toSorted(([, a], [, b]) => b - a).filter(([value]) => !holdsAddress(value));
      const shown = values.slice(0, shownValues).map(([value, count]) => ({ value: quoteHeading(value), count }));
      return { ...cause, values: shown };
    });
  }
}

/** Makes a file for its owner alone, and its folder; returns its path. */
async function makeFile(path: string, content: string): Promise<string> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, content, { mode: 0o600 });
    return path;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`${path} cannot be written (${code}); choose another folder with --rejects FOLDER`, { cause });
  }
}

/**
 * The cells of a rejected row under the headings of its source, so that `import` reads them again. What fits under none, such
 * as a line that could not be parsed, stands whole behind the last column: it is rejected again until it is corrected.
 */
function laidOut(cells: RowCells, headings: readonly string[], below: readonly string[]): readonly string[] {
  if (Array.isArray(cells)) return cells.filter((_, place) => isOfSource(headings[place] ?? ''));
  if (typeof cells === 'string') return [...below.map(() => ''), cells];
  const values = cells as Readonly<Record<string, unknown>>;
  const fits = Object.keys(values).every((key) => headings.includes(key));
  return fits ? below.map((key) => cellText(values[key])) : [...below.map(() => ''), JSON.stringify(values)];
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isOfSource(heading: string): boolean {
  return !rejectColumns.includes(heading);
}

/** Cells that a spreadsheet would run get an apostrophe, as in exports; the importer removes it. */
function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) => {
    const text = cell.replaceAll(invalidMark, '\ufffd').replace(/^(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/, "'");
    return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${quoted.join(',')}\r\n`;
}
