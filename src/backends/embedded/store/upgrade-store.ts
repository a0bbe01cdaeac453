import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { indexVersion } from '#search/indexed/index-maintenance.ts';
import { StartupError } from '#src/problem.ts';
import { transact } from '../database.ts';
import { selectRows } from '../index/record-forms.ts';
import { contactColumnTypes, documentColumnTypes } from '../record-row.ts';
import { isBusy } from '../sqlite-errors.ts';
import { documentTables } from './document-tables.ts';
import { earliestForm, listPending, type Migration, storeForm } from './store-migrations.ts';

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

/** Records that the upgrade indexes itself, so that one that could not index any changes nothing. */
const indexedFirst = 250;

/** How long to wait for a process that ends, in milliseconds. */
const aloneTimeoutMs = 2_000;

/** The number of the form of a store; 0 for one without tables. */
export function readForm(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** Whether the store has this version's form, and the tables of its index. @throws StartupError if no step leads to that form. */
export function isUpToDate(database: DatabaseSync): boolean {
  return requirePending(readForm(database)).length === 0 && hasIndexTables(database);
}

/** The steps that an upgrade of the store would do. @throws StartupError if no step leads to this version's form. */
export function listPendingMigrations(database: DatabaseSync): readonly Migration[] {
  return requirePending(readForm(database));
}

/** Whether the index needs no rebuild. */
export function isIndexOfThisVersion(database: DatabaseSync): boolean {
  if (!hasIndexTables(database)) return false;
  return database.prepare('SELECT version FROM search_index').get()?.version === indexVersion;
}

/** Makes the tables of a new store; of two processes at once, one does. */
export function makeStore(database: DatabaseSync): void {
  transact(database, () => {
    if (readForm(database) !== 0) return;
    database.exec(tables);
    database.exec(`PRAGMA user_version = ${storeForm}`);
  });
}

/**
 * Brings a store to this version's form, in one transaction and with no other process on it: either all is done, or the earlier
 * version can go on with it.
 *
 * @throws StartupError while another process, of whatever version, uses the store
 */
export function upgradeStore(path: string): void {
  using database = openAlone(path);
  transact(database, () => runMigrations(database));
}

/** The work of an upgrade, within its transaction. */
export function runMigrations(database: DatabaseSync): void {
  for (const migration of requirePending(readForm(database))) migration.run(database);
  if (!hasIndexTables(database)) makeIndexAgain(database);
  database.exec(`PRAGMA user_version = ${storeForm}`);
}

/** Every connection holds a lock on the file, whatever version made it. So nobody else uses a store that can be locked alone. */
function openAlone(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: aloneTimeoutMs });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
    return database;
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new StartupError(
      `${path} must be upgraded, and another process uses it: a service or command of an earlier version, or one that upgrades it. Stop it or wait for it, then try again. Nothing was changed`,
    );
  }
}

function requirePending(form: number) {
  const pending = listPending(form);
  if (pending !== null) return pending;
  const numbers = `form ${form}; this version reads ${earliestForm} to ${storeForm}`;
  throw new StartupError(
    form < earliestForm
      ? `the data folder was made by Masthead 1.0 (${numbers}). Start Masthead 1.1 with it once, then this version`
      : `the data folder belongs to a newer version of Masthead, or to one that was not released (${numbers}). Nothing was changed. Start that version, or choose another MASTHEAD_DATA_DIR`,
  );
}

/** The statements that make tables of the index, as SQLite keeps them, by the tables' names. */
const indexTableTexts = new Map(
  indexTables
    .split(';')
    .map((statement) => statement.trim().replace(' IF NOT EXISTS', ''))
    .flatMap((text) => {
      const [, name] = /^CREATE (?:VIRTUAL )?TABLE (\w+)/.exec(text) ?? [];
      return name === undefined ? [] : [[name, text] as const];
    }),
);

/** Whether the tables of the index are exactly this version's: a column more or less, or another constraint, makes it another. */
function hasIndexTables(database: DatabaseSync): boolean {
  const select = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?");
  return [...indexTableTexts].every(([name, text]) => select.get(name)?.sql === text);
}

/** Tables of the index in earlier versions, those that refer to others first. */
const earlierIndexTables = [
  'document_lists',
  'meanings',
  'contact_token_terms',
  'contact_tokens',
  'contact_terms',
  'contact_text',
  'contact_blocks',
  'contacts',
  'search_token_terms',
  'search_tokens',
  'search_terms',
  'search_text',
  'document_blocks',
  'documents',
];

/** Empties the index and makes its tables anew. Its version is then unknown, so that it is rebuilt before it is searched. */
function makeIndexAgain(database: DatabaseSync): void {
  for (const name of [...earlierIndexTables, 'search_index']) database.exec(`DROP TABLE IF EXISTS ${name}`);
  database.exec(indexTables);
  database.exec('UPDATE search_index SET version = NULL');
  const documents = documentTables(database);
  for (const row of database.prepare(selectRows).all(0, indexedFirst)) documents.renew(row);
}
