import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyStore } from '#ports/key-store.ts';
import { makePrivateFolder } from './private-files.ts';
import { isCode } from './system-error.ts';

/** Random bytes of a pepper; it is kept as their hexadecimal digits. */
const pepperBytes = 32;
const pepperForm = /^[0-9a-f]{64}$/;

/** Where the pepper of a data folder is. */
export function keyPepperPath(dataDir: string): string {
  return join(dataDir, 'key-pepper');
}

/**
 * The secret under which a data folder's keys are hashed. The first call makes it, readable by its owner alone;
 * of several processes that do so at once, all get the same.
 *
 * @throws Error with what to do, when the file is damaged, or lost while there are keys: another pepper would silently
 * end every one of them.
 */
export async function readOrMakeKeyPepper(dataDir: string, keys: Pick<KeyStore, 'list'>): Promise<string> {
  const pepper = readKeyPepper(dataDir);
  if (pepper !== null) return pepper;
  const { length: count } = await keys.list('');
  if (count === 0) return makeKeyPepper(dataDir);
  // Another process may have made the pepper and a key since.
  return readKeyPepper(dataDir) ?? refuseToReplace(dataDir, count);
}

function refuseToReplace(dataDir: string, count: number): never {
  const path = keyPepperPath(dataDir);
  const [keys, those] = count === 1 ? ['1 key was', 'that key'] : [`${count} keys were`, 'those keys'];
  throw new Error(
    `${path} is missing, and ${keys} made under it. Bring it back from a backup, or set KEY_PEPPER as it was set then. To go on without ${those}, make a new one: ${recipe(path)}`,
  );
}

/** What an operator types who gives up the keys made so far. */
function recipe(path: string): string {
  return `(umask 077; openssl rand -hex ${pepperBytes} > ${path})`;
}

function readKeyPepper(dataDir: string): string | null {
  const path = keyPepperPath(dataDir);
  let pepper: string;
  try {
    pepper = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
  if (pepperForm.test(pepper)) return pepper;
  throw new Error(
    `${path} is damaged: it must hold ${pepperBytes * 2} hexadecimal digits. Bring it back from a backup, or make a new one and issue every key anew: ${recipe(path)}`,
  );
}

/** Written under another name first and then linked, so that no reader ever sees half of it. */
function makeKeyPepper(dataDir: string): string {
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
