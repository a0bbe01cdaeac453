import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { nameKeyOf } from '#records/identity.ts';
import type { Kind } from '#records/vocabularies.ts';
import { StartupError } from '#src/problem.ts';
import { makePrivateFile, makePrivateFolder } from './private-files.ts';
import { documentColumnTypes } from './record-row.ts';
import { fromVersion11, fromVersion31, schemaVersion, tables, version11, version31 } from './schema.ts';
import { isBusy } from './sqlite-errors.ts';

const busyTimeoutMs = 10_000;

export function databasePath(dataDir: string): string {
  return join(dataDir, 'masthead.db');
}

/** Throws an Error with what to do if a data folder has no store. */
export function requireStore(dataDir: string): void {
  if (existsSync(databasePath(dataDir))) return;
  throw new Error(`${dataDir} contains no store. Set MASTHEAD_DATA_DIR, or make a store there: npm start`);
}

/** Keeps other services off a data folder until the result is closed or this process ends, in whatever way. */
export function claimDataFolder(dataDir: string): DatabaseSync {
  const path = join(dataDir, 'service.lock');
  makePrivateFolder(dataDir);
  makePrivateFile(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new StartupError(
      `another service uses the data folder ${dataDir}. Stop it, or choose another folder: MASTHEAD_DATA_DIR=FOLDER`,
    );
  }
}

/** Makes the store where there is none, and brings its tables up to date. Its files are for its owner alone. */
export function openDatabase(dataDir: string): DatabaseSync {
  makePrivateFolder(dataDir);
  makePrivateFile(databasePath(dataDir));
  const database = new DatabaseSync(databasePath(dataDir), {
    enableForeignKeyConstraints: true,
    timeout: busyTimeoutMs,
  });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536');
  migrate(database);
  return database;
}

/** Opens the store read-only; it must exist. */
export function openReader(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  database.exec('PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824; PRAGMA temp_store = MEMORY');
  return database;
}

/** Runs the work in one transaction that takes the write lock at its start; an exception rolls it back. */
export function transact<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function migrate(database: DatabaseSync): void {
  if (readVersion(database) === schemaVersion && listMissing(database).length === 0) return;
  transact(database, () => {
    const version = readVersion(database);
    if (version === version11) {
      database.function('name_key_of', (kind, name) => nameKeyOf(kind as Kind, String(name)));
      database.exec(fromVersion11);
    } else if (version === 0) database.exec(tables);
    else if (version !== version31 && version !== schemaVersion) throw new Error(describeOtherVersion(version));
    if (version === version11 || version === version31) database.exec(fromVersion31);
    for (const column of listMissing(database)) {
      // A row that exists may lack the value until the index is rebuilt, which a new column asks for.
      database.exec(`ALTER TABLE documents ADD COLUMN ${column} ${documentColumnTypes[column]}`);
    }
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
  });
}

function describeOtherVersion(version: number): string {
  const numbers = `schema ${version}; this version reads ${version11}, ${version31} and ${schemaVersion}`;
  return version < version11
    ? `the data folder was made by Masthead 1.0 (${numbers}). Start Masthead 1.1 with it once, then this version`
    : `the data folder belongs to a newer version of Masthead, or to one that was not released (${numbers}). Run that version, or choose another MASTHEAD_DATA_DIR`;
}

function listMissing(database: DatabaseSync): string[] {
  const known = new Set(
    database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all('documents')
      .map(({ name }) => name),
  );
  return Object.keys(documentColumnTypes).filter((column) => !known.has(column));
}

function readVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}
