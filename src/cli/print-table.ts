import { showControls } from '#domain/show-controls.ts';
import { print } from './command-line.ts';
/** Prints rows under their keys, in columns; a line of text if there are none. */
export function printTable<Row extends object>(rows: readonly Row[], whenEmpty: string): void {
  if (rows.length === 0) {
    print(whenEmpty);
    return;
  }
  const columns = Object.keys(rows[0] ?? {}) as (keyof Row & string)[];
  const lines = [columns, ...rows.map((row) => columns.map((column) => showControls(String(row[column] ?? '-'))))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  for (const line of lines) {
    print(
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}
