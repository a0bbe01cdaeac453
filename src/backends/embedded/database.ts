import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { StartupError } from '#src/problem.ts';
import { atMost, cached } from '#text/memoize.ts';
import { makePrivateFile, makePrivateFolder } from './private-files.ts';
import { isBusy } from './sqlite-errors.ts';

/** How long a request waits for another process that writes, in milliseconds. */
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

/** Opens the store to write; the file is made where there is none, for its owner alone. `timeoutMs` is how long it waits for others. */
export function connect(dataDir: string, timeoutMs = busyTimeoutMs): DatabaseSync {
  makePrivateFolder(dataDir);
  makePrivateFile(databasePath(dataDir));
  const database = new DatabaseSync(databasePath(dataDir), {
    enableForeignKeyConstraints: true,
    timeout: timeoutMs,
  });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536');
  return database;
}

/** Opens the store read-only; it must exist. */
export function openReader(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  database.exec('PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824; PRAGMA temp_store = MEMORY');
  return database;
}

/** The prepared statement of a text in SQL. */
export type Prepare = (sql: string) => StatementSync;

/** Prepares statements of a connection, and keeps the last 50. */
export function preparing(database: DatabaseSync): Prepare {
  const statements = new LRUCache<string, StatementSync>(atMost(50));
  return (sql) => cached(statements, sql, () => database.prepare(sql));
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
