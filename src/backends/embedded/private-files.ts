import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const privateFolder = 0o700;
const privateFile = 0o600;
/** The permissions of everybody except the owner. */
const others = 0o077;

/** What Masthead keeps in a data folder: the store with SQLite's files beside it, the pepper, the lock, and rejects. */
const ours = /^(?:masthead\.db(?:-wal|-shm|-journal)?|service\.lock(?:-journal)?|key-pepper(?:\.[\da-f.]+)?|rejects)$/;

/** Windows has no such permissions: a folder's access list decides there. */
const hasPermissions = process.platform !== 'win32';

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

/** Closes files to all other users, and the folder too unless other programs keep files in it. */
export function tightenDataFolder(dataDir: string, logLine: (line: string) => void): void {
  if (!hasPermissions) return;
  const names = readdirSync(dataDir);
  const own = names.filter((name) => ours.test(name)).map((name) => join(dataDir, name));
  const tightened = [...(own.length === names.length ? [dataDir] : []), ...own].filter(tighten);
  if (tightened.length > 0) {
    logLine(`Other users of this machine could read ${tightened.join(', ')}. Now only its owner can.`);
  }
}

/** Returns whether others had access. */
function tighten(path: string): boolean {
  // SQLite deletes its own files when the last process closes the store.
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? privateFile;
  if ((mode & others) === 0) return false;
  chmodSync(path, mode & privateFolder);
  return true;
}

/** Whether it is this error of the operating system, such as `ENOENT`. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
