import { describeFaultList } from '#src/command-line/output.ts';
import { unguardFormula } from '#src/encodings/formulas.ts';
import { usualColumns } from '../importing/columns/column-map.ts';
import { openCsv } from '../importing/reading/csv-table.ts';
import { inputAt, splitLines } from '../importing/reading/open-input.ts';
import type { Merge } from './merge-duplicates.ts';

/**
 * Reads the merges from a file of `duplicates --output`, which may have been edited: only the columns group, action and id
 * matter, and rows without an action are left out. Throws an Error that lists every fault with its line.
 */
export async function readMergeList(file: string): Promise<Merge[]> {
  const groups = new Map<string, { keep: string[]; drop: string[] }>();
  const faults: string[] = [];
  for await (const { line, group, action, id, fault } of readRows(file)) {
    const verb = action.toLowerCase();
    if (fault) faults.push(`line ${line}: ${fault}`);
    else if (verb === '') continue;
    else if (verb !== 'keep' && verb !== 'drop') faults.push(`line ${line}: the action must be keep, drop or empty`);
    else if (group === '' || id === '') faults.push(`line ${line}: there is no ${group === '' ? 'group' : 'id'}`);
    else {
      const members = groups.get(group) ?? { keep: [], drop: [] };
      groups.set(group, members);
      members[verb].push(unguardFormula(id));
    }
  }
  const merges = [...groups].flatMap(([group, { keep, drop }]): Merge[] => {
    const [keptId, ...more] = new Set(keep);
    // Somebody who leaves only one row of a group does not want to merge it.
    if (keep.length + drop.length < 2 || (drop.length === 0 && more.length === 0)) return [];
    if (keptId === undefined) faults.push(`group ${group}: no row has the action keep`);
    else if (more.length > 0) faults.push(`group ${group}: ${more.length + 1} rows have the action keep`);
    return keptId === undefined ? [] : [{ keep: keptId, drop: [...new Set(drop)] }];
  });
  if (faults.length === 0) return merges;
  throw new Error(describeFaultList('nothing was merged:', faults));
}

async function* readRows(file: string) {
  const input = await inputAt(file, { sheet: null, encoding: null, columns: usualColumns });
  const source = await input.open().catch((error) => {
    throw new Error(`${file} ${error.message}. Pass a file that \`duplicates --output\` wrote.`);
  });
  try {
    if (!('texts' in source.content)) throw new Error(`${file} is a workbook. Save its sheet as "CSV UTF-8".`);
    const { headings, rows } = await openCsv(splitLines(source.content.texts), usualColumns);
    const names = (headings ?? []).map((heading) => heading.trim().toLowerCase());
    const missing = ['group', 'action', 'id'].filter((name) => !names.includes(name));
    if (missing.length > 0)
      throw new Error(`the file has no column ${missing.join(', ')}. Pass a file that \`duplicates --output\` wrote.`);
    for await (const batch of rows) {
      for (const { line, cells, fault } of batch) {
        const row = Array.isArray(cells) ? (cells as readonly string[]) : [];
        const cellOf = (name: string) => row[names.indexOf(name)]?.trim() ?? '';
        yield { line, group: cellOf('group'), action: cellOf('action'), id: cellOf('id'), fault: fault?.reason };
      }
    }
  } finally {
    source.close();
  }
}
