import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const privateFolder = 0o700;
const privateFile = 0o600;
/** The permissions of everybody except the owner. */
const others = 0o077;

/** What Masthead keeps in a data folder: the store with SQLite's files beside it, the pepper, the lock, and rejects. */
const storeFile = /^(?:masthead\.db(?:-wal|-shm|-journal)?|service\.lock(?:-journal)?|key-pepper(?:\.[\da-f.]+)?)$/;
const storeFolder = 'rejects';

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

/**
 * Creates an empty file for its owner only, so nobody else can open it at any time; an existing one stays unchanged.
 */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', privateFile));
}

/**
 * Takes the store's files in a data folder away from all other users of the machine, and the folder itself where nothing
 * else is in it: one that is shared with other programs keeps its permissions.
 *
 * @param logLine takes one line that says what was tightened, and one for what belongs to another user and could not be
 */
export function tightenDataFolder(dataDir: string, logLine: (line: string) => void): void {
  if (!hasPermissions) return;
  const names = readdirSync(dataDir);
  const files = names.filter((name) => storeFile.test(name));
  const isShared = names.some((name) => name !== storeFolder && !storeFile.test(name));
  const folders = [
    ...(isShared ? [] : [dataDir]),
    ...(names.includes(storeFolder) ? [join(dataDir, storeFolder)] : []),
  ];
  const outcomes = [...folders.map(tighten), ...files.map((name) => tighten(join(dataDir, name)))];
  const list = (outcome: Tightening['outcome']) =>
    outcomes.flatMap((tightening) => (tightening.outcome === outcome ? [tightening.path] : [])).join(', ');
  const tightened = list('tightened');
  if (tightened !== '') logLine(`Other users of this machine could read ${tightened}. Now only its owner can.`);
  const refused = list('refused');
  if (refused !== '') {
    logLine(
      `Other users of this machine can read ${refused}, and this process is not allowed to change that. As the owner, run chmod go=`,
    );
  }
}

interface Tightening {
  path: string;
  outcome: 'tight' | 'tightened' | 'refused';
}

function tighten(path: string): Tightening {
  try {
    const { mode } = statSync(path);
    if ((mode & others) === 0) return { path, outcome: 'tight' };
    chmodSync(path, mode & privateFolder);
    return { path, outcome: 'tightened' };
  } catch (error) {
    // SQLite deletes its own files when the last process closes the store.
    if (isCode(error, 'ENOENT')) return { path, outcome: 'tight' };
    if (isCode(error, 'EPERM')) return { path, outcome: 'refused' };
    throw error;
  }
}

/** Whether it is this error of the operating system, such as `ENOENT`. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
