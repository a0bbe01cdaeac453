/** What is done with the elements of a document. Names are without their namespace prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** What a number of a sheet stands for, by the format of its cell. */
export type NumberForm = 'number' | 'date' | { digits: number };

/** Formats of dates that a workbook has without listing them (ECMA-376 18.8.30), in all locales, as ranges. */
const builtInDates = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;

/** Days from the first day of a sheet (1900-01-00) to 1 January 1970, and from it to that of sheets from 1904. */
const daysTo1970 = 25_569;
const daysTo1904 = 1_462;

/** The forms of numbers by the style of a cell, from `xl/styles.xml`. */
export class NumberForms implements XmlHandler {
  readonly #codes = new Map<number, string>();
  readonly #forms: NumberForm[] = [];
  #isInCellStyles = false;

  of(style: string | undefined): NumberForm {
    return this.#forms[Number(style ?? -1)] ?? 'number';
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'numFmt') this.#codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
    else if (name === 'cellXfs') this.#isInCellStyles = true;
    else if (name === 'xf' && this.#isInCellStyles) {
      const id = Number(attributes.numFmtId ?? 0);
      const code = this.#codes.get(id);
      const isDate = builtInDates.some(([first, last]) => id >= first && id <= last);
      this.#forms.push(code === undefined ? (isDate ? 'date' : 'number') : formOfCode(code));
    }
  }

  close(name: string): void {
    if (name === 'cellXfs') this.#isInCellStyles = false;
  }
}

/** The form of a format code such as `yyyy-mm-dd;@` or `00000`. */
function formOfCode(code: string): NumberForm {
  // Without texts, colours, locales and escaped characters; elapsed hours stay.
  const bare = code.replace(/"[^"]*"|\[(?!h+\]|m+\]|s+\])[^[\]]*\]|[\\_*]./gi, '');
  const [first = ''] = bare.split(';');
  if (/^0{2,}$/.test(first)) return { digits: first.length };
  return /[ymdhs]/i.test(first.replace(/general/i, '')) ? 'date' : 'number';
}

/** A number of a sheet as the text of its cell, in full: dates in ISO 8601, ids with all their digits. */
export function numberText(stored: string, form: NumberForm, is1904: boolean): string {
  const number = Number(stored);
  // Digits beyond those of a number, which some programs write for ids.
  if (stored.trim() === '' || !Number.isFinite(number) || /^\d{16,}$/.test(stored)) return stored;
  if (form === 'date') return dateText(is1904 ? number + daysTo1904 : number) ?? stored;
  // With the 15 digits that a sheet has, never as 1.2E+10.
  const rounded = Number.isInteger(number) ? number : Number(number.toPrecision(15));
  const text = rounded.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 15 });
  return form === 'number' ? text : text.padStart(form.digits, '0');
}

/** Null for what is not a date. */
function dateText(days: number): string | null {
  const date = new Date(Math.round((days - daysTo1970) * 86_400) * 1_000);
  if (Number.isNaN(date.getTime())) return null;
  const text = date.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}
