import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databasePath, requireStore } from './database.ts';
import { keyPepperPath } from './key-pepper.ts';
import { makePrivateFile, makePrivateFolder } from './private-files.ts';

/** Copies a complete, checked snapshot of store and pepper, usable as a data folder. The service may be running. */
export function backUp(dataDir: string, folder: string): { hasPepper: boolean } {
  requireStore(dataDir);
  if (existsSync(folder))
    throw new Error(`${folder} already exists. Pass a new folder: backups are never overwritten.`);
  const unfinished = `${resolve(folder)}.unfinished`;
  try {
    const hasPepper = copyTo(unfinished, dataDir);
    renameSync(unfinished, folder);
    return { hasPepper };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Copies a store, and the pepper if it has one, to a new folder. Returns whether it has. */
function copyTo(folder: string, from: string): boolean {
  rmSync(folder, { recursive: true, force: true });
  makePrivateFolder(folder);
  copyDatabase(databasePath(from), databasePath(folder));
  if (!existsSync(keyPepperPath(from))) return false;
  // Into an already private file: otherwise the copy would get the permissions of the original.
  makePrivateFile(keyPepperPath(folder));
  copyFileSync(keyPepperPath(from), keyPepperPath(folder));
  return true;
}

/** Rewrites the tables: a copy of the pages would also hold what was deleted from them. */
function copyDatabase(from: string, to: string): void {
  makePrivateFile(to);
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    source.prepare('VACUUM INTO ?').run(to);
  } catch (error) {
    throw new Error(`${from} cannot be copied (${(error as Error).message}). Nothing was changed.`);
  } finally {
    source.close();
  }
}
