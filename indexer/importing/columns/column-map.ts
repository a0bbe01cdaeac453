import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import { parse } from 'yaml';
import { z } from 'zod';
import { type ColumnKey, isContactColumn, placeOfColumn } from '#records/contacts/contact-columns.ts';
import { isServiceDate, sourceKeys } from '#records/fields.ts';
import type { RecordKey } from '#records/media-record.ts';
import { isLikelyPlaceholder } from '#records/normalize/clean-text.ts';
import { isFlatKey } from '#records/normalize/normalize-contact.ts';
import { findField } from '#records/normalize/source-words.ts';
import { countryOfRegion } from '#records/places/regions.ts';
import { UsageError } from '#src/command-line/command-line.ts';
import { findNearestWord } from '#text/edit-distance.ts';
import { nameKey } from '#text/fold.ts';
import { firstOfRepeated, isList, listFields, quoteHeading, RefusedFile, type Row } from '../row.ts';
import { type Source, splitCell } from './split-cell.ts';

/** The field or the two fields that a column fills; null for a column to ignore. */
export type ColumnTarget = ColumnKey | readonly [ColumnKey, ColumnKey] | null;

/** Values for rows that have none. */
export type Constants = Readonly<Partial<Record<ColumnKey, unknown>>>;

/** The field with this name, or a hint what to use instead. */
export function findFieldNamed(name: string): RecordKey | { hint: string } {
  if (isServiceDate(name)) return { hint: 'The service sets this date itself.' };
  const nearest = findNearestWord(name, sourceKeys);
  return findField(name) ?? { hint: nearest === null ? `Use ${sourceKeys.join(', ')}` : `Did you mean ${nearest}?` };
}

const fieldName = z.string().transform((name, context): ColumnKey => {
  const field = isContactColumn(name) || isOfFurtherPerson(name) ? name : findFieldNamed(name);
  if (typeof field === 'string') return field;
  context.addIssue(`${quoteHeading(name)} is not a field to fill. ${field.hint}`);
  return z.NEVER;
});

/** Whether a name is that of a column about a further person of a row, such as `email_2`. */
function isOfFurtherPerson(name: string): name is ColumnKey {
  const { field, place } = placeOfColumn(name);
  return place > 1 && (isContactColumn(field) || isFlatKey(field));
}

const columnTarget = z
  .preprocess((names) => [names ?? []].flat(), z.array(fieldName).max(2, 'a column fills two fields at most'))
  .transform(([first = null, second]): ColumnTarget => (first && second ? [first, second] : first));

const lineExpected = 'must be the number of a line, such as 3';

const columnFile = z
  .strictObject({
    /** By heading. */
    columns: z.record(z.string(), columnTarget).nullish(),
    constants: z.record(fieldName, z.unknown()).nullish(),
    /** What words of the source mean, by field. */
    values: z.record(fieldName, z.record(z.string(), z.unknown()).nullable()).nullish(),
    /** Separates the values of a list in a cell, besides `|` and line ends. */
    list_separator: z.string('must be text, such as ";"').min(1).nullish(),
    /** The headings of a file that has none. */
    header: z.array(z.coerce.string(), 'must be a list of headings, such as [name, url]').min(1).nullish(),
    /** The line of the file, from 1, that has the headings; by default the first one that is not blank. */
    header_row: z.int(lineExpected).positive(lineExpected).nullish(),
  })
  .refine(({ header, header_row: row }) => !header || !row, 'header and header_row exclude each other');

type ColumnFile = z.infer<typeof columnFile>;

/** What happens to columns without a field: `propose` guesses one, `leave` ignores them, `refuse` too unless addresses would be lost. */
type UnknownColumns = 'propose' | 'leave' | 'refuse';

/** The field that each heading or key of a list fills: as a column file says, or else by the usual headings. */
export class ColumnMap {
  readonly unknown: UnknownColumns;
  readonly header: readonly string[] | null;
  readonly headerRow: number | null;
  readonly #file: ColumnFile;
  /** Fields whose constant is only a guess. */
  readonly #implied: readonly RecordKey[];
  readonly #targets: ReadonlyMap<string, ColumnTarget>;
  /** Fields that the file gives to a column, so no other heading fills them. */
  readonly #fieldsOfFile: ReadonlySet<ColumnKey | null>;
  /** What words mean, in nameKey form, by field. */
  readonly #meanings: ReadonlyMap<string, ReadonlyMap<string, unknown>>;

