import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pepperProofOf } from '#accounts/pepper.ts';
import { claimDataFolder, databasePath, openDatabase, requireStore, takeWhole } from './database.ts';
import { keyPepperPath, readKeyPepper } from './key-pepper.ts';
import { makePrivateFile, makePrivateFolder } from './private-files.ts';
import { isDamaged } from './sqlite-errors.ts';

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

/** Copied and checked beside the store, then replaces it in one step. KEY_PEPPER counts before the files. */
export function restore(folder: string, dataDir: string, keyPepper: string | null): void {
  if (!existsSync(databasePath(folder))) throw new Error(`${folder} has no backup. Pass a folder that backup made.`);
  const claim = claimDataFolder(dataDir);
  const unfinished = join(dataDir, 'restoring');
  const path = databasePath(dataDir);
  try {
    const replaced = takeStanding(path);
    try {
      const hasPepper = copyTo(unfinished, folder);
      requireProof(unfinished, keyPepper ?? readKeyPepper(hasPepper ? unfinished : dataDir));
      // Writes what lies beside the old file into it: SQLite would take that for a part of the new one.
      replaced?.exec('COMMIT; PRAGMA journal_mode = DELETE');
      for (const file of ['wal', 'shm', 'journal']) rmSync(`${path}-${file}`, { force: true });
      if (hasPepper) renameSync(keyPepperPath(unfinished), keyPepperPath(dataDir));
      renameSync(databasePath(unfinished), path);
    } finally {
      replaced?.close();
    }
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    claim.close();
  }
}

/** The store that is to be replaced, for this process alone; null if there is none, or none that SQLite can open. */
function takeStanding(path: string): DatabaseSync | null {
  if (!existsSync(path)) return null;
  try {
    return takeWhole(path, `another program uses ${path}. Stop it, or wait until it has ended.`);
  } catch (error) {
    if (isDamaged(error)) return null;
    throw error;
  }
}

/** Brings a copied store up to date, and makes sure that its keys and orders were made under this pepper. */
function requireProof(folder: string, pepper: string | null): void {
  const database = openDatabase(folder);
  const proof = database.prepare("SELECT body ->> 'proof' AS proof FROM keyed WHERE kind = 'key_pepper'").get()?.proof;
  database.close();
  if (proof === undefined || (pepper !== null && proof === pepperProofOf(pepper))) return;
  throw new Error(
    'the keys in the backup were made with another key pepper. Put that into the backup as the file key-pepper, or set KEY_PEPPER to it.',
  );
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
