import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { countOf } from '#text/printed.ts';
import { print, printJson, UsageError } from './command-line.ts';

/** Prints rows as a table whose headings are their keys, or `whenEmpty` if there are none; with `isJson`, as one line of JSON. */
export function printRows<Row extends object>(rows: readonly Row[], whenEmpty: string, isJson = false): void {
  if (isJson) {
    printJson(rows);
    return;
  }
  const [first] = rows;
  if (first === undefined) {
    print(whenEmpty);
    return;
  }
  const columns = Object.keys(first) as (keyof Row & string)[];
  const lines = rows.map((row) => columns.map((column) => String(row[column] ?? '-')));
  for (const line of formatTable([columns, ...lines])) print(line);
}

export function formatTable(lines: ReadonlyArray<readonly string[]>): string[] {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

export function describeUndo(changeSet: string | null): string {
  return changeSet === null
    ? 'Nothing was changed: this was a dry run.'
    : `To undo it: npm run indexer -- imports undo ${changeSet}`;
}

const maxFaults = 20;

/** A line such as `nothing was changed:`, and a line for each fault. */
export function describeFaultList(outcome: string, faults: readonly string[]): string {
  const more = faults.length > maxFaults ? [`and ${countOf(faults.length - maxFaults, 'more fault')}`] : [];
  return [outcome, ...faults.slice(0, maxFaults), ...more].join('\n  ');
}

/** Throws UsageError if the file exists. `way` says how to replace it, such as `Delete it`. */
export function refuseExisting(file: string, way: string): void {
  if (existsSync(file)) throw new UsageError(`${file} exists. ${way}, or use another name.`);
}

/** Writes a file under a temporary name and renames it when it is complete. Only its owner can read it: it may hold addresses. */
export async function writeOutputFile(file: string, content: AsyncIterable<Buffer>): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  try {
    await pipeline(content, createWriteStream(temporary, { mode: 0o600, flags: 'wx' }));
    const handle = await open(temporary, 'r');
    await handle.sync().finally(() => handle.close());
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const remedy = code === 'ENOSPC' ? 'The disk is full: make room.' : 'Use a file in an existing folder.';
    throw new Error(`${file} cannot be written (${code}). ${remedy}`, { cause: error });
  }
}
