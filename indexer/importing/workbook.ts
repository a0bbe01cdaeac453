import { posix } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { Parser } from 'htmlparser2';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { normalForm } from '#text/fold.ts';
import { BrokenFile, maxRowLength, quoteHeading, RefusedFile } from './row.ts';
import { type NumberForm, NumberForms, numberText, type XmlHandler } from './sheet-values.ts';

/** A row of a sheet that has a value, under its number. */
export interface SheetRow {
  line: number;
  cells: string[];
}

interface Sheet {
  name: string;
  path: string;
  isHidden: boolean;
}

const workbookPath = 'xl/workbook.xml';
/** Code units of shared texts that are held; a sheet refers to them in any order. */
const maxSharedLength = 128 * 1024 ** 2;
const lastColumn = 16_384;
/** Control characters in texts, such as `_x000D_` (ECMA-376 22.9.2.19), and line ends: a space, as everywhere in texts. */
const controls = /_x00[01][0-9a-f]_|[\r\n]+/gi;
const errorTexts = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!)$/;

/**
 * A sheet of an Excel workbook (ECMA-376): numbers and dates as their cells show them, formulas by the values that were
 * saved with them. Memory holds the texts that cells share, and no rows. `name` null: the first sheet that is not
 * hidden. Throws RefusedFile if it is not a workbook, or has no such sheet.
 */
export async function openWorkbook(path: string, name: string | null) {
  const archive = new Archive();
  try {
    await archive.open(path);
    const { sheets, is1904 } = await readSheets(archive);
    const key = (text: string) => normalForm(text, 'NFC').trim().toLowerCase();
    const visible = sheets.filter(({ isHidden }) => !isHidden);
    const found = name === null ? (visible[0] ?? sheets[0]) : sheets.find((sheet) => key(sheet.name) === key(name));
    if (found === undefined) {
      const names = sheets.map((sheet) => quoteHeading(sheet.name)).join(', ');
      const lack = name === null ? 'has no sheet' : `has no sheet ${quoteHeading(name)}. Its sheets are ${names}`;
      throw new RefusedFile('no_sheet', lack);
    }
    const otherSheets = visible.filter((sheet) => sheet !== found).map((sheet) => sheet.name);
    return { rows: readSheet(archive, found.path, is1904), otherSheets, close: () => archive.close() };
  } catch (error) {
    archive.close();
    throw error;
  }
}

/** A zip archive on disk, whose files are read in place. */
class Archive {
  readonly #entries = new Map<string, Entry>();
  #zip: ZipFile | undefined;

