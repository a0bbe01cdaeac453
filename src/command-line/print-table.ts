import { escapeControls } from '#text/escape-controls.ts';
import { print } from './command-line.ts';

/** Prints rows under their keys, in columns; a line of text if there are none. */
export function printTable<Row extends object>(rows: readonly Row[], whenEmpty: string): void {
  if (rows.length === 0) {
    print(whenEmpty);
    return;
  }
  const columns = Object.keys(rows[0] ?? {}) as (keyof Row & string)[];
  const lines = rows.map((row) => columns.map((column) => escapeControls(String(row[column] ?? '-'))));
  for (const line of formatTable([columns, ...lines], () => 'left')) print(line);
}

/** Lines of cells as lines of text, each column as wide as its widest cell. */
export function formatTable(
  lines: ReadonlyArray<readonly string[]>,
  alignmentOf: (column: number) => 'left' | 'right',
): string[] {
  const widths: number[] = [];
  for (const cells of lines) {
    for (const [column, cell] of cells.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  const pad = (cell: string, column: number) => {
    const width = widths[column] ?? 0;
    return alignmentOf(column) === 'left' ? cell.padEnd(width) : cell.padStart(width);
  };
  return lines.map((cells) => cells.map(pad).join('  ').trimEnd());
}
