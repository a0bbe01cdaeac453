import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** A zip archive with these files. */
export function madeZip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name);
  archive.end();
  return buffer(archive.outputStream);
}

interface MadeSheet {
  name: string;
  /** Its `row` elements. */
  rows: string;
  state?: string;
}

/** A workbook with these sheets, as little as a spreadsheet program would accept. */
export function madeWorkbook(
  sheets: readonly MadeSheet[],
  { properties = '', shared = '', styles = '' }: { properties?: string; shared?: string; styles?: string } = {},
): Promise<Buffer> {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const list = sheets.map(
    ({ name, state = 'visible' }, at) => `<sheet name="${name}" sheetId="${at + 1}" state="${state}" r:id="r${at}"/>`,
  );
  const relations = sheets.map(
    (_, at) => `<Relationship Id="r${at}" Type="${type}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const parts = { workbook: 'sheet.main', styles: 'styles', sharedStrings: 'sharedStrings' };
  return madeZip({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${Object.entries(
      parts,
    )
      .map(([part, kind]) => `<Override PartName="/xl/${part}.xml" ContentType="${types}.${kind}+xml"/>`)
      .join('')}</Types>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${type}">${properties}<sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}">${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${shared}</sst>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** A row of texts. */
export function madeRow(number: number, texts: readonly string[]): string {
  const cells = texts.map((text, at) => cell(String.fromCharCode(65 + at) + number, text));
  return `<row r="${number}">${cells.join('')}</row>`;
}

function cell(reference: string, text: string): string {
  return text === '' ? '' : `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;
}
