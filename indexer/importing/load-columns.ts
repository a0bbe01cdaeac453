import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import { UsageError } from '#src/command-line/command-line.ts';
import { readColumnFile } from './column-file.ts';
import { ColumnMap } from './column-map.ts';

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

/** The value of --encoding: a label of the WHATWG Encoding Standard. */
export function readEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new InvalidArgumentError('Use windows-1252, windows-1251, shift_jis, gb18030 or another label of the web.');
  }
}