  constructor(file: ColumnFile, unknown: UnknownColumns = 'refuse', implied: readonly RecordKey[] = []) {
    const columns = Object.entries(file.columns ?? {});
    this.unknown = unknown;
    this.#implied = implied;
    this.header = file.header ?? null;
    this.headerRow = file.header_row ?? null;
    this.#file = file;
    this.#targets = new Map(columns.map(([heading, target]) => [headingKey(heading), target]));
    this.#fieldsOfFile = new Set(columns.flatMap(([, target]) => target));
    this.#meanings = new Map(
      Object.entries(file.values ?? {}).map(([field, words]) => [
        field,
        new Map(Object.entries(words ?? {}).flatMap(([word, to]) => (to === null ? [] : [[nameKey(word), to]]))),
      ]),
    );
  }

  /** A copy with these columns, which come before its own, and with constants that are only guesses. */
  with(columns: Readonly<Record<string, ColumnTarget>>, unknown = this.unknown, constants: Constants = {}): ColumnMap {
    const file = this.#file;
    const merged = { columns: { ...file.columns, ...columns }, constants: { ...constants, ...file.constants } };
    return new ColumnMap({ ...file, ...merged } as ColumnFile, unknown, 'country' in constants ? ['country'] : []);
  }

  /** Whether the file or the command line says what this column is. */
  names(heading: string): boolean {
    return this.#targets.has(headingKey(heading));
  }

  /** The fields of a column: none for a column to ignore. */
  fieldsOf(heading: string): readonly ColumnKey[] {
    const first = firstOfRepeated(heading);
    const target = this.#targets.get(headingKey(this.names(heading) ? heading : first));
    const usual = target === undefined ? (findField(first) ?? contactColumnNamed(first)) : null;
    const targets = target === undefined && this.#fieldsOfFile.has(usual) ? [] : [target ?? usual].flat();
    return targets.filter((field) => field !== null);
  }

  /** Whether the file says which columns are about further people of a row. */
  get hasFurtherPeople(): boolean {
    return [...this.#fieldsOfFile].some((field) => field !== null && placeOfColumn(field).place > 1);
  }

  /** Values for rows that have none. */
  get constants(): Constants {
    return this.#file.constants ?? {};
  }

  /** The field of a column, the first one if it fills two; null for a column to ignore. */
  fieldOf(heading: string): ColumnKey | null {
    return this.fieldsOf(heading)[0] ?? null;
  }

  /** @throws RefusedFile if a list lacks a column that the file gives a field */
  requireHeadings(headings: readonly string[]): void {
    const presentKeys = new Set(headings.map(headingKey));
    const missing = Object.entries(this.#file.columns ?? {}).flatMap(([heading, target]) =>
      target === null || presentKeys.has(headingKey(heading)) ? [] : [heading],
    );
    if (missing.length === 0) return;
    const [missingHeadings, presentHeadings] = [missing, headings].map((list) =>
      list.slice(0, 12).map(quoteHeading).join(', '),
    );
    throw new RefusedFile(
      'missing_column',
      `has no column ${missingHeadings}, which the column file names. It has ${presentHeadings}`,
    );
  }

  /** Applies the column file to rows: splits cells for two fields and lists, translates words, fills gaps with constants. */
  complete(rows: Row[]): Row[] {
    const { list_separator: separator } = this.#file;
    const targets = [...this.#targets.values()];
    const isPlain = !separator && this.#meanings.size === 0 && Object.keys(this.constants).length === 0;
    if (isPlain && !targets.some(Array.isArray)) return rows;
    return rows.map((row) => {
      if ('fault' in row) return row;
      const source = this.#complete({ ...row.source });
      const implied = this.#implied.filter((key) => !row.source[key] && source[key]);
      return { ...row, source, implied };
    });
  }

  #complete(source: Source): Source {
    const { list_separator: separator } = this.#file;
    for (const target of this.#targets.values()) if (Array.isArray(target)) splitCell(source, target[0], target[1]);
    for (const key of listFields) {
      const cell = source[key];
      if (typeof cell !== 'string' || !(separator || this.#meanings.has(key))) continue;
      source[key] = cell.split(separator || '|').flatMap((item) => item.split('|'));
    }
    for (const [key, meanings] of this.#meanings) {
      const translate = (word: unknown) => meanings.get(nameKey(String(word))) ?? word;
      const cell = source[key];
      if (Array.isArray(cell)) source[key] = cell.map(translate);
      else if (typeof cell === 'string') source[key] = translate(cell);
    }
    for (const [key, value] of Object.entries(this.constants)) {
      if (source[key] !== undefined && source[key] !== null && source[key] !== '') continue;
      // A list of one country may have a few media of others: Ontario is not in the US.
      const isGuess = key === 'country' && this.#implied.includes(key);
      const region = String(source.region ?? '');
      const guess = isGuess ? countryOfRegion(isLikelyPlaceholder(region) ? '' : region, String(value)) : value;
      if (guess !== null) source[key] = guess;
    }
    return source;
  }
}

/** `beats` and `links` alone may be topics and a page of the medium. */
function contactColumnNamed(heading: string): ColumnKey | null {
  return isContactColumn(heading) && heading !== 'beats' && heading !== 'links' ? heading : null;
}

/** Headings with letters are compared without case, accents and punctuation. */
function headingKey(heading: string): string {
  return nameKey(heading) || heading.trim();
}

export const usualColumns = new ColumnMap({});

/** Reads a YAML or JSON column file; `auto` stands for proposals. Throws UsageError with all faults of the file. */
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

function readColumnFile(text: string): ColumnFile {
  let value: unknown;
  try {
    // Aliases are not allowed, because a few lines of them can expand to gigabytes.
    value = parse(text, { maxAliasCount: 0, logLevel: 'error' });
  } catch (error) {
    const line = (error as { linePos?: readonly { line: number }[] }).linePos?.[0]?.line;
    throw new Error(`it is not valid YAML${line === undefined ? '' : ` (line ${line})`}`);
  }
  const { data, error } = columnFile.safeParse(value ?? {});
  if (error) {
    const issues = error.issues.flatMap((issue) => (issue.code === 'invalid_key' ? issue.issues : issue));
    throw new Error(issues.map(({ path, message }) => [...path.map(String), message].join(': ')).join('; '));
  }
  const filled = new Map<ColumnKey, string>();
  for (const [heading, target] of Object.entries(data.columns ?? {})) {
    for (const field of [target].flat()) {
      const other = field === null ? undefined : filled.get(field);
      if (other !== undefined && field !== null && !isList(field) && placeOfColumn(field).field !== 'contact_name')
        throw new Error(`${quoteHeading(other)} and ${quoteHeading(heading)} both fill ${field}`);
      if (field !== null) filled.set(field, heading);
    }
  }
  if (data.constants && 'id' in data.constants) throw new Error('id cannot be a constant');
  return data;
}

/** The value of --encoding: a label of the WHATWG Encoding Standard. */
export function readEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new InvalidArgumentError('Use windows-1252, windows-1251, shift_jis, gb18030 or another label of the web.');
  }
}