  async open(path: string): Promise<void> {
    try {
      this.#zip = await openPromise(path, { lazyEntries: true, autoClose: false });
      for await (const entry of this.#zip.eachEntry()) this.#entries.set(entry.fileName, entry);
    } catch (cause) {
      throw new RefusedFile('bad_archive', 'is a damaged zip archive or workbook', { cause });
    }
    if (!this.#entries.has(workbookPath))
      throw new RefusedFile('not_text', 'is a zip archive. Unpack it and pass its files');
  }

  /** Parses a file piece by piece, yielding after each. Throws BrokenFile if it is missing, damaged or cut short. */
  async *parse(name: string, handler: XmlHandler): AsyncGenerator<void> {
    const entry = this.#entries.get(name);
    if (entry === undefined || this.#zip === undefined) throw damaged(`${name} is missing`);
    const decoder = new StringDecoder('utf8');
    let level = 0;
    const parser = new Parser(
      {
        onopentag(tag, attributes) {
          level += 1;
          handler.open?.(withoutPrefix(tag), attributes);
        },
        ontext: (text) => handler.text?.(text),
        onclosetag(tag) {
          level -= 1;
          handler.close?.(withoutPrefix(tag));
        },
      },
      { xmlMode: true, decodeEntities: true },
    );
    try {
      for await (const chunk of await this.#zip.openReadStreamPromise(entry)) {
        parser.write(decoder.write(chunk as Buffer));
        yield;
      }
    } catch (cause) {
      throw cause instanceof BrokenFile ? cause : damaged(`${name} cannot be unpacked`, cause);
    }
    // The parser would close what is open, as if half a value were one.
    if (level > 0) throw damaged(`${name} ends inside an element`);
  }

  /** Parses a file as a whole; one that is not there is empty. */
  async parseAll(name: string, handler: XmlHandler): Promise<void> {
    if (this.#entries.has(name)) for await (const _ of this.parse(name, handler));
  }

  close(): void {
    this.#zip?.close();
  }
}

async function readSheets(archive: Archive): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const listed: { name: string; relation: string; isHidden: boolean }[] = [];
  const targets = new Map<string, string>();
  let is1904 = false;
  await archive.parseAll(workbookPath, {
    open(tag, attributes) {
      if (tag === 'workbookPr') is1904 = attributes.date1904 === '1' || attributes.date1904 === 'true';
      if (tag !== 'sheet') return;
      const relation = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      const isHidden = (attributes.state ?? 'visible') !== 'visible';
      listed.push({ name: attributes.name ?? '', relation, isHidden });
    },
  });
  await archive.parseAll('xl/_rels/workbook.xml.rels', {
    open(_, { Id, Type = '', Target }) {
      if (Id && Target && Type.endsWith('/worksheet')) targets.set(Id, posix.resolve('/xl', Target).slice(1));
    },
  });
  const sheets = listed.flatMap(({ relation, ...sheet }) => {
    const path = targets.get(relation);
    return path === undefined ? [] : { ...sheet, path };
  });
  return { sheets, is1904 };
}

async function* readSheet(archive: Archive, path: string, is1904: boolean): AsyncGenerator<SheetRow[]> {
  const forms = new NumberForms();
  await archive.parseAll('xl/styles.xml', forms);
  const shared = await readSharedTexts(archive);
  let rows: SheetRow[] = [];
  let row: SheetRow = { line: 0, cells: [] };
  let length = 0;
  let column = -1;
  let type = 'n';
  let form: NumberForm = 'number';
  const text = new CellText();
  const shownText = (value: string): string => {
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (type === 'e') return errorTexts.test(value) ? 'N/A' : value;
    if (type === 'n') return numberText(value, form, is1904);
    if (type !== 's' || value === '') return value;
    const found = shared[Number(value)];
    // A cell that is left out would look like one that is empty, which clears a field.
    if (found === undefined) throw damaged(`a cell refers to a text that it does not have (row ${row.line})`);
    return found;
  };
  const handler: XmlHandler = {
    open(tag, attributes) {
      if (tag === 'row') {
        row = { line: Number(attributes.r ?? row.line + 1), cells: [] };
        length = 0;
        column = -1;
      } else if (tag === 'c') {
        column = attributes.r === undefined ? column + 1 : columnOf(attributes.r);
        if (!(column >= 0 && column < lastColumn)) throw damaged(`a cell has no column of a sheet (row ${row.line})`);
        type = attributes.t ?? 'n';
        form = forms.of(attributes.s);
        text.start();
      } else text.open(tag);
    },
    text: (part) => text.add(part),
    close(tag) {
      if (tag === 'c' && length <= maxRowLength) {
        // Of a row that is too long, which is rejected, no more is held than shows that.
        const value = shownText(text.value).replace(controls, ' ');
        length += value.length;
        if (value !== '') row.cells[column] = value;
      } else if (tag === 'row') {
        if (row.cells.length > 0) rows.push({ line: row.line, cells: Array.from(row.cells, (cell) => cell ?? '') });
      } else text.close(tag);
    },
  };
  for await (const _ of archive.parse(path, handler)) {
    if (rows.length > 0) yield rows;
    rows = [];
  }
}

async function readSharedTexts(archive: Archive): Promise<string[]> {
  const texts: string[] = [];
  const text = new CellText();
  let length = 0;
  await archive.parseAll('xl/sharedStrings.xml', {
    open: (tag) => (tag === 'si' ? text.start() : text.open(tag)),
    text: (part) => text.add(part),
    close(tag) {
      text.close(tag);
      if (tag !== 'si') return;
      length += text.value.length;
      if (length > maxSharedLength) throw damaged('it has too much text for a workbook. Save the sheet as "CSV UTF-8"');
      texts.push(text.value);
    },
  });
  return texts;
}

/** The text of a cell: of its `v` or `t` elements, without how it is pronounced. */
class CellText {
  value = '';
  #isOn = false;
  #isPhonetic = false;

  start(): void {
    this.value = '';
  }

  open(tag: string): void {
    if (tag === 'rPh') this.#isPhonetic = true;
    else if (tag === 't' || tag === 'v') this.#isOn = true;
  }

  add(part: string): void {
    if (this.#isOn && !this.#isPhonetic && this.value.length <= maxRowLength) this.value += part;
  }

  close(tag: string): void {
    if (tag === 'rPh') this.#isPhonetic = false;
    else if (tag === 't' || tag === 'v') this.#isOn = false;
  }
}

function damaged(reason: string, cause?: unknown): BrokenFile {
  return new BrokenFile(`is a damaged workbook: ${reason}`, { cause });
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
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
