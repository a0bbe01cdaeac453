import { readFileSync } from 'node:fs';
import { indexVersion } from '#search/index-maintenance.ts';
import { contactColumnTypes, documentColumnTypes } from './record-row.ts';

/*
 * The tables of a new store, in two groups: what is stored, and the index, which can be made of it again. Stores of earlier
 * versions get the first step by step (store-migrations.ts), and the second anew.
 */
const storeTables = readSql('store-tables.sql');

/** What a rebuild of the index makes again. */
export const indexTables = readSql('index-tables.sql')
  .replace('{documentColumns}', columnList(documentColumnTypes))
  .replace('{contactColumns}', columnList(contactColumnTypes))
  .replace('{indexVersion}', String(indexVersion));

export const tables = `${storeTables}${indexTables}`;

/** Without comments: whether a store has these tables is told by the text of their statements. */
function readSql(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8').replaceAll(/^--.*\n/gm, '');
}

function columnList(types: Readonly<Record<string, string>>): string {
  return Object.entries(types)
    .map(([column, type]) => `${column} ${type}`)
    .join(',\n  ');
}
