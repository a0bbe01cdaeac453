import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '#backends/embedded/private-files.ts';
import { readColumnFile } from '#src/importing/column-file.ts';
import { ColumnMap } from '#src/importing/column-map.ts';
import { UsageError } from '../command-line.ts';

const savedName = /^[a-z0-9][a-z0-9_-]{0,63}$/i;
const ending = '.yaml';

/** What stands for a proposal in place of a name. */
const auto = 'auto';

/**
 * The columns of a saved name, or else of a file; for `auto` those that are proposed.
 *
 * @throws UsageError if there is neither, or if the file is not valid
 */
export async function loadColumns(nameOrFile: string, dataDir: string): Promise<ColumnMap> {
  if (nameOrFile === auto) return new ColumnMap({}, 'propose');
  const saved = savedName.test(nameOrFile) ? await readText(pathOf(nameOrFile, dataDir)) : null;
  const text = saved ?? (await readText(nameOrFile));
  if (text === null) {
    const names = await listColumns(dataDir);
    const kept = names.length === 0 ? 'No columns are saved' : `Saved are ${names.join(', ')}`;
    throw new UsageError(`--columns: there is no file and no saved name ${nameOrFile}. ${kept}.`);
  }
  return parse(text, nameOrFile);
}

/** Keeps a column file in the data folder. */
export async function saveColumns(name: string, file: string, dataDir: string): Promise<void> {
  if (!savedName.test(name)) throw new UsageError('a name has letters, digits, - and _, and at most 64 of them');
  if (name === auto) throw new UsageError('`auto` takes what is proposed for each list; use another name');
  const text = await readText(file);
  if (text === null) throw new UsageError(`${file} does not exist`);
  parse(text, file);
  makePrivateFolder(folderOf(dataDir));
  const path = pathOf(name, dataDir);
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Returns whether there was one of that name. */
export async function removeColumns(name: string, dataDir: string): Promise<boolean> {
  if (!(await listColumns(dataDir)).includes(name)) return false;
  await rm(pathOf(name, dataDir));
  return true;
}

/** The saved names, in order. */
export async function listColumns(dataDir: string): Promise<string[]> {
  const files = await readdir(folderOf(dataDir)).catch(() => []);
  return files
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .toSorted();
}

function parse(text: string, name: string): ColumnMap {
  try {
    return new ColumnMap(readColumnFile(text));
  } catch (error) {
    throw new UsageError(`the column file ${name} cannot be used: ${(error as Error).message}`);
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new UsageError(`${path} cannot be read (${code})`);
  }
}

const folderOf = (dataDir: string) => join(dataDir, 'columns');
const pathOf = (name: string, dataDir: string) => join(folderOf(dataDir), `${name}${ending}`);
