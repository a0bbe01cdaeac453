import { hash } from 'node:crypto';
import type { CellObject, WorkBook } from '@e965/xlsx';
import { normalForm } from '#text/fold.ts';
import { quoteHeading, RefusedFile } from '../row.ts';
import { countUnpacked } from './unpacked-size.ts';

/** A row of a sheet that has a value. `line` is its number. */
export interface SheetRow {
  line: number;
  cells: string[];
  /** The targets of links, by the place of the cell. */
  links?: ReadonlyMap<number, string>;
}

/** A sheet's rows, and the names of the workbook's other visible sheets. */
export interface Sheet {
  rows: readonly SheetRow[];
  otherSheets: readonly string[];
}

/** How zip archives (.xlsx, .ods) and old workbooks (.xls) begin, in hexadecimal. */
const starts = { zip: '504b0304', old: 'd0cf11e0' };
/** Marks the end of a zip archive. The parser searches an archive that was cut off for it without end. */
const zipEnd = 'PK\u0005\u0006';

/** The most that a workbook may take unpacked, in bytes: 300,000 rows of 12 cells, and reading them 1.2 GB of memory. */
export const maxUnpacked = 256 * 1024 * 1024;

type SheetJs = Pick<typeof import('@e965/xlsx'), 'read' | 'SSF'>;

/** Whether the first bytes of a file are those of a workbook, or of another zip archive. */
export function isWorkbook(start: Buffer): boolean {
  return Object.values(starts).includes(start.toString('hex', 0, 4));
}

/** The sheet that was read last, because an import reads its list several times. */
let latest: (Sheet & { key: string }) | null = null;

/**
 * Reads a sheet of an Excel or OpenDocument workbook, by default the first that is not hidden. Formulas have the values that
 * were saved with them. Throws RefusedFile if the file is no workbook or has no such sheet.
 */
export async function readSheet(file: Buffer, name: string | null): Promise<Sheet> {
  const key = `${hash('sha256', file)} ${name}`;
  if (latest?.key !== key) latest = { key, ...(await parseSheet(file, name)) };
  return latest;
}

async function parseSheet(file: Buffer, name: string | null): Promise<Sheet> {
  await requireSize(file);
  // Loaded only here, because it takes a while and most lists are no workbooks.
  const xlsx = await import('@e965/xlsx');
  const key = (text: string) => normalForm(text, 'NFC').trim().toLowerCase();
  const { SheetNames: names, Sheets: sheets, Workbook: book } = parse(file, xlsx);
  const visible = names.filter((_, at) => !book?.Sheets?.[at]?.Hidden);
  const sheetName =
    name === null ? (visible[0] ?? names[0]) : names.find((visibleName) => key(visibleName) === key(name));
  if (sheetName === undefined) {
    const sheetNames = names.map(quoteHeading).join(', ');
    const lack = name === null ? 'has no sheet' : `has no sheet ${quoteHeading(name)}. Its sheets are ${sheetNames}`;
    throw new RefusedFile('no_sheet', lack);
  }
  const is1904 = book?.WBProps?.date1904 === true;
  const cellRows: readonly ((CellObject | undefined)[] | undefined)[] = sheets[sheetName]?.['!data'] ?? [];
  const titles = new Set<number>();
  for (const { s: first, e: last } of sheets[sheetName]?.['!merges'] ?? []) {
    // A cell that is merged downwards is repeated. One that is merged across an otherwise empty row is a title.
    const cell = cellRows[first.r]?.[first.c];
    for (const row of cellRows.slice(first.r + 1, last.r + 1)) if (row !== undefined) row[first.c] = cell;
    if (last.c > first.c && cellRows[first.r]?.every((otherCell) => otherCell === cell || !otherCell?.v))
      titles.add(first.r);
  }
  const rows = cellRows.flatMap((cells = [], at) => {
    const texts = Array.from(cells, (cell) => (cell === undefined ? '' : textOf(cell, is1904, xlsx)));
    const links = new Map(cells.flatMap((cell, place) => (cell?.l?.Target ? [[place, cell.l.Target] as const] : [])));
    return texts.some((text) => text !== '') && !titles.has(at) ? [{ line: at + 1, cells: texts, links }] : [];
  });
  return { rows, otherSheets: visible.filter((otherName) => otherName !== sheetName) };
}

async function requireSize(file: Buffer): Promise<void> {
  const isZip = file.toString('hex', 0, 4) === starts.zip;
  const size = isZip ? await countUnpacked(file, maxUnpacked) : file.length;
  if (size > maxUnpacked) throw tooLarge();
}

export function tooLarge(): RefusedFile {
  const most = maxUnpacked / 1024 / 1024;
  return new RefusedFile(
    'too_large',
    `is too large for a workbook: it takes more than ${most} MB unpacked. Save its sheet as CSV, which may have any length`,
  );
}

function parse(file: Buffer, { read }: SheetJs): WorkBook {
  const isZip = file.toString('hex', 0, 4) === starts.zip;
  if (isZip && !file.includes(zipEnd, -65_600, 'latin1')) throw damagedFile();
  try {
    return read(file, { dense: true, cellNF: true, cellText: false, cellHTML: false, cellFormula: false });
  } catch (cause) {
    const { message } = cause as Error;
    if (/password/i.test(message)) throw new RefusedFile('password', 'has a password. Save it without one');
    if (message === 'Unsupported ZIP file')
      throw new RefusedFile('not_text', 'is a zip archive. Unpack it and pass its files');
    throw damagedFile(cause);
  }
}

function damagedFile(cause?: unknown): RefusedFile {
  return new RefusedFile('bad_archive', 'is a damaged workbook or zip archive', { cause });
}

/** The text of a cell: dates in ISO 8601, ids with all digits and leading zeros. */
function textOf({ t: type, v: value, z: format }: CellObject, is1904: boolean, { SSF }: SheetJs): string {
  if (type === 'b') return value ? 'TRUE' : 'FALSE';
  if (type === 'e') return 'N/A';
  if (typeof value !== 'number') return String(value ?? '').replace(/[\r\n]+/g, ' ');
  const code = String(format ?? '');
  if (SSF.is_date(code)) return dateText(is1904 ? value + daysTo1904 : value);
  // Sheets have 15 digits. Large numbers must not become 1.2E+10.
  const rounded = Number.isInteger(value) ? value : Number(value.toPrecision(15));
  const text = rounded.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 15 });
  return /^0{2,}$/.test(code) ? text.padStart(code.length, '0') : text;
}

/** Days from the first day of sheets (1900-01-00) to 1 January 1970, and to the first day of sheets that begin in 1904. */
const daysTo1970 = 25_569;
const daysTo1904 = 1_462;

function dateText(days: number): string {
  const date = new Date(Math.round((days - daysTo1970) * 86_400) * 1_000);
  if (Number.isNaN(date.getTime())) return String(days);
  const text = date.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}
