import { constants } from 'node:fs';
import { access, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { atMostOften, type StoreHealth } from '../store-health.ts';
import { databasePath } from './database.ts';
import { faultOf } from './sqlite-errors.ts';

/** A disk with less room than this counts as full, in bytes: a long list takes a few megabytes. */
const leastFreeBytes = 4 * 1024 * 1024;

const damage = 'undamaged store: masthead.db is damaged. Restore it from a backup';

/** The health of the embedded store: of its disk, its folder and its file. */
export class SqliteHealth implements StoreHealth {
  readonly #dataDir: string;
  #isDamaged = false;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  readonly #findDiskFault = atMostOften(() => findDiskFault(this.#dataDir));

  async findFault(): Promise<string | null> {
    return this.#isDamaged ? damage : this.#findDiskFault();
  }

  note(error: unknown): void {
    if (error instanceof Error && (faultOf(error) === 'damage' || faultOf(error.cause) === 'damage')) {
      this.#isDamaged = true;
    }
  }

  async checkWhole(): Promise<void> {
    if ((await findDamageAside(databasePath(this.#dataDir))) !== null) this.#isDamaged = true;
  }

  findFreeBytes(): Promise<number> {
    return countFreeBytes(this.#dataDir);
  }
}

/** Why a data folder cannot be written to; null if it can. Writes a small file and removes it, and touches no other. */
export async function findDiskFault(dataDir: string): Promise<string | null> {
  const full = (room: string) =>
    `disk space: the disk of the data folder is full (${room}), so no purchase, claim, list or export can be stored. Make room`;
  const probe = join(dataDir, '.write-probe');
  try {
    const free = await countFreeBytes(dataDir);
    if (free < leastFreeBytes) return full(`${Math.floor(free / 1024)} kB free`);
    await access(databasePath(dataDir), constants.W_OK);
    const file = await open(probe, 'w', 0o600);
    try {
      await file.writeFile(Buffer.alloc(4_096));
      await file.sync();
    } finally {
      await file.close();
      await rm(probe, { force: true });
    }
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') return full(code);
    return `write access: the data folder or masthead.db in it cannot be written (${code}). Let the user of the service write there`;
  }
}

async function countFreeBytes(dataDir: string): Promise<number> {
  const { bavail, bfree, bsize } = await statfs(dataDir);
  // Some file systems keep a reserve that only root can use.
  return (process.getuid?.() === 0 ? bfree : bavail) * bsize;
}

/** Looks for damage in another thread: it takes about a second per 100,000 records. */
function findDamageAside(path: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./damage-thread.ts', import.meta.url), { workerData: path });
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}
