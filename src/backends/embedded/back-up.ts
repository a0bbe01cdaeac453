import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { databasePath } from './database.ts';
import { keyPepperPath } from './key-pepper.ts';
import { makePrivateFile, makePrivateFolder } from './private-files.ts';

/** Everything in one step, under a lock that blocks nobody. */
const pagesAtOnce = 2 ** 31 - 1;

/**
 * Copies a snapshot of the store and the pepper to a new folder, which can be used as a data folder right away. The
 * service may be running. The folder appears complete and checked, or not at all. Returns whether the pepper was there.
 *
 * @throws Error with what to do, if there is no store, the folder exists, or the copy is damaged.
 */
export async function backUp(dataDir: string, folder: string): Promise<{ hasPepper: boolean }> {
  if (!existsSync(databasePath(dataDir))) throw new Error(`${dataDir} contains no store. Set MASTHEAD_DATA_DIR.`);
  if (existsSync(folder))
    throw new Error(`${folder} already exists. Pass a new folder: backups are never overwritten.`);
  const unfinished = `${resolve(folder)}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  makePrivateFolder(unfinished);
  try {
    await copyDatabase(databasePath(dataDir), databasePath(unfinished));
    const hasPepper = existsSync(keyPepperPath(dataDir));
    if (hasPepper) {
      // Copies into an already private file: otherwise the copy would get the permissions of the original.
      makePrivateFile(keyPepperPath(unfinished));
      copyFileSync(keyPepperPath(dataDir), keyPepperPath(unfinished));
    }
    renameSync(unfinished, folder);
    return { hasPepper };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

async function copyDatabase(from: string, to: string): Promise<void> {
  makePrivateFile(to);
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(source, to, { rate: pagesAtOnce });
  } finally {
    source.close();
  }
  // Even read-only access leaves files behind.
  const copy = new DatabaseSync(to);
  try {
    const found = copy.prepare('PRAGMA quick_check').get()?.quick_check;
    if (found !== 'ok') throw new Error(`the store is damaged, so no backup was made: ${found}`);
  } finally {
    copy.close();
  }
}
