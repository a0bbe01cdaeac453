import { type ColumnKey, placeOfColumn } from '#records/contacts/contact-columns.ts';
import { urlInMarkdown } from '#records/normalize/normalize-url.ts';
import { kindOfHeading } from '#records/normalize/source-words.ts';
import type { Kind } from '#records/vocabularies.ts';
import { unguardFormula } from '#src/encodings/formulas.ts';
import type { ColumnMap } from '../columns/column-map.ts';
import { findOptOuts, saysOptOut } from '../columns/opted-out.ts';
import { areOurs } from '../columns/people-columns.ts';
import { proposeColumns, sampleOf, settleColumns } from '../columns/propose-columns.ts';
import { joinNames } from '../join-names.ts';
import { withRealMedium } from '../real-medium.ts';
import {
  firstOfRepeated,
  isList,
  partOfNameIn,
  quoteHeading,
  type RawList,
  type RawRow,
  RefusedFile,
  type Row,
  type RowReader,
  rejectColumns,
  type Sample,
} from '../row.ts';
import { isBlank } from './csv-cells.ts';
import { openCsv, openSheet } from './csv-table.ts';
import { openJson, openNdjson } from './json-objects.ts';
import { joined, type Source, splitLines } from './open-input.ts';
import { openOpml } from './opml-rows.ts';
import { withPrintedCells } from './printed-table.ts';

/** Opens a list, whatever its format. Throws RefusedFile if nothing of it can be read. */
export async function openRows(source: Source, columns: ColumnMap, kind: Kind | null = null) {
  const list = await openRawRows(source, columns);
  const { value: first = [] } = await list.rows.next();
  const sample = sampleOf(list.headings ?? [], first);
  const hasKind = kind !== null || saysKind(columns, [...sample.keys()]);
  const { settled, reader } = readHeadings(list, columns, sample, hasKind);
  async function* rows(): AsyncGenerator<Row[]> {
    for await (const batch of joined<RawRow[]>(first, list.rows))
      yield settled.complete(batch.map((row) => reader.read(row))).map(withRealMedium);
  }
  return { reader, rows: rows(), wantsNoMail: findOptOuts(list.headings, columns) };
}

function readHeadings(list: RawList, columns: ColumnMap, sample: Sample, hasKind: boolean) {
  try {
    const settled = settleColumns(columns, sample);
    const isProposed = () => proposeColumns(columns, sample).some(({ field }) => [field].flat().some(identifies));
    return { settled, reader: new FieldReader(list, settled, isProposed) };
  } catch (error) {
    throw error instanceof RefusedFile && !hasKind ? askingForKind(error) : error;
  }
}

/** Whether rows have a kind, or a type that tells it, or a heading does. */
export function saysKind(columns: ColumnMap, headings: readonly string[]): boolean {
  return headings.some(
    (heading) => ['id', 'kind', 'type'].includes(columns.fieldOf(heading) ?? '') || kindOfHeading(heading) !== null,
  );
}

/** A refusal that asks for the kind, too, so that a second one need not. */
export function askingForKind({ code, message }: RefusedFile): RefusedFile {
  return new RefusedFile(code, `${message}. No column says the kind, so add --kind outlet, or podcast or newsletter`);
}

/** The values of a list's first rows, by heading; throws as openRows does. */
export async function readSample(source: Source, columns: ColumnMap): Promise<Sample> {
  const { headings, rows } = await openRawRows(source, columns);
  return sampleOf(headings ?? [], (await rows.next()).value ?? []);
}

