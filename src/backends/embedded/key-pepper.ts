import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
 * @throws Error with what to do, when the file is damaged: another pepper would silently end every key.
 */
export function readOrMakeKeyPepper(dataDir: string): string {
  return readKeyPepper(dataDir) ?? makeKeyPepper(dataDir);
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
    `${path} is damaged: it must hold ${pepperBytes * 2} hexadecimal digits. Bring it back from a backup, or remove it and issue every key anew.`,
  );
}

/** Written under another name first and then linked, so that no reader ever sees half of it. */
function makeKeyPepper(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  const draft = `${keyPepperPath(dataDir)}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(pepperBytes).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, keyPepperPath(dataDir));
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  return readOrMakeKeyPepper(dataDir);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
