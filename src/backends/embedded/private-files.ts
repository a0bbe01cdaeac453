import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const privateFolder = 0o700;
const privateFile = 0o600;

/** Creates a folder and its missing parents for its owner only; an existing one stays unchanged. */
export function makePrivateFolder(path: string): void {
  const parent = dirname(resolve(path));
  // Node's own `recursive` never returns where a folder cannot be made, such as in /proc.
  if (!existsSync(parent)) makePrivateFolder(parent);
  try {
    mkdirSync(path, { mode: privateFolder });
  } catch (error) {
    if (!isCode(error, 'EEXIST') || !statSync(path).isDirectory()) throw error;
  }
}

/** For its owner only from the start, so nobody else can ever open it; an existing one stays unchanged. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', privateFile));
}

/** Whether it is this error of the operating system, such as `ENOENT`. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
