import { nameKey, trimEnd } from '#text/fold.ts';
import type { ColumnMap } from '../columns/column-map.ts';
import { fieldsInHeading } from '../columns/guess-field.ts';
import { quoteHeading, RefusedFile } from '../row.ts';
import type { Sheet, SheetRow } from './workbook.ts';

/*
 * Texts in Markdown with tables, read as workbooks: tables of the same headings are one sheet, called like the section of the first.
 */

interface Table {
  name: string;
  /** The first is that of the headings. */
  rows: SheetRow[];
}

const row = /^ {0,3}\|?.*\|/;
const section = /^#{1,6}\s(.*)$/;
const fence = /^ {0,3}(?:```[^`]*$|~~~)/;

/** Whether a line stands between the headings of a table and its rows: `|:---|---:|`. */
function isRule(line: string): boolean {
  if (!/^[ \t|:-]+$/.test(line)) return false;
  return cellsOf(line).every((cell) => cell !== '-' && /^:?-+:?$/.test(cell));
}

/** Whether a text begins with a table in Markdown, maybe below other text. */
export function holdsTables(text: string): boolean {
  const lines = text.split(/\r?\n/);
  const place = lines.findIndex(
    (line, index) => line.includes('|') && isRule(line) && row.test(lines[index - 1] ?? ''),
  );
  // An open quote before it: the table stands in a cell of a CSV file.
  return place > 0 && (lines.slice(0, place).join('\n').match(/"/g)?.length ?? 0) % 2 === 0;
}

/**
 * The tables of the section with this name; without one, the longest that names media, or else the first.
 *
 * @throws RefusedFile without such a section
 */
export function readTables(text: string, name: string | null, columns: ColumnMap): Sheet {
  const lines = text.split(/\r\n|\n|\r/);
  const plainTables = tablesIn(withoutCode(lines));
  const sheets = joinAlike(plainTables.length > 0 ? plainTables : tablesIn(lines));
  const names = sheets.map((sheet) => sheet.name);
  const chosen =
    name === null
      ? sheets.toSorted((a, b) => sizeOf(b, columns) - sizeOf(a, columns))[0]
      : sheets.find((sheet) => [sheet.name, asShown(sheet.name)].some((own) => nameKey(own) === nameKey(name)));
  if (chosen === undefined) {
    const known = names.map(quoteHeading).join(', ');
    throw new RefusedFile('no_sheet', `has no table ${quoteHeading(name ?? '')}. Its tables are ${known}`);
  }
  return { rows: chosen.rows, otherSheets: names.filter((other) => other !== chosen.name) };
}

/** A name as messages show it, which cut long ones. */
function asShown(name: string): string {
  return quoteHeading(name).slice(1, -1);
}

/** How many rows a sheet has, if a heading says where their media are named. */
function sizeOf({ rows }: Table, columns: ColumnMap): number {
  const isName = (heading: string) => columns.fieldOf(heading) === 'name' || fieldsInHeading(heading).includes('name');
  return rows[0]?.cells.some(isName) ? rows.length : 0;
}

/** The lines, with those of blocks of code empty: a table in one is an example, unless there is no other. */
function withoutCode(lines: readonly string[]): string[] {
  let isCode = false;
  return lines.map((line) => {
    const isFence = fence.test(line);
    isCode = isFence ? !isCode : isCode;
    return isCode || isFence ? '' : line;
  });
}

function tablesIn(lines: readonly string[]): Table[] {
  const tables: Table[] = [];
  let name = '';
  let isInTable = false;
  for (const [place, line] of lines.entries()) {
    const heading = section.exec(line)?.[1];
    if (heading !== undefined) name = withoutMarks(trimEnd(heading, ' \t#'));
    isInTable &&= row.test(line);
    const isHeading: boolean = !isInTable && row.test(line) && isRule(lines[place + 1] ?? '');
    if (isHeading) tables.push({ name: name || `Table ${tables.length + 1}`, rows: [] });
    isInTable ||= isHeading;
    if (isInTable && !isRule(line)) tables.at(-1)?.rows.push({ line: place + 1, cells: cellsOf(line) });
  }
  return tables;
}

/** Tables of the same headings joined, each below those of the first. Others of one section are numbered. */
function joinAlike(tables: readonly Table[]): Table[] {
  const byHeadings = Map.groupBy(tables, ({ rows }) => rows[0]?.cells.map(nameKey).join('|') ?? '');
  const joined = [...byHeadings.values()].map(([first, ...others]) => ({
    name: first?.name ?? '',
    rows: [...(first?.rows ?? []), ...others.flatMap(({ rows }) => rows.slice(1))],
  }));
  return joined.map(({ name, rows }, index) => {
    const before = joined.slice(0, index).filter((other) => other.name === name).length;
    return { name: before === 0 ? name : `${name} (${before + 1})`, rows };
  });
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map(withoutMarks);
}

/** A text without marks of emphasis, strikes and code, and without backslashes before punctuation. */
function withoutMarks(text: string): string {
  return text
    .replace(/\\([!-/:-@[-`{-~])|\*\*|~~|`([^`]*)`/g, '$1$2')
    .trim()
    .replace(/^(__|\*)(.*)\1$/, '$2')
    .trim();
}
