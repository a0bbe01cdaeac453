import { maxRowLength } from '../row.ts';
import type { Line } from './open-input.ts';

/** Why a row cannot be split into cells: a quote in it is `open` to the last line there is, or something is `broken`. */
type CellFault = { fault: 'open' | 'broken' };

/** A row of CSV. `end` is the place of the line after it; `isEscaped`: quotes in its cells have a backslash. */
type CsvRow = (Cells & { end: number }) | CellFault;

interface Cells {
  cells: string[];
  isEscaped: boolean;
}

const open: CellFault = { fault: 'open' };
/** Text follows a closed quote, or the row is too long. */
const broken: CellFault = { fault: 'broken' };

/** Reads the row that starts at a line. It goes on over further lines while a quote in it is open. */
export function readRow(lines: readonly Line[], at: number, delimiter: string): CsvRow {
  let text = lines[at] ?? null;
  if (text === null) return broken;
  let end = at + 1;
  for (;;) {
    const row = splitCells(text, delimiter);
    if ('cells' in row) return { ...row, end };
    if (row.fault === 'broken') return broken;
    // An odd number of quotes means that one of them is open.
    let quotes = countQuotes(text);
    do {
      const next = lines[end];
      if (next === undefined) return open;
      if (next === null || text.length + next.length > maxRowLength) return broken;
      text += `\n${next}`;
      quotes += countQuotes(next);
      end += 1;
    } while (quotes % 2 === 1);
  }
}

function countQuotes(text: string): number {
  return text.split('"').length - 1;
}

/**
 * A cell is quoted if it starts with a quote. Other quotes are text, as in `12" Records`. Spaces around cells are ignored. Where a
 * quoted cell would end behind a backslash and text follows, as in `"a \"b\" c"`, backslashes escape the quotes of this row.
 */
function splitCells(text: string, delimiter: string, isEscaped = false): Cells | CellFault {
  if (!text.includes('"')) return { cells: text.split(delimiter).map((cell) => cell.trim()), isEscaped };
  const cells: string[] = [];
  let start = 0;
  for (;;) {
    let end = endOfCell(text, start, delimiter);
    const plain = text.slice(start, end).trim();
    if (plain.startsWith('"')) {
      const quoted = readQuoted(text, text.indexOf('"', start) + 1, isEscaped);
      // An escaped quote is looked for on one line alone, so a stray backslash takes no further row with it.
      if (quoted === null) return isEscaped ? broken : open;
      end = endOfCell(text, quoted.end, delimiter);
      if (!isBlank(text.slice(quoted.end, end)))
        return !isEscaped && text[quoted.end - 2] === '\\' ? splitCells(text, delimiter, true) : broken;
      cells.push(quoted.cell);
    } else cells.push(plain);
    if (end >= text.length) return { cells, isEscaped };
    start = end + 1;
  }
}

function endOfCell(text: string, from: number, delimiter: string): number {
  const end = text.indexOf(delimiter, from);
  return end < 0 ? text.length : end;
}

/** The text from here to the closing quote, and the place after that; two quotes stand for one. Null without a closing quote. */
function readQuoted(text: string, start: number, isEscaped: boolean): { cell: string; end: number } | null {
  if (isEscaped) {
    const end = escapedUntilQuote(text, start);
    return text[end] === '"' ? { cell: text.slice(start, end).replaceAll(/\\(["\\])/g, '$1'), end: end + 1 } : null;
  }
  let cell = '';
  let from = start;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return null;
    cell += text.slice(from, quote);
    from = quote + 1;
    if (text[from] !== '"') return { cell, end: from };
    cell += '"';
    from += 1;
  }
}

/** The place of the next quote without a backslash that escapes it; that behind the text without one. */
function escapedUntilQuote(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

export function isBlank(cell: string): boolean {
  return cell.trim() === '';
}
