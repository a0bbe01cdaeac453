import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { invalidMark } from './decode-text.ts';
import { type RowCells, rejectColumns } from './row.ts';

/** A file about the rows of one list, for its owner alone. It and its folder are made with the first entry. */
export class ListFile {
  readonly path: string;
  #handle: FileHandle | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /** Whether it contains anything. */
  get isMade(): boolean {
    return this.#handle !== null;
  }

  /** @param heading what it begins with */
  async append(text: string, heading = ''): Promise<void> {
    if (text === '') return;
    const isNew = this.#handle === null;
    this.#handle ??= await this.#make();
    await this.#handle.appendFile(isNew ? heading + text : text);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async #make(): Promise<FileHandle> {
    try {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      return await open(this.path, 'w', 0o600);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new Error(`${this.path} cannot be written (${code}); choose another folder with --rejects FOLDER`, {
        cause: error,
      });
    }
  }
}

/** A rejected row as it stood in its source. */
export interface RejectedRow {
  /** The line on which the row starts, from 1. */
  line: number;
  reason: string;
  cells: RowCells;
}

/** The first line of a rejects file. */
export function rejectsHeading(headings: readonly string[]): string {
  return csvLine([...rejectColumns, ...headings.filter(isOfSource)]);
}

/**
 * Rejected rows as lines of CSV under these headings, which `import` reads again. What fits under none of them, such as a
 * line that could not be parsed, stands whole behind the last column, so that it is rejected again until it is corrected.
 */
export function rejectsLines(rows: readonly RejectedRow[], headings: readonly string[]): string {
  return rows.map(({ line, reason, cells }) => csvLine([String(line), reason, ...laidOut(cells, headings)])).join('');
}

function laidOut(cells: RowCells, headings: readonly string[]): readonly string[] {
  if (Array.isArray(cells)) return cells.filter((_, place) => isOfSource(headings[place] ?? ''));
  const below = headings.filter(isOfSource);
  const isObject = typeof cells === 'object';
  if (isObject && Object.keys(cells).every((key) => headings.includes(key))) {
    return below.map((key) => cellText((cells as Readonly<Record<string, unknown>>)[key]));
  }
  return [...below.map(() => ''), isObject ? JSON.stringify(cells) : (cells as string)];
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isOfSource(heading: string): boolean {
  return !(rejectColumns as readonly string[]).includes(heading);
}

/** Cells that a spreadsheet would run get an apostrophe, as in exports; the importer removes it. */
function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) => {
    const text = cell.replaceAll(invalidMark, '\ufffd').replace(/^(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/, "'");
    return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${quoted.join(',')}\r\n`;
}
