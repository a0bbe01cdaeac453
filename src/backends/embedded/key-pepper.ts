import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCode, makePrivateFolder } from './private-files.ts';

/** Random bytes of a pepper; stored as hexadecimal digits. */
const pepperBytes = 32;
const pepperForm = /^[0-9a-f]{64}$/;

export function keyPepperPath(dataDir: string): string {
  return join(dataDir, 'key-pepper');
}

/** The pepper of a data folder; null if it has none. Throws an Error with what to do if the file is damaged. */
export function readKeyPepper(dataDir: string): string | null {
  const path = keyPepperPath(dataDir);
  let pepper: string;
  try {
    pepper = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    if (isCode(error, 'EISDIR')) {
      throw new Error(
        `${path} is a folder, but it must be the file with the key pepper. Restore the file from a backup.`,
      );
    }
    throw error;
  }
  if (pepperForm.test(pepper)) return pepper;
  throw new Error(
    `${path} is damaged: it must contain ${pepperBytes * 2} hexadecimal digits. Restore it from a backup. To give up every key and order made with it, delete the file and run: npm run admin -- pepper replace`,
  );
}

/**
 * Creates the pepper of a data folder, readable only by its owner; if several processes do so at once, all get the
 * same. The file is written under another name and then linked, so no reader sees half of it.
 */
export function makeKeyPepper(dataDir: string): string {
  makePrivateFolder(dataDir);
  const draft = `${keyPepperPath(dataDir)}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(pepperBytes).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, keyPepperPath(dataDir));
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  return readKeyPepper(dataDir) ?? makeKeyPepper(dataDir);
}
