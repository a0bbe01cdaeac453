import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { parse } from 'csv-parse';
import { unguardFormula } from '#src/encodings/columns.ts';
import { countOf } from '#text/printed.ts';
import type { Merge } from './merge-duplicates.ts';

/** Faults that are listed; the rest is counted. */
const maxFaults = 20;

interface Group {
  keep: string[];
  drop: string[];
}

/**
 * The merges of a file as `duplicates --output` writes it, however it was edited: rows may be deleted, sorted, or have
 * another action. Only the columns group, action and id are read; a row without an action is left out.
 *
 * @throws Error with every fault by its line, if there is one: then nothing is merged.
 */
export async function readMergeList(file: string): Promise<Merge[]> {
  const groups = new Map<string, Group>();
  const faults: string[] = [];
  for await (const { record, info } of openRows(file)) {
    const { group = '', action = '', id = '' } = record;
    const verb = action.trim().toLowerCase();
    if (verb === '') continue;
    if (verb !== 'keep' && verb !== 'drop') faults.push(`line ${info.lines}: the action must be keep, drop or empty`);
    else if (group.trim() === '') faults.push(`line ${info.lines}: there is no group`);
    else if (id.trim() === '') faults.push(`line ${info.lines}: there is no id`);
    else {
      const members = groups.get(group.trim()) ?? { keep: [], drop: [] };
      groups.set(group.trim(), members);
      members[verb].push(unguardFormula(id.trim()));
    }
  }
  const merges = [...groups].flatMap(([group, { keep, drop }]): Merge[] => {
    const [kept, ...more] = new Set(keep);
    // A group of which one row is left is not to be merged.
    if (keep.length + drop.length < 2 || (drop.length === 0 && more.length === 0)) return [];
    if (kept === undefined) faults.push(`group ${group}: no row has the action keep`);
    else if (more.length > 0) faults.push(`group ${group}: ${more.length + 1} rows have the action keep`);
    return kept === undefined ? [] : [{ keep: kept, drop: [...new Set(drop)] }];
  });
  if (faults.length > 0) throw new Error(describe(faults));
  return merges;
}

interface CsvRow {
  record: Record<string, string>;
  info: { lines: number };
}

async function* openRows(file: string): AsyncGenerator<CsvRow> {
  const source = createReadStream(file);
  const rows = source.pipe(
    parse({
      bom: true,
      info: true,
      delimiter: await findDelimiter(file),
      // A row with more cells than the header may have its id in another column.
      relax_column_count_less: true,
      skip_empty_lines: true,
      columns: (headings: string[]) => headings.map((heading) => heading.trim().toLowerCase()),
    }),
  );
  source.on('error', (error) => rows.destroy(error));
  try {
    let isFirst = true;
    for await (const row of rows as AsyncIterable<CsvRow>) {
      if (isFirst) checkHeadings(row.record);
      isFirst = false;
      yield row;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isUnreadable = code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR';
    throw new Error(isUnreadable ? `${file} cannot be read (${code}): pass a file of duplicates --output` : message);
  }
}

/** The one that the header line has: spreadsheet programs write others, and ids may contain any. */
async function findDelimiter(file: string): Promise<string> {
  const source = await open(file).catch(() => null);
  if (source === null) return ',';
  try {
    for await (const line of source.readLines()) return [',', ';', '\t'].find((one) => line.includes(one)) ?? ',';
    return ',';
  } finally {
    await source.close();
  }
}

function checkHeadings(record: Record<string, string>): void {
  const missing = ['group', 'action', 'id'].filter((heading) => !(heading in record));
  if (missing.length > 0)
    throw new Error(`the file has no column ${missing.join(', ')}: use a file of duplicates --output`);
}

function describe(faults: readonly string[]): string {
  const more = faults.length > maxFaults ? [`and ${countOf(faults.length - maxFaults, 'more fault')}`] : [];
  return ['nothing was merged:', ...faults.slice(0, maxFaults), ...more].join('\n  ');
}
