import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import type { RecordKey } from '#records/media-record.ts';
import { findField } from '#records/normalize/find-field.ts';
import { UsageError } from '#src/command-line/command-line.ts';
import { nameKey, trimEnd } from '#text/fold.ts';
import { type ColumnFile, type ColumnTarget, readColumnFile } from './column-file.ts';
import { listFields, quoteHeading, RefusedFile, type Row } from './row.ts';

/**
 * What becomes of columns without a field: `propose` gives them the fields that they seem to fill, `leave` leaves them
 * out, and `refuse` does so unless they hold addresses. `look` is for a file that is only looked at.
 */
type UnknownColumns = 'propose' | 'leave' | 'refuse' | 'look';

type Source = Record<string, unknown>;

/** What is around an address in a cell, and between it and a name. */
const around = ' \t\r\n<>()[],;:|/"–-';

/** Which field each heading or key of a list fills: as a column file says, otherwise by the usual headings. */
export class ColumnMap {
  readonly unknown: UnknownColumns;
  readonly header: readonly string[] | null;
  readonly headerRow: number | null;
  readonly #file: Partial<ColumnFile>;
  readonly #targets: ReadonlyMap<string, ColumnTarget>;
  /** Fields that the file gives to a column: no other heading fills them. */
  readonly #taken: ReadonlySet<RecordKey | null>;
  /** The second field of columns that fill two, by the first one. */
  readonly #seconds: ReadonlyMap<RecordKey, RecordKey>;

  constructor(file: Partial<ColumnFile>, unknown: UnknownColumns = 'refuse') {
    const columns = [...(file.columns ?? [])];
    this.unknown = unknown;
    this.header = file.header ?? null;
    this.headerRow = file.headerRow ?? null;
    this.#file = file;
    this.#targets = new Map(columns.map(([heading, target]) => [headingKey(heading), target]));
    this.#taken = new Set(columns.flatMap(([, target]) => target));
    this.#seconds = new Map(columns.flatMap(([, target]) => (Array.isArray(target) ? [[target[0], target[1]]] : [])));
  }

  /** The same, with these columns beside or in place of its own, and constants beside them. */
  with(
    columns: ReadonlyMap<string, ColumnTarget>,
    unknown = this.unknown,
    constants: ColumnFile['constants'] = {},
  ): ColumnMap {
    const file = {
      ...this.#file,
      columns: new Map([...(this.#file.columns ?? []), ...columns]),
      constants: { ...constants, ...this.#file.constants },
    };
    return new ColumnMap(file, unknown);
  }

  /** Whether somebody said what this column is. */
  names(heading: string): boolean {
    return this.#targets.has(headingKey(heading));
  }

  /** The fields of a column: none for a column to ignore. */
  fieldsOf(heading: string): readonly RecordKey[] {
    const target = this.#targets.get(headingKey(heading));
    const usual = target === undefined ? findField(heading) : null;
    const fields = target === undefined && this.#taken.has(usual) ? [] : [target ?? usual].flat();
    return fields.filter((field) => field !== null);
  }

  /** The field of a column, the first one if it fills two; null for a column to ignore. */
  fieldOf(heading: string): RecordKey | null {
    return this.fieldsOf(heading)[0] ?? null;
  }

  /** @throws RefusedFile if a list lacks a column that the file gives a field */
  requireHeadings(headings: readonly string[]): void {
    const present = new Set(headings.map(headingKey));
    const named = [...(this.#file.columns ?? [])].filter(([, target]) => target !== null).map(([heading]) => heading);
    const missing = named.filter((heading) => !present.has(headingKey(heading)));
    if (missing.length === 0) return;
    const [wanted, found] = [missing, headings].map((some) => some.slice(0, 12).map(quoteHeading).join(', '));
    throw new RefusedFile('missing_column', `has no column ${wanted}, which the column file names. It has ${found}`);
  }

  /** The rows as their columns are meant: cells for two fields parted, lists split, words translated, gaps filled. */
  complete(rows: Row[]): Row[] {
    const { constants = {}, listSeparator = null, values } = this.#file;
    const isPlain = Object.keys(constants).length === 0 && listSeparator === null && (values?.size ?? 0) === 0;
    if (isPlain && this.#seconds.size === 0) return rows;
    return rows.map((row) => ('fault' in row ? row : { ...row, source: this.#complete({ ...row.source }) }));
  }

  #complete(source: Source): Source {
    const { constants = {}, listSeparator = null, values = new Map() } = this.#file;
    for (const [first, second] of this.#seconds) part(source, first, second);
    for (const key of listFields) {
      const cell = source[key];
      if (typeof cell !== 'string' || (listSeparator === null && !values.has(key as RecordKey))) continue;
      source[key] = cell.split(listSeparator ?? '|').flatMap((item) => item.split('|'));
    }
    for (const [key, meanings] of values) {
      const translate = (word: unknown) => meanings.get(nameKey(String(word))) ?? word;
      const cell = source[key];
      if (Array.isArray(cell)) source[key] = cell.map(translate);
      else if (typeof cell === 'string') source[key] = translate(cell);
    }
    for (const [key, value] of Object.entries(constants)) {
      if (source[key] === undefined || source[key] === null || source[key] === '') source[key] = value;
    }
    return source;
  }
}

/** Parts a cell: the email address or what follows the last comma, and the rest. What it lacks stays as it is stored. */
function part(source: Source, first: RecordKey, second: RecordKey): void {
  const cell = source[first];
  if (typeof cell !== 'string') return;
  if (cell.trim() === '') {
    source[second] = '';
  } else if (first === 'email' || second === 'email') {
    const address = cell.split(/[\s<>()[\],;:|"]+/).find((word) => word.includes('@'));
    const sides = address === undefined ? [cell] : cell.replace(`mailto:${address}`, address).split(address);
    const texts = sides.map((side) => trimEnd(side.replace(/^[\s<>()[\],;:|/"–-]+/, ''), around));
    const name = texts.filter((text) => text !== '').join(', ');
    delete source[first];
    if (address !== undefined) source.email = address;
    if (name !== '') source[first === 'email' ? second : first] = name;
  } else {
    const comma = cell.lastIndexOf(',');
    if (comma < 0) return;
    source[first] = cell.slice(0, comma);
    source[second] = cell.slice(comma + 1);
  }
}

/** Headings are the same whatever their case, accents and punctuation, if they have letters at all. */
function headingKey(heading: string): string {
  return nameKey(heading) || heading.trim();
}

/** Every heading as usual. */
export const usualColumns = new ColumnMap({});

/**
 * The columns that a file names; for `auto` those that are proposed.
 *
 * @throws UsageError if there is no such file, or if it is not valid
 */
export async function loadColumns(path: string): Promise<ColumnMap> {
  if (path === 'auto') return new ColumnMap({}, 'propose');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--columns: ${path} cannot be read (${error.code}). Use a column file, or auto.`);
  });
  try {
    return new ColumnMap(readColumnFile(text));
  } catch (error) {
    throw new UsageError(`the column file ${path} cannot be used: ${(error as Error).message}`);
  }
}

/** The value of --encoding: a label of the WHATWG Encoding Standard. */
export function readEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new InvalidArgumentError('Use windows-1252, windows-1251, shift_jis, gb18030 or another label of the web.');
  }
}
