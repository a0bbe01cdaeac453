import type { Command } from 'commander';
import { type JsonFlag, print, printJson, reportFault } from '#src/command-line/command-line.ts';
import { readEncoding, usualColumns } from '../importing/column-map.ts';
import { inputAt } from '../importing/open-input.ts';
import { formatColumnFile, proposeColumns, proposeConstants } from '../importing/propose-columns.ts';
import { readSample } from '../importing/read-rows.ts';
import { BrokenFile, RefusedFile } from '../importing/row.ts';

interface ColumnsFlags extends JsonFlag {
  sheet?: string;
  encoding?: string;
}

export function addTo(program: Command): void {
  program
    .command('columns')
    .description('propose which column of a list fills which field, as a column file for `import --columns`')
    .argument('<file>', 'a list')
    .option('--sheet <name>', 'the sheet of Excel workbooks (default: the first one)')
    .option('--encoding <label>', 'how text is encoded that is not UTF-8, such as windows-1252', readEncoding)
    .action(printColumns);
}

async function printColumns(file: string, { sheet, encoding, json = false }: ColumnsFlags): Promise<void> {
  const input = await inputAt(file, { sheet: sheet ?? null, encoding: encoding ?? null, columns: usualColumns });
  try {
    const source = await input.open();
    const sample = await readSample(source).finally(source.close);
    const columns = proposeColumns(usualColumns, sample);
    const constants = proposeConstants(columns, sample);
    if (columns.length === 0) reportFault(`${input.name} has no rows to look at.`);
    else if (json)
      printJson({ columns: Object.fromEntries(columns.map(({ heading, field }) => [heading, field])), constants });
    else print(formatColumnFile(columns, constants).trimEnd());
  } catch (error) {
    if (!(error instanceof RefusedFile || error instanceof BrokenFile)) throw error;
    reportFault(`${input.name} ${error.message}.`);
  }
}
