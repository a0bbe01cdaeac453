import { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import { ZipFile } from 'yazl';
import type { FileChoices } from '#outbound/export-records.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { type CellValue, type Columns, toText, valueColumns } from './columns.ts';
import { encodeSlices } from './encode-slices.ts';

export const maxSheetRows = 1_048_575;
/** How many rows are encoded at a time. A row takes 1.5 kB here: the usual 200 would take 11 MB more. */
const sliceRows = 50;
const maxCellLength = 32_767;

/** A workbook with one sheet (ECMA-376), headings first. Cells are numbers or texts, so no spreadsheet runs any as a formula. */
export function writeXlsx(batches: AsyncIterable<readonly MediaRecord[]>, choices?: FileChoices): Readable {
  const archive = new ZipFile();
  const file = archive.outputStream as Readable;
  const sheet = Readable.from(encodeSheet(batches, valueColumns(choices)));
  for (const [name, text] of frame) archive.addBuffer(Buffer.from(declaration + text), name, entryOptions);
  archive.addReadStream(sheet, 'xl/worksheets/sheet1.xml', entryOptions);
  archive.end();
  archive.once('error', (error) => file.destroy(error));
  file.once('close', () => sheet.destroy());
  return file;
}

/** A fixed time, so that the same records make the same bytes. */
const entryOptions = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true, compressionLevel: constants.Z_BEST_SPEED };

function encodeSheet(
  batches: AsyncIterable<readonly MediaRecord[]>,
  { headings, toCells }: Columns<MediaRecord, CellValue>,
): AsyncIterable<Buffer> {
  let row = 0;
  const writeRow = (values: readonly CellValue[]) => {
    row += 1;
    const cells = values.map((value, index) => writeCell(`${lettersOf(index)}${row}`, value));
    return `<row r="${row}">${cells.join('')}</row>`;
  };
  const encode = (records: readonly MediaRecord[]) => records.map((record) => writeRow(toCells(record) ?? [])).join('');
  const start = sheetStart + writeRow(headings);
  return encodeSlices(batches, encode, { start, end: '</sheetData></worksheet>', sliceItems: sliceRows });
}

function writeCell(place: string, value: CellValue): string {
  if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`;
  const text = toText(value);
  return text === ''
    ? ''
    : `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escapeText(text.slice(0, maxCellLength))}</t></is></c>`;
}

const special = /[&<>_\p{Cc}\p{Cs}\ufffe\uffff]/u;

/** Escapes text for XML 1.0 and drops characters that it forbids. Escapes `_x000D_` too, because a spreadsheet decodes that. */
function escapeText(text: string): string {
  if (!special.test(text)) return text;
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[[\p{Cc}--[\t\n]]\ufffe\uffff]/gv, '')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function lettersOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : lettersOf(Math.floor(index / 26) - 1) + last;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const sheetStart = `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;

const frame = Object.entries({
  '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Media" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
});
