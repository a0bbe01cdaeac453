import { posix } from 'node:path';
import { normalForm } from '#text/fold.ts';
import type { ZipArchive } from './open-zip.ts';
import { parseXml, type XmlHandler } from './parse-xml.ts';
import { BrokenFile, quoteHeading, RefusedFile } from './row.ts';
import { type NumberForm, numberText, readNumberForms } from './sheet-values.ts';
import { maxLineBytes } from './split-lines.ts';

const workbookPath = 'xl/workbook.xml';
/** Code units of shared texts that are held; a sheet refers to them in any order. */
const maxSharedLength = 128 * 1024 ** 2;
/** Columns of a sheet (Excel's own limit is 16,384). */
const maxColumns = 1_000;
/** Columns that a sheet can have. */
const lastColumn = 16_384;
/** The last row of a sheet in Excel; a larger number would be a line for each row before it. */
const maxRow = 1_048_576;
/** Code units of a cell: its row is too long to be read. */
const maxCellLength = 2 * 1024 ** 2;
/** Control characters in texts, such as `_x000D_` (ECMA-376 22.9.2.19). */
const escapedControl = /_x00[01][0-9a-f]_/gi;
const textOfErrors = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!)$/;

/** Whether an archive is an Excel workbook. */
export function isWorkbook({ entries }: ZipArchive): boolean {
  return entries.has(workbookPath);
}

/**
 * A sheet of a workbook (ECMA-376) as CSV, a line for each row, so line numbers are those of the sheet. Numbers and dates
 * are as their cells show them, formulas give the values that were saved with them. Memory holds the texts that cells
 * share, and no rows.
 *
 * @param name null for the first sheet that is not hidden
 * @throws RefusedFile if there is no such sheet.
 */
export async function openSheet(
  archive: ZipArchive,
  name: string | null,
): Promise<{ rows: AsyncGenerator<Buffer>; otherSheets: string[] }> {
  const { found, others, is1904 } = await findSheet(archive, name);
  const otherSheets: string[] = [];
  for (const sheet of others) if (await hasCells(archive, sheet)) otherSheets.push(sheet.name);
  return { rows: readSheet(archive, found, is1904), otherSheets };
}

/** Whether a sheet has a value. One that is damaged may have; it is not read. */
async function hasCells(archive: ZipArchive, { path }: Sheet): Promise<boolean> {
  let isFound = false;
  const handler: XmlHandler = {
    open: (tag) => {
      isFound ||= tag === 'v' || tag === 'is';
    },
  };
  try {
    for await (const _ of parseXml(archive.readFile(path), handler)) if (isFound) break;
  } catch {
    return true;
  }
  return isFound;
}

async function* readSheet(archive: ZipArchive, { path }: Sheet, is1904: boolean): AsyncGenerator<Buffer> {
  const styles = 'xl/styles.xml';
  const forms = archive.entries.has(styles) ? await readNumberForms(archive.readFile(styles)) : [];
  const shared = await readSharedTexts(archive);
  const rows = new SheetRows(shared, forms, is1904);
  for await (const _ of parseXml(archive.readFile(path), rows)) {
    const lines = rows.take();
    if (lines !== '') yield Buffer.from(lines);
  }
}

interface Sheet {
  name: string;
  path: string;
  isHidden: boolean;
}

async function findSheet(
  archive: ZipArchive,
  name: string | null,
): Promise<{ found: Sheet; others: Sheet[]; is1904: boolean }> {
  const listed: { name: string; relation: string; isHidden: boolean }[] = [];
  const targets = new Map<string, string>();
  let is1904 = false;
  await parsePart(archive, workbookPath, {
    open(tag, attributes) {
      if (tag === 'workbookPr') is1904 = attributes.date1904 === '1' || attributes.date1904 === 'true';
      if (tag !== 'sheet') return;
      const relation = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      const isHidden = (attributes.state ?? 'visible') !== 'visible';
      listed.push({ name: attributes.name ?? '', relation, isHidden });
    },
  });
  await parsePart(archive, 'xl/_rels/workbook.xml.rels', {
    open(_, { Id, Type = '', Target }) {
      if (Id && Target && Type.endsWith('/worksheet')) targets.set(Id, posix.resolve('/xl', Target).slice(1));
    },
  });
  const tables = listed.flatMap(({ relation, ...sheet }) => {
    const path = targets.get(relation);
    return path === undefined ? [] : { ...sheet, path };
  });
  const found = name === null ? (tables.find(({ isHidden }) => !isHidden) ?? tables[0]) : findByName(tables, name);
  if (found === undefined) {
    const names = tables.map((sheet) => quoteHeading(sheet.name)).join(', ');
    throw new RefusedFile(
      'no_sheet',
      name === null ? 'has no sheet with rows' : `has no sheet ${quoteHeading(name)}. Its sheets are ${names}`,
    );
  }
  return { found, others: tables.filter((sheet) => sheet !== found && !sheet.isHidden), is1904 };
}

function findByName(sheets: readonly Sheet[], name: string): Sheet | undefined {
  const key = (text: string) => normalForm(text, 'NFC').trim().toLowerCase();
  return sheets.find((sheet) => sheet.name === name) ?? sheets.find((sheet) => key(sheet.name) === key(name));
}

async function parsePart(archive: ZipArchive, path: string, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(archive.readFile(path), handler));
}

