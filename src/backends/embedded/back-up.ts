import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { KeyedKind } from '#records/keyed-store.ts';
import { messageOf } from '#src/problem.ts';
import { backupKey, backupKind } from '../backups.ts';
import { identityKey, identityKind, identityOfCopy } from '../store-identity.ts';
import { databasePath, requireStore } from './database.ts';
import { findDamage } from './find-damage.ts';
import { keyPepperPath } from './key-pepper.ts';
import { makePrivateFile, makePrivateFolder } from './private-files.ts';
import { faultOf } from './sqlite-errors.ts';
import { writeKeyed } from './store/sqlite-keyed-store.ts';

/** How long another writer of the store may take, in milliseconds. */
const busyTimeoutMs = 10_000;

/**
 * Copies a complete, checked snapshot of store and pepper, usable as a data folder, and notes in the store when it did. The
 * service may be running. `unnoted`: why the store could not be written to, as where its disk is full; else null.
 */
export function backUp(dataDir: string, folder: string): { hasPepper: boolean; unnoted: string | null } {
  requireStore(dataDir);
  if (existsSync(folder))
    throw new Error(`${folder} already exists. Pass a new folder: backups are never overwritten.`);
  const at = new Date();
  const unfinished = `${resolve(folder)}.unfinished`;
  try {
    const hasPepper = copyTo(unfinished, dataDir, at);
    renameSync(unfinished, folder);
    return { hasPepper, unnoted: noteBackup(dataDir, at) };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Copies a store, and the pepper if it has one, to a new folder. Returns whether it has. */
function copyTo(folder: string, from: string, at: Date): boolean {
  rmSync(folder, { recursive: true, force: true });
  makePrivateFolder(folder);
  copyDatabase(databasePath(from), databasePath(folder));
  writeValue(databasePath(folder), identityKind, identityKey, identityOfCopy(at));
  const damage = findDamage(databasePath(folder));
  if (damage !== null) throw new Error(`the copy is damaged (${damage}). Is the disk of ${folder} sound?`);
  if (!existsSync(keyPepperPath(from))) return false;
  // Into an already private file: otherwise the copy would get the permissions of the original.
  makePrivateFile(keyPepperPath(folder));
  copyFileSync(keyPepperPath(from), keyPepperPath(folder));
  return true;
}

/** Rewrites the tables: a copy of the pages would also hold what was deleted from them. */
function copyDatabase(from: string, to: string): void {
  makePrivateFile(to);
  using source = new DatabaseSync(from, { readOnly: true });
  try {
    source.prepare('VACUUM INTO ?').run(to);
  } catch (error) {
    const remedy = faultOf(error) === 'damage' ? ' Keep it, and restore the last backup (docs/operations.md).' : '';
    throw new Error(`${from} cannot be copied (${(error as Error).message}). Nothing was changed.${remedy}`);
  }
}

function noteBackup(dataDir: string, at: Date): string | null {
  try {
    writeValue(databasePath(dataDir), backupKind, backupKey, { at: at.toISOString() });
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Writes a value into a store of any version: only those since 1.2 have the table. */
function writeValue<Value extends object>(path: string, kind: KeyedKind<Value>, key: string, value: Value): void {
  using database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  const table = database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'keyed'`).get();
  if (table !== undefined) writeKeyed(database, kind, key, value);
}
