import { wordsOfUse } from '#languages/words.ts';
import { nameKey } from '#text/fold.ts';
import type { RawList, RawRow, RowFault } from '../row.ts';
import { isBlank } from './csv-cells.ts';

/*
 * Tables that are made to be read by people: cells that repeat the one above, and a row of totals below.
 */

const ofCell = (text: string) => text.toLowerCase().replaceAll(/\s/g, '');
/** `s. o.` counts with its points: `SO` is a place. */
const repeating: ReadonlySet<string> = new Set(wordsOfUse('cell.above').map(ofCell));
const totalWords: ReadonlySet<string> = new Set(wordsOfUse('cell.total').map(nameKey));

const nothingAbove: RowFault = {
  code: 'nothing_above',
  reason:
    'a cell says that it repeats the one above, but there is no row above that can be read; write the value itself',
};
export const totals: RowFault = {
  code: 'total',
  reason: 'it is a row of totals; give the row another value than numbers if it is a medium',
};

/** The list with what its rows say by pointing at others: `same as above` becomes the value above, and totals are no row. */
export function withPrintedCells(list: RawList): RawList {
  if (list.headings === null) return list;
  async function* rows(): AsyncGenerator<RawRow[]> {
    let above: readonly string[] | null = null;
    for await (const batch of list.rows) {
      yield batch.map((row) => {
        if (row.fault || !Array.isArray(row.cells)) {
          above = null;
          return row;
        }
        const readRow = readPrinted(row, row.cells, above);
        above = readRow.fault ? null : standingAbove(readRow.cells as readonly string[], row.cells, above);
        return readRow;
      });
    }
  }
  return { ...list, rows: rows() };
}

function readPrinted(row: RawRow, cells: readonly string[], above: readonly string[] | null): RawRow {
  if (areTotals(cells)) return { ...row, fault: totals };
  if (!cells.some((cell) => repeats(cell, cells, above))) return row;
  if (above === null) return { ...row, fault: nothingAbove };
  const filled = cells.map((cell, place) => (repeats(cell, cells, above) ? (above[place] ?? '') : cell));
  return { ...row, cells: filled, above };
}

/** What the next row may repeat: blank cells of a row that begins with `same as above` stand for what is above, too. */
function standingAbove(cells: readonly string[], writtenCells: readonly string[], above: readonly string[] | null) {
  const first = writtenCells.find((cell) => !isBlank(cell)) ?? '';
  if (above === null || !repeats(first, writtenCells, above)) return cells;
  return cells.map((cell, place) => (isBlank(cell) ? (above[place] ?? '') : cell));
}

/** Whether a cell stands for the one above. `Ditto` with a host of its own is a medium of that name. */
function repeats(cell: string, cells: readonly string[], above: readonly string[] | null): boolean {
  if (!repeating.has(ofCell(cell))) return false;
  if (!/^\p{Lu}\S*$/u.test(cell.trim())) return true;
  const hosts = hostsIn(cells);
  return hosts.length === 0 || hosts.some((host) => above !== null && hostsIn(above).includes(host));
}

function hostsIn(cells: readonly string[]): string[] {
  return cells.flatMap((cell) => {
    const host = /(?:@|^https?:\/\/(?:www\.)?|^www\.)([^\s/@>|,;]+\.[a-z]{2,})/i.exec(cell)?.[1];
    return host === undefined ? [] : [host.toLowerCase()];
  });
}

/** `Total;;155`, `TOTAL : 90 titres;;`: a word for it, and else nothing but numbers, of which there is one at least. */
function areTotals(cells: readonly string[]): boolean {
  const [first = '', ...otherCells] = cells.filter((cell) => !isBlank(cell));
  const [word = '', number] = first.split(/(?=\d)/, 2);
  if (cells.length < 2 || !totalWords.has(nameKey(word))) return false;
  return otherCells.every((cell) => /^[\d\s.,%]+$/.test(cell)) && (number !== undefined || otherCells.length > 0);
}
