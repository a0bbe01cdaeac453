import { readFile } from 'node:fs/promises';
import { type JsonFlag, print, printJson, reportFault, UsageError } from '#src/command-line/command-line.ts';
import { readColumnFile } from '../importing/column-file.ts';
import { ColumnMap, usualColumns } from '../importing/column-map.ts';
import { inputAt } from '../importing/open-input.ts';
import { formatColumnFile, proposeColumns } from '../importing/propose-columns.ts';
import { readSample } from '../importing/read-rows.ts';
import { BrokenFile, RefusedFile } from '../importing/refused-file.ts';

interface ColumnsFlags extends JsonFlag {
  sheet?: string;
  encoding?: string;
}

/** `columns`: prints a column file for a list. */
export async function printColumns(file: string, { sheet, encoding, json = false }: ColumnsFlags): Promise<void> {
  const input = await inputAt(file, { sheet: sheet ?? null, encoding: encoding ?? null, columns: usualColumns });
  try {
    const source = await input.open();
    const columns = proposeColumns(usualColumns, await readSample(source).finally(source.close));
    if (columns.length === 0) reportFault(`${input.name} has no rows to look at.`);
    else if (json) printJson({ columns: Object.fromEntries(columns.map(({ heading, field }) => [heading, field])) });
    else print(formatColumnFile(columns).trimEnd());
  } catch (error) {
    if (!(error instanceof RefusedFile || error instanceof BrokenFile)) throw error;
    reportFault(`${input.name} ${error.message}.`);
  }
}

/**
 * The columns that a file names; for `auto` those that are proposed.
 *
 * @throws UsageError if there is no such file, or if it is not valid
 */
export async function loadColumns(path: string): Promise<ColumnMap> {
  if (path === 'auto') return new ColumnMap({}, 'propose');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--columns: ${path} cannot be read (${error.code}). Use a column file, or auto.`);
  });
  try {
    return new ColumnMap(readColumnFile(text));
  } catch (error) {
    throw new UsageError(`the column file ${path} cannot be used: ${(error as Error).message}`);
  }
}
