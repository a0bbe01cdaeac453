import { parse } from 'yaml';
import { fields } from '#domain/fields.ts';
import type { RecordKey } from '#domain/media-record.ts';
import { findField } from '#domain/normalize/find-field.ts';
import { findNearestWord } from '#domain/search/edit-distance.ts';
import { nameKey } from '#domain/search/fold.ts';
import { RefusedFile } from './refused-file.ts';
import { quoteHeading, type Row } from './row.ts';

/** What a column file says. */
export interface ColumnFile {
  /** The field of each heading; null for a column to ignore. */
  columns: ReadonlyMap<string, RecordKey | null>;
  /** Values for rows that have none. */
  constants: Readonly<Partial<Record<RecordKey, unknown>>>;
  /** What is between the values of a list in a cell, besides `|` and line ends. */
  listSeparator: string | null;
}

const parts = ['columns', 'constants', 'list_separator'];
const lists: ReadonlySet<string> = new Set(fields.filter(({ type }) => type === 'list').map(({ key }) => key));

/** Which field each heading or key of a list fills: as a column file says, otherwise by the usual headings. */
export class ColumnMap {
  /** Whether the rows are imported, so that something must say which record each is. */
  readonly isForImport: boolean = true;
  readonly #file: ColumnFile;
  readonly #fields: ReadonlyMap<string, RecordKey | null>;
  /** Fields that the file gives to a column: no other heading fills them. */
  readonly #taken: ReadonlySet<RecordKey | null>;
  readonly #changesRows: boolean;

  constructor(file: ColumnFile) {
    this.#file = file;
    this.#fields = new Map([...file.columns].map(([heading, field]) => [headingKey(heading), field]));
    this.#taken = new Set(file.columns.values());
    this.#changesRows = file.listSeparator !== null || Object.keys(file.constants).length > 0;
  }

  /** null for a column to ignore. */
  fieldOf(heading: string): RecordKey | null {
    const field = this.#fields.get(headingKey(heading));
    if (field !== undefined) return field;
    const usual = findField(heading);
    return this.#taken.has(usual) ? null : usual;
  }

  /** @throws RefusedFile if a list lacks a column that the file names */
  requireHeadings(headings: readonly string[]): void {
    const present = new Set(headings.map(headingKey));
    const missing = [...this.#file.columns.keys()].filter((heading) => !present.has(headingKey(heading)));
    if (missing.length === 0) return;
    const [wanted, found] = [missing, headings].map((some) => some.slice(0, 12).map(quoteHeading).join(', '));
    throw new RefusedFile('missing_column', `has no column ${wanted}, which the column file names. It has ${found}`);
  }

  /** The rows with constants where they have no value, and with the lists of their cells split. */
  complete(rows: Row[]): Row[] {
    if (!this.#changesRows) return rows;
    return rows.map((row) => ('fault' in row ? row : { ...row, source: this.#completeSource(row.source) }));
  }

  #completeSource(source: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const completed: Record<string, unknown> = { ...source };
    const { constants, listSeparator } = this.#file;
    for (const [key, value] of Object.entries(constants)) {
      if (completed[key] === undefined || completed[key] === null || completed[key] === '') completed[key] = value;
    }
    if (listSeparator === null) return completed;
    for (const key of lists) {
      const cell = completed[key];
      if (typeof cell === 'string') completed[key] = cell.split(listSeparator).flatMap((part) => part.split('|'));
    }
    return completed;
  }
}

/** Every heading as usual. */
export const usualColumns = new ColumnMap({ columns: new Map(), constants: {}, listSeparator: null });

/**
 * Reads a column file: YAML, or JSON.
 *
 * @throws Error that names everything wrong with it
 */
export function readColumnFile(text: string): ColumnFile {
  const faults: string[] = [];
  const { columns = {}, constants = {}, list_separator: separator = null, ...others } = parseObject(text);
  for (const name of Object.keys(others)) faults.push(`"${name}" is unknown; use ${parts.join(', ')}`);
  const file: ColumnFile = {
    columns: readColumns(asObject(columns, 'columns', faults), faults),
    constants: readConstants(asObject(constants, 'constants', faults), faults),
    listSeparator: typeof separator === 'string' && separator !== '' ? separator : null,
  };
  if (separator !== null && file.listSeparator === null) faults.push('list_separator must be text, such as ";"');
  if (faults.length > 0) throw new Error(faults.join('; '));
  return file;
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    // Without aliases, which can repeat what they name without end.
    value = parse(text, { maxAliasCount: 0, logLevel: 'error' });
  } catch (error) {
    const line = (error as { linePos?: readonly { line: number }[] }).linePos?.[0]?.line;
    throw new Error(`it is not valid YAML${line === undefined ? '' : ` (line ${line})`}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('it does not say `columns:` with a field for each heading');
  }
  return value as Record<string, unknown>;
}

function asObject(value: unknown, name: string, faults: string[]): Record<string, unknown> {
  if (value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  faults.push(`${name} must have lines such as "name: value"`);
  return {};
}

function readColumns(columns: Record<string, unknown>, faults: string[]): Map<string, RecordKey | null> {
  const read = new Map<string, RecordKey | null>();
  const headings = new Map<RecordKey, string>();
  for (const [heading, name] of Object.entries(columns)) {
    const field = name === null ? null : readField(name, faults);
    read.set(heading, field);
    if (field === null) continue;
    const other = headings.get(field);
    if (other !== undefined) faults.push(`${quoteHeading(other)} and ${quoteHeading(heading)} both fill ${field}`);
    headings.set(field, heading);
  }
  return read;
}

function readConstants(constants: Record<string, unknown>, faults: string[]): Partial<Record<RecordKey, unknown>> {
  const read: Partial<Record<RecordKey, unknown>> = {};
  for (const [name, value] of Object.entries(constants)) {
    const field = readField(name, faults);
    if (field === 'id') faults.push('id cannot be a constant');
    else if (field !== null) read[field] = value;
  }
  return read;
}

function readField(name: unknown, faults: string[]): RecordKey | null {
  const field = typeof name === 'string' ? findField(name) : null;
  if (field !== null) return field;
  const keys = fields.map(({ key }) => key);
  const nearest = typeof name === 'string' ? findNearestWord(name, keys) : null;
  const right = nearest === null ? `Use ${keys.join(', ')}` : `Did you mean ${nearest}?`;
  faults.push(`${quoteHeading(String(name))} is not a field. ${right}`);
  return null;
}

/** Headings are the same whatever their case, accents and punctuation, if they have letters at all. */
function headingKey(heading: string): string {
  return nameKey(heading) || heading.trim();
}
