import { parse } from 'yaml';
import { fields } from '#records/fields.ts';
import type { RecordKey } from '#records/media-record.ts';
import { findField } from '#records/normalize/find-field.ts';
import { findNearestWord } from '#text/edit-distance.ts';
import { nameKey } from '#text/fold.ts';
import { listFields, quoteHeading } from './row.ts';

/** The field that a column fills, or the two; null for a column to ignore. */
export type ColumnTarget = RecordKey | readonly [RecordKey, RecordKey] | null;

/** What a column file says. */
export interface ColumnFile {
  /** By heading. */
  columns: ReadonlyMap<string, ColumnTarget>;
  /** Values for rows that have none. */
  constants: Readonly<Partial<Record<RecordKey, unknown>>>;
  /** By field: what a word of the source means. The words are in nameKey form. */
  values: ReadonlyMap<RecordKey, ReadonlyMap<string, unknown>>;
  /** What is between the values of a list in a cell, besides `|` and line ends. */
  listSeparator: string | null;
  /** The headings of a file that has none. */
  header: readonly string[] | null;
  /** The line of the file, from 1, that has the headings; null for the first one that is not blank. */
  headerRow: number | null;
}

const parts = ['columns', 'constants', 'values', 'list_separator', 'header', 'header_row'];

/**
 * Reads a column file: YAML, or JSON.
 *
 * @throws Error that names everything wrong with it
 */
export function readColumnFile(text: string): ColumnFile {
  const faults: string[] = [];
  const {
    columns,
    constants,
    values,
    list_separator: separator,
    header,
    header_row: row,
    ...others
  } = parseObject(text);
  for (const name of Object.keys(others)) faults.push(`"${name}" is unknown; use ${parts.join(', ')}`);
  const file: ColumnFile = {
    columns: readColumns(asObject(columns, 'columns', faults), faults),
    constants: readConstants(asObject(constants, 'constants', faults), faults),
    values: readValues(asObject(values, 'values', faults), faults),
    listSeparator: typeof separator === 'string' && separator !== '' ? separator : null,
    header: Array.isArray(header) && header.length > 0 ? header.map(String) : null,
    headerRow: typeof row === 'number' && Number.isInteger(row) && row > 0 ? row : null,
  };
  const isSet = (value: unknown) => value !== undefined && value !== null;
  if (isSet(separator) && file.listSeparator === null) faults.push('list_separator must be text, such as ";"');
  if (isSet(header) && file.header === null) faults.push('header must be a list of headings, such as [name, url]');
  if (isSet(row) && file.headerRow === null) faults.push('header_row must be the number of a line, such as 3');
  if (file.header !== null && file.headerRow !== null) faults.push('header and header_row exclude each other');
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
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  faults.push(`${name} must have lines such as "name: value"`);
  return {};
}

function readColumns(columns: Record<string, unknown>, faults: string[]): Map<string, ColumnTarget> {
  const read = new Map<string, ColumnTarget>();
  const headings = new Map<RecordKey, string>();
  for (const [heading, names] of Object.entries(columns)) {
    const targets = names === null ? [] : [names].flat().map((name) => readField(name, faults));
    if (targets.length > 2) faults.push(`${quoteHeading(heading)} fills more than two fields`);
    const [first = null, second = null] = targets;
    read.set(heading, first !== null && second !== null ? [first, second] : first);
    for (const field of targets) {
      if (field === null) continue;
      const other = headings.get(field);
      if (other !== undefined && !listFields.has(field))
        faults.push(`${quoteHeading(other)} and ${quoteHeading(heading)} both fill ${field}`);
      headings.set(field, heading);
    }
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

/** Words without a meaning, as a proposal leaves them, stay as they are. */
function readValues(values: Record<string, unknown>, faults: string[]): Map<RecordKey, Map<string, unknown>> {
  const read = new Map<RecordKey, Map<string, unknown>>();
  for (const [name, words] of Object.entries(values)) {
    const field = readField(name, faults);
    const meanings = Object.entries(asObject(words, `values of ${quoteHeading(name)}`, faults));
    const known = meanings
      .filter(([, meaning]) => meaning !== null)
      .map(([word, meaning]) => [nameKey(word), meaning] as const);
    if (field !== null) read.set(field, new Map(known));
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
