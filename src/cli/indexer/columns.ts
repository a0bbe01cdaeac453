import { usualColumns } from '#src/importing/column-map.ts';
import { inputAt } from '#src/importing/open-input.ts';
import { formatColumnFile, proposeColumns } from '#src/importing/propose-columns.ts';
import { readSample } from '#src/importing/read-rows.ts';
import { BrokenFile, RefusedFile } from '#src/importing/refused-file.ts';
import { loadConfig } from '#src/settings/config.ts';
import { type JsonFlag, print, printJson, printResult, reportFault, UsageError } from '../command-line.ts';
import { listColumns, removeColumns, saveColumns } from './saved-columns.ts';

interface ColumnsFlags extends JsonFlag {
  save?: string;
  remove?: string;
  list?: boolean;
  sheet?: string;
  encoding?: string;
}

/** `columns` */
export async function manageColumns(
  file: string | undefined,
  { save, remove, list = false, sheet, encoding, json = false }: ColumnsFlags,
): Promise<void> {
  const { dataDir } = loadConfig();
  if ([remove !== undefined, list, file !== undefined].filter(Boolean).length !== 1) {
    throw new UsageError('pass a list, or --list, or --remove NAME');
  }
  if (list) {
    const names = await listColumns(dataDir);
    printResult({ saved: names }, ({ saved }) => saved.join('\n') || 'No columns are saved.', json);
  } else if (remove !== undefined) {
    const removed = await removeColumns(remove, dataDir);
    printResult({ removed }, () => (removed ? `Removed ${remove}.` : 'Nothing was removed.'), json);
    if (!removed) reportFault(`No columns are saved as ${remove}.`);
  } else if (save !== undefined && file !== undefined) {
    await saveColumns(save, file, dataDir);
    printResult({ saved: save }, () => `Saved. Use it with: import --columns ${save}`, json);
  } else if (file !== undefined) {
    await propose(file, { sheet: sheet ?? null, encoding: encoding ?? null }, json);
  }
}

/** Prints a column file for a list. */
async function propose(
  file: string,
  options: { sheet: string | null; encoding: string | null },
  json: boolean,
): Promise<void> {
  const input = await inputAt(file, { ...options, columns: usualColumns });
  try {
    const source = await input.open();
    const columns = proposeColumns(usualColumns, await readSample(source).finally(source.close));
    if (json) printJson({ columns: Object.fromEntries(columns.map(({ heading, field }) => [heading, field])) });
    else print(formatColumnFile(columns).trimEnd());
  } catch (error) {
    if (!(error instanceof RefusedFile || error instanceof BrokenFile)) throw error;
    reportFault(`${input.name} ${error.message}.`);
  }
}