async function readSharedTexts(archive: ZipArchive): Promise<string[]> {
  const texts: string[] = [];
  if (!archive.entries.has('xl/sharedStrings.xml')) return texts;
  const reader = new TextReader();
  let length = 0;
  await parsePart(archive, 'xl/sharedStrings.xml', {
    open: (tag) => {
      if (tag === 'si') reader.start();
      else reader.open(tag);
    },
    text: (text) => reader.add(text),
    close(tag) {
      reader.close(tag);
      if (tag !== 'si') return;
      const text = reader.text;
      length += text.length;
      if (length > maxSharedLength)
        throw new RefusedFile('bad_archive', 'has too much text for a workbook; save the sheet as "CSV UTF-8"');
      texts.push(text);
    },
  });
  return texts;
}

/** The text of an element: of its `t` elements, without how it is pronounced. */
class TextReader {
  text = '';
  #isOn = false;
  #isPhonetic = false;

  start(): void {
    this.text = '';
  }

  open(tag: string): void {
    if (tag === 'rPh') this.#isPhonetic = true;
    else if (tag === 't') this.#isOn = true;
  }

  add(text: string): void {
    if (this.#isOn && !this.#isPhonetic && this.text.length < maxCellLength) this.text += text;
  }

  close(tag: string): void {
    if (tag === 'rPh') this.#isPhonetic = false;
    else if (tag === 't') this.#isOn = false;
  }
}

/** Turns the elements of a sheet into lines of CSV, as wide as its first row with content at least. */
class SheetRows implements XmlHandler {
  readonly #shared: readonly string[];
  readonly #forms: readonly NumberForm[];
  readonly #is1904: boolean;
  readonly #inline = new TextReader();
  #lines = '';
  /** The number of the last row that was written. */
  #written = 0;
  #width = 0;
  #row = 0;
  #cells: string[] = [];
  /** Code units of the row's cells. */
  #length = 0;
  #column = -1;
  #type = '';
  #form: NumberForm = 'number';
  #value = '';
  #isInValue = false;

  constructor(shared: readonly string[], forms: readonly NumberForm[], is1904: boolean) {
    this.#shared = shared;
    this.#forms = forms;
    this.#is1904 = is1904;
  }

  /** The lines since the last call. */
  take(): string {
    const lines = this.#lines;
    this.#lines = '';
    return lines;
  }

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    if (tag === 'row') {
      this.#row = Number(attributes.r ?? this.#row + 1);
      this.#cells = [];
      this.#length = 0;
      this.#column = -1;
    } else if (tag === 'c') {
      this.#column = attributes.r === undefined ? this.#column + 1 : columnOf(attributes.r);
      this.#type = attributes.t ?? 'n';
      this.#form = this.#forms[Number(attributes.s ?? -1)] ?? 'number';
      this.#value = '';
      this.#inline.start();
    } else if (tag === 'v') this.#isInValue = true;
    else this.#inline.open(tag);
  }

  text(text: string): void {
    if (!this.#isInValue) this.#inline.add(text);
    else if (this.#value.length < maxCellLength) this.#value += text;
  }

  close(tag: string): void {
    if (tag === 'v') this.#isInValue = false;
    else if (tag === 'c') this.#addCell();
    else if (tag === 'row') this.#addRow();
    else this.#inline.close(tag);
  }

  #addCell(): void {
    if (this.#column < 0 || this.#column >= lastColumn) throw damaged('a cell has no column of a sheet', this.#row);
    // Of a row that is too long, which is rejected, no more is held than shows that.
    if (this.#column >= maxColumns || this.#length > maxLineBytes) return;
    const text = this.#cellText();
    this.#length += text.length;
    if (text !== '') this.#cells[this.#column] = text;
  }

  #cellText(): string {
    const value = this.#value;
    if (this.#type === 's') return value === '' ? '' : this.#sharedText(Number(value));
    if (this.#type === 'inlineStr') return this.#inline.text;
    if (this.#type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (this.#type === 'e') return textOfErrors.test(value) ? 'N/A' : value;
    return this.#type === 'n' ? numberText(value, this.#form, this.#is1904) : value;
  }

  #sharedText(place: number): string {
    const text = this.#shared[place];
    if (text === undefined) throw damaged('a cell refers to a text that the workbook does not have', this.#row);
    return text;
  }

  #addRow(): void {
    if (this.#cells.length === 0) return;
    if (!(this.#row > this.#written && this.#row <= maxRow)) throw damaged('its rows are not in order', this.#row);
    this.#width ||= this.#cells.length;
    const cells = Array.from({ length: Math.max(this.#width, this.#cells.length) }, (_, index) =>
      quoteCell(this.#cells[index]),
    );
    this.#lines += '\n'.repeat(this.#row - this.#written - 1);
    this.#lines += `${cells.join(',')}\n`;
    this.#written = this.#row;
  }
}

/** A cell that is left out would look like one that is empty, which clears a field. */
function damaged(reason: string, row: number): BrokenFile {
  return new BrokenFile(`is a damaged workbook: ${reason} (row ${row})`);
}

/** A line break within a cell is a space, as everywhere in texts, so that each row is a line. */
function quoteCell(text = ''): string {
  return text === ''
    ? ''
    : `"${text
        .replace(escapedControl, ' ')
        .replace(/[\r\n]+/g, ' ')
        .replaceAll('"', '""')}"`;
}

/** The column of a reference such as `AB12`, from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference) {
    if (letter < 'A' || letter > 'Z') break;
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column - 1;
}