/** Opens a list, whatever its format, before its columns have a meaning. Throws RefusedFile if nothing of it can be read. */
export async function openRawRows({ content }: Source, columns: ColumnMap): Promise<RawList> {
  if ('rows' in content) return withPrintedCells(openSheet(content.rows, columns));
  const { value: start = '' } = await content.texts.next();
  const texts = joined<string>(start, content.texts);
  if (/^\s*\[/.test(start) || isOneObject(start, columns)) return openJson(texts);
  if (/^\s*<[?!a-z]/i.test(start)) {
    if (start.includes('<opml')) return openOpml(texts);
    throw new RefusedFile('not_text', 'is XML or HTML, but no OPML list of feeds. Save it as CSV');
  }
  return /^\s*\{/.test(start)
    ? openNdjson(splitLines(texts))
    : withPrintedCells(await openCsv(splitLines(texts), columns));
}

/** Whether a text is one JSON object that is not a row: it spans lines, or is the only one and has no name, URL or id. */
function isOneObject(text: string, columns: ColumnMap): boolean {
  const [first = '', ...otherLines] = text.trimStart().split(/\r\n|\n|\r/);
  if (!first.startsWith('{')) return false;
  try {
    const isRow = Object.keys(JSON.parse(first)).some((key) => identifies(columns.fieldOf(key)));
    return !isRow && otherLines.every((line) => line.trim() === '');
  } catch {
    return otherLines.length === 0 || /[{[,]\s*$/.test(first);
  }
}

function howToName(isProposed: boolean): string {
  const ways = isProposed ? '--columns auto or --columns FILE' : '--columns FILE; auto proposes none';
  return `Say what its columns are with ${ways} (docs/data-staff.md)`;
}

/** How many unknown headings are reported, and how many keys are remembered. */
const maxIgnored = 100;
const maxKeys = 10_000;

type Field = ColumnKey | null;

/** What tells a medium from others of its name. */
const ofMedium: ReadonlySet<Field> = new Set(['kind', 'type', 'url', 'feed_url', 'country', 'region', 'city']);

class FieldReader implements RowReader {
  readonly format: RawList['format'];
  readonly kind: RowReader['kind'];
  readonly ignored = new Set<string>();
  readonly #columns: ColumnMap;
  /** The headings of a table and their fields; null and empty for JSON. */
  readonly #headings: readonly string[] | null;
  readonly #fields: readonly Field[];
  readonly #isOurs: boolean;
  /** The fields of the headings and keys found so far. */
  readonly #keys = new Map<string, Field>();

  /** @throws RefusedFile for a table whose headings do not say what its rows are */
  constructor({ format, headings }: RawList, columns: ColumnMap, isProposed: () => boolean) {
    this.format = format;
    this.#columns = columns;
    this.#headings = headings;
    this.#isOurs = headings !== null && areOurs(headings);
    this.#fields = (headings ?? []).map((heading) => this.#fieldOf(heading));
    this.kind = (headings ?? []).map(kindOfHeading).find((kind) => kind !== null) ?? null;
    if (headings !== null) checkFields(headings, this.#fields, columns, isProposed);
  }

  get headings(): readonly string[] {
    return this.#headings ?? [...this.#keys.keys()];
  }

  read({ line, cells, fault, above }: RawRow): Row {
    if (fault) return { line, cells, fault };
    const source: Record<string, unknown> = {};
    if (this.#headings !== null) {
      const isSameMedium = above !== undefined && this.#isSameMedium(cells as readonly string[], above);
      for (const [place, field] of this.#fields.entries()) {
        const ownCell = (cells as readonly string[])[place];
        // Below a medium that is not written out again, its page and place are not, either.
        const cell =
          isSameMedium && ownCell !== undefined && isBlank(ownCell) && ofMedium.has(field) ? above[place] : ownCell;
        if (field === null || cell === undefined) continue;
        const heading = this.#headings[place] ?? '';
        const text = unguardFormula(cell);
        // Exports have nothing but `|` between beats.
        if (field.startsWith('beats') && !this.#isOurs) {
          source[field] = addToList(source[field] ?? '', partBeats(text));
          continue;
        }
        // `10 Boss;One;One HD`. Exports, whose heading is `aliases`, have names with semicolons.
        const value = field === 'aliases' && heading !== 'aliases' ? text.replaceAll(';', '|') : text;
        if (field in source) {
          const earlierHeading = this.#headings[this.#fields.indexOf(field)] ?? '';
          source[field] = join(field, source[field], value, [earlierHeading, heading]);
        } else source[field] = value;
      }
      return rowOf(line, cells, source, (cells as readonly string[]).length < this.#headings.length);
    }
    for (const [key, cell] of Object.entries(cells)) {
      const field = this.#fieldOf(key);
      if (field === null) continue;
      const value = field.startsWith('beats') ? partBeats(cell) : cell;
      if (!Object.hasOwn(source, field)) source[field] = value;
      else {
        const keys = Object.keys(cells).filter((otherKey) => this.#fieldOf(otherKey) === field);
        if (isJoined(field, key, this.#columns)) {
          source[field] = join(field, source[field], value, [keys[0] ?? '', key]);
          continue;
        }
        const reason = `${keys.map(quoteHeading).join(' and ')} both mean ${field}; keep one of them, or take what is proposed with --columns auto`;
        return { line, cells, fault: { code: 'duplicate_key', reason } };
      }
    }
    return rowOf(line, cells, source, false);
  }

  #isSameMedium(cells: readonly string[], above: readonly string[]): boolean {
    const place = this.#fields.indexOf('name');
    return place >= 0 && cells[place] === above[place];
  }

  #fieldOf(key: string): Field {
    const knownField = this.#keys.get(key);
    if (knownField !== undefined) return knownField;
    const field = this.#columns.fieldOf(key);
    if (this.#keys.size < maxKeys) this.#keys.set(key, field);
    const isUsed = rejectColumns.includes(key) || saysOptOut(key);
    if (field === null && key !== '' && this.ignored.size < maxIgnored && !isUsed) this.ignored.add(key);
    return field;
  }
}

/** Whether a column may fill a field that another one fills too: with items of a list, or a part of the contact's name. */
function isJoined(field: ColumnKey, heading: string, columns: ColumnMap): boolean {
  return isList(field) || (placeOfColumn(field).field === 'contact_name' && columns.names(heading));
}

/** Stands for names that joinNames cannot tell apart. */
const mixedNames = {
  code: 'mixed_names',
  reason: 'the columns of first and last names hold several people, and it cannot be told who is who; give each a row',
};

function rowOf(line: Row['line'], cells: RawRow['cells'], source: Record<string, unknown>, isShort: boolean): Row {
  const areMixed = Object.values(source).includes(mixedNames);
  return areMixed ? { line, cells, fault: mixedNames } : { line, cells, source: withoutMarkdown(source), isShort };
}

/** Names that are links in Markdown, `[Radio Nord](https://nord.example)`, are their text, with the page of a row that has no other. */
function withoutMarkdown(source: Record<string, unknown>): Record<string, unknown> {
  const name = typeof source.name === 'string' && source.name.startsWith('[') ? source.name : '';
  const url = urlInMarkdown(name);
  return url === null ? source : { ...source, name: name.slice(1, name.indexOf(']')), url: source.url || url };
}

/** The value of a field with that of a further column: a longer list, or a first name with the last. */
function join(field: ColumnKey, before: unknown, value: unknown, headings: readonly [string, string]): unknown {
  if (isList(field)) return addToList(before, value);
  if (Array.isArray(before) || before === mixedNames) return mixedNames;
  const [earlierPart, laterPart] = [before, value].map((part) => String(part ?? '')) as [string, string];
  // Of `Cognome, Nome`, only one heading says its part; `Prénom, Deuxième prénom` say the same.
  const [earlier, later] = headings.map(partOfNameIn);
  const isLastFirst = earlier !== later && (earlier === 'last' || later === 'first');
  return (isLastFirst ? joinNames(laterPart, earlierPart) : joinNames(earlierPart, laterPart)) ?? mixedNames;
}

/** Beats as lists have them in one text: `Politics, Energy`. */
function partBeats(value: unknown): unknown {
  return typeof value === 'string' && !value.includes('|') ? value.replaceAll(/[,;]/g, '|') : value;
}

/** Joins the cells of two columns to one list. */
function addToList(list: unknown, cell: unknown): unknown {
  if (typeof list === 'string' && typeof cell === 'string') return `${list}|${cell}`;
  return [list, cell].flatMap((value) => (typeof value === 'string' ? value.split('|') : (value ?? [])));
}

function checkFields(
  headings: readonly string[],
  fields: readonly Field[],
  columns: ColumnMap,
  isProposed: () => boolean,
): void {
  const firstHeadings = headings.slice(0, 8).map(quoteHeading).join(', ');
  if (fields.every((field) => field === null))
    throw new RefusedFile('no_known_column', `has no known column: ${firstHeadings}. ${howToName(isProposed())}`);
  for (const [index, field] of fields.entries()) {
    const first = fields.indexOf(field);
    if (field === null || first === index || isJoined(field, headings[index] ?? '', columns)) continue;
    const [firstColumn, secondColumn] = [first, index].map(
      (at) => `${quoteHeading(firstOfRepeated(headings[at] ?? ''))} (column ${at + 1})`,
    );
    throw new RefusedFile(
      'duplicate_column',
      `has two columns for ${field}: ${firstColumn} and ${secondColumn}. ${columns.unknown === 'propose' ? 'Rename one of them' : 'Take what is proposed with --columns auto, rename one of them'}, or leave it out with --ignore`,
    );
  }
  if (!fields.some(identifies)) {
    throw new RefusedFile(
      'nothing_identifies',
      `has none of the columns id, name and url, so its rows cannot be matched to records. ${howToName(isProposed())}`,
    );
  }
}

function identifies(field: Field | undefined): boolean {
  return field === 'id' || field === 'name' || field === 'url';
}
