import { appendFile } from 'node:fs/promises';
import { holdsAddress } from '#records/addresses/scrub-addresses.ts';
import { contactLimit } from '#records/contacts/contact.ts';
import type { RecordPatch } from '#records/media-record.ts';
import { suppressedNameFinder } from '#records/suppression.ts';
import { formatCsv } from '#src/encodings/columns.ts';
import { guardFormula } from '#src/encodings/formulas.ts';
import { messageOf } from '#src/problem.ts';
import type { ColumnMap } from '../columns/column-map.ts';
import { invalidMark } from '../reading/open-input.ts';
import { BrokenFile, quoteHeading, RefusedFile, type RowCells, type RowReader, rejectColumns } from '../row.ts';
import { type Cause, type FileSummary, newFileSummary } from './import-summary.ts';
import { patchesIn } from './people-account.ts';
import { makeFile } from './private-file.ts';

/** A remark on a row or on one of its values, which stands here as it is in the source. */
export type Note = Pick<Cause, 'field' | 'code' | 'message'> & { value?: unknown };

export interface NotedRow {
  line: number;
  cells: RowCells;
  notes: readonly Note[];
}

/** The row of the same record that came first; in another file if it has a name. */
interface FirstRow {
  first_line: number;
  first_file?: string;
}

interface RejectedRow {
  line: number;
  reason: string;
  cells: RowCells;
}

function incomplete({ kind, name }: RecordPatch) {
  const needs = [
    ...(kind ? [] : ['a kind: add --kind outlet, or podcast or newsletter']),
    ...(name ? [] : ['a name: say which column has it with --columns auto or FILE']),
  ];
  const reason = `no record has this id, and a new one needs ${needs.join(', and ')}`;
  return { field: kind ? 'name' : 'kind', code: 'incomplete', reason };
}

const tooManyContacts = {
  field: 'contacts',
  code: 'too_many_contacts',
  reason: `the record has ${contactLimit} contacts, and no more are kept; remove some of them first`,
};

const ambiguousMedium = {
  field: 'name',
  code: 'ambiguous_medium',
  reason:
    'the cell names several media, and one of them stands for several records; give the person a row for each medium',
};

/** A failure of the store or the rejects file, which ends the whole run. */
export class SavingFailed extends Error {}

/** Counts what happened to the rows of a file, by cause too, and writes two files about single rows. */
export class FileAccount {
  readonly summary: FileSummary;
  /** The headings of the file, or all keys of its rows. */
  headings: readonly string[] = [];
  readonly #about: string;
  readonly #namesSuppressed: (texts: readonly string[]) => boolean;
  readonly #notes = new Causes();
  readonly #causes = new Causes();
  readonly #rejected: RejectedRow[] = [];
  readonly #entries: object[] = [];

  /**
   * @param about how the names of the two files begin
   * @param suppressed the keys of all suppressions: the files hold nothing of whom they hide
   */
  constructor(file: string, about: string, suppressed: ReadonlySet<string>) {
    this.#about = about;
    this.#namesSuppressed = suppressedNameFinder(suppressed);
    this.summary = newFileSummary(file);
  }

  /** Whether rows were read that are neither saved nor rejected. */
  get hasUnsaved(): boolean {
    const { read: rowCount, created, updated, unchanged, repeated, rejected } = this.summary;
    return rowCount > created + updated + unchanged + repeated + rejected;
  }

  /** Approximately how many entries wait to be written. */
  get waiting(): number {
    return this.#rejected.length + this.#entries.length;
  }

  /** @param names the people whom the row names, as far as that is known */
  reject(
    { field, code, ...row }: RejectedRow & { field: string | null; code: string },
    names: readonly string[] = [],
  ): void {
    this.summary.rejected += 1;
    const isHidden = this.#namesSuppressed([...textsOf(row.cells), ...names]);
    this.#rejected.push(isHidden ? { ...row, ...withoutCells(row.reason) } : row);
    this.#causes.add({ field, code, message: row.reason }, row.line);
  }

  /** Rejects a row, or says of a further medium of its cell why it does not have the person. */
  rejectSaved(
    row: NotedRow & { patch: RecordPatch; isFurther: boolean },
    outcome: 'incomplete' | 'too_many_contacts' | 'ambiguous',
  ): void {
    const { line, cells, patch, isFurther } = row;
    const causes = { incomplete: incomplete(patch), too_many_contacts: tooManyContacts, ambiguous: ambiguousMedium };
    if (isFurther) {
      const { field, code, reason } = causes[outcome];
      this.#note({ field, code, message: reason, value: patch.name }, line, patch.id);
      return;
    }
    const names = patchesIn(patch).flatMap(({ name }) => name ?? []);
    this.reject({ line, cells, ...causes[outcome] }, names);
  }

  /** Counts a row of a saved record. */
  settle(
    { line, id, notes }: NotedRow & { id: string },
    outcome: 'created' | 'updated' | 'unchanged' | FirstRow,
  ): void {
    if (typeof outcome === 'string') {
      this.summary[outcome] += 1;
    } else {
      this.summary.repeated += 1;
      this.#entries.push({ level: 'repeat', line, id, ...outcome });
    }
    for (const note of notes) this.#note(note, line, id);
  }

