import { formatTable } from '../../src/command-line/output.ts';

/** A table of figures: the first column aligned left, the others right. */
export function formatFigures(lines: ReadonlyArray<readonly string[]>): string {
  return formatTable(lines, (column) => (column === 0 ? 'left' : 'right')).join('\n');
}
