import { parseXml, type XmlHandler } from './parse-xml.ts';

/** What a number of a sheet stands for, by the format of its cell. */
export type NumberForm = 'number' | 'date' | 'percent' | { digits: number };

/** Formats that a workbook has without listing them (ECMA-376 18.8.30), in all locales. */
const builtInDates = [
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47, 50, 51, 52, 53, 54, 55, 56,
  57, 58,
];
const builtInForms: ReadonlyMap<number, NumberForm> = new Map<number, NumberForm>([
  ...builtInDates.map((id) => [id, 'date'] as const),
  [9, 'percent'],
  [10, 'percent'],
]);

/** Days from the first day of a sheet (1900-01-00) to 1 January 1970, and from it to that of sheets from 1904. */
const daysTo1970 = 25_569;
const daysTo1904 = 1_462;
/** Sheets take 1900 for a leap year, as Lotus 1-2-3 did: earlier numbers are a day off. */
const firstOfMarch1900 = 61;
const dayMs = 86_400_000;
/** Numbers from which a date would be after the year 9999. */
const maxDays = 2_958_466;

/** The forms of numbers by the style of a cell, from `xl/styles.xml`. */
export async function readNumberForms(styles: AsyncIterable<Buffer>): Promise<NumberForm[]> {
  const codes = new Map<number, string>();
  const forms: NumberForm[] = [];
  let isInCellStyles = false;
  const handler: XmlHandler = {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
      else if (name === 'cellXfs') isInCellStyles = true;
      else if (name === 'xf' && isInCellStyles) {
        const id = Number(attributes.numFmtId ?? 0);
        const code = codes.get(id);
        forms.push(code === undefined ? (builtInForms.get(id) ?? 'number') : formOfCode(code));
      }
    },
    close(name) {
      if (name === 'cellXfs') isInCellStyles = false;
    },
  };
  for await (const _ of parseXml(styles, handler));
  return forms;
}

/** The form of a format code such as `yyyy-mm-dd;@`, `0.0%` or `00000`. */
function formOfCode(code: string): NumberForm {
  // Without texts, colours, locales and escaped characters; elapsed hours stay.
  const bare = code.replace(/"[^"]*"|\[(?!h+\]|m+\]|s+\])[^[\]]*\]|[\\_*]./gi, '');
  const [first = ''] = bare.split(';');
  if (/^0{2,}$/.test(first)) return { digits: first.length };
  if (first.includes('%')) return 'percent';
  return /[ymdhs]/i.test(first.replace(/general/i, '')) ? 'date' : 'number';
}

/** A number of a sheet as the text of its cell, in full: dates in ISO 8601, ids with all their digits. */
export function numberText(stored: string, form: NumberForm, is1904: boolean): string {
  const number = Number(stored);
  if (stored.trim() === '' || !Number.isFinite(number)) return stored;
  if (form === 'date') return dateText(number, is1904) ?? stored;
  if (form === 'percent') return `${plainText(number * 100)}%`;
  if (typeof form === 'object' && Number.isInteger(number) && number >= 0)
    return plainText(number).padStart(form.digits, '0');
  // Digits beyond those of a number, which some programs write for ids.
  return /^\d{16,}$/.test(stored) ? stored : plainText(number);
}

/** With the 15 digits that a sheet has, never as 1.2E+10. */
function plainText(number: number): string {
  const rounded = Number.isInteger(number) ? number : Number(number.toPrecision(15));
  return rounded.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 15 });
}

/** null for what is no date: negative, or after 9999. */
function dateText(number: number, is1904: boolean): string | null {
  const counted = is1904 ? number + daysTo1904 : number;
  const days = counted < firstOfMarch1900 ? counted + 1 : counted;
  if (counted < 0 || days >= maxDays) return null;
  const seconds = Math.round(((days - daysTo1970) * dayMs) / 1_000);
  const text = new Date(seconds * 1_000).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}