  #note({ value, ...note }: Note, line: number, id: string): void {
    this.#entries.push({ level: 'note', line, id, field: note.field, code: note.code, reason: note.message });
    this.#notes.add(note, line, value);
  }

  async write(): Promise<void> {
    const { headings } = this;
    const below = headings.filter(isOfSource);
    const rejected = this.#rejected.splice(0);
    const entries = this.#entries.splice(0);
    if (rejected.length > 0) {
      const rows = rejected.map(({ line, reason, cells }) =>
        [String(line), reason, ...rejectCells(cells, headings, below)].map(readableCell),
      );
      const heading = [...rejectColumns, ...below].map(readableCell);
      this.summary.rejects_file ??= await makeFile(`${this.#about}.rejects.csv`, await formatCsv([heading]));
      await appendFile(this.summary.rejects_file, await formatCsv(rows));
    }
    if (entries.length > 0) {
      this.summary.rows_file ??= await makeFile(`${this.#about}.rows.ndjson`, '');
      await appendFile(this.summary.rows_file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    }
  }

  /** Notes what ended the import. An unexpected error of a reader counts as a fault of the file: others can still be read. */
  fail(error: unknown): void {
    const reason = messageOf(error);
    if (error instanceof RefusedFile) this.summary.refused = { code: error.code, reason };
    else if (error instanceof SavingFailed) this.summary.stopped = reason;
    else if (error instanceof BrokenFile) this.summary.broken = reason;
    else this.summary.broken = `cannot be read completely (unexpected error ${quoteHeading(reason)})`;
  }

  /** The final summary. `columns` is the map before values were looked at: what somebody left out is not reported. */
  close(reader: RowReader | null, columns: ColumnMap): FileSummary {
    const { created, updated, unchanged, repeated, rejected } = this.summary;
    // Without rows that were read but not saved, because the import stopped.
    const settledRows = created + updated + unchanged + repeated + rejected;
    const ignored = [...(reader?.ignored ?? [])].filter((heading) => !columns.names(heading));
    const isDoubted = (heading: string) => columns.fieldOf(heading) !== null;
    return {
      ...this.summary,
      format: reader?.format ?? null,
      read: settledRows,
      ignored_columns: ignored.filter((heading) => !isDoubted(heading)).map(quoteHeading),
      doubted_columns: ignored.filter(isDoubted).map(quoteHeading),
      notes: this.#notes.list(),
      causes: this.#causes.list(),
    };
  }
}

/** Fields whose values are never shown, because they are about people. */
const privateFields: ReadonlySet<string | null> = new Set(['email', 'phone', 'contact_name']);
/** Values with these codes were not understood. They are shown; with other codes they were read at least in part. */
const skipped: ReadonlySet<string> = new Set(
  'unreadable unknown_value not_a_web_address not_public ambiguous_medium'.split(' '),
);
/** How many values of a cause are counted, and how long they may be: enough for the words of a column. */
const maxValues = 1_000;
const maxLength = 200;
const shownValues = 10;

/** Counts causes in limited memory. */
class Causes {
  readonly #causes = new Map<string, Omit<Cause, 'values'> & { values: Map<string, number> }>();

  /** @param value as it stands in the source; undefined to show none */
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

  /** The most frequent first. */
  list(): Cause[] {
    const ordered = [...this.#causes.values()].toSorted((a, b) => b.count - a.count || a.first_line - b.first_line);
    return ordered.map((cause) => {
      const values = [...cause.values].toSorted(([, a], [, b]) => b - a).filter(([value]) => !holdsAddress(value));
      const commonest = values.slice(0, shownValues).map(([value, count]) => ({ value: quoteHeading(value), count }));
      return { ...cause, values: commonest };
    });
  }
}

/**
 * The cells of a rejected row for a CSV file with the columns `below`, which `import` can read again. Anything else, such as
 * a line that could not be parsed, goes into a cell after the last column, so that it is rejected until it is corrected.
 */
function rejectCells(cells: RowCells, headings: readonly string[], below: readonly string[]): readonly string[] {
  if (Array.isArray(cells)) return cells.filter((_, place) => isOfSource(headings[place] ?? ''));
  if (typeof cells === 'string') return [...below.map(() => ''), cells];
  const values = cells as Readonly<Record<string, unknown>>;
  const fits = Object.keys(values).every((key) => headings.includes(key));
  return fits
    ? below.map((key) => cellText(Object.hasOwn(values, key) ? values[key] : ''))
    : [...below.map(() => ''), JSON.stringify(values)];
}

/** All texts in a row, at whatever depth, and their parts: a line that could not be read is one text. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...value.split(/[,;|\t\r\n]/)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** What a rejects file has of a row that names somebody who is hidden. */
function withoutCells(reason: string): Pick<RejectedRow, 'reason' | 'cells'> {
  return { reason: `${reason}; its cells are left out, because they name somebody who is suppressed`, cells: {} };
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isOfSource(heading: string): boolean {
  return !rejectColumns.includes(heading);
}

/** A cell as people see it, which no spreadsheet runs. */
const readableCell = (cell: string) => guardFormula(cell.replaceAll(invalidMark, '\ufffd'));
