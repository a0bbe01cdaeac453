import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { isRoot } from './supervised-process.ts';
import { readTestSettings } from './test-settings.ts';

/** Where downloaded engines are kept. For root it is outside the home folder, because root runs engines as another user. */
function engineCacheFolder(): string {
  return join(isRoot() ? '/var/cache' : readTestSettings().cacheHome, 'masthead-engines');
}

/**
 * The folder `name` of the cache, which `fetch` fills if it does not exist. It is never there half-filled. If several runs need
 * it at the same time, one downloads it and the others wait.
 */
export async function fetchOnce(name: string, fetch: (folder: string) => Promise<void>): Promise<string> {
  const cache = engineCacheFolder();
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;

  mkdirSync(cache, { recursive: true, mode: 0o755 });
  // The lock is renewed while the download makes progress. If its holder dies, the lock expires.
  const retries = { forever: true, factor: 1, minTimeout: 500, maxTimeout: 500 };
  const release = await lock(folder, { realpath: false, stale: 30_000, update: 5_000, retries });
  const own = `.${name}-`;
  try {
    if (existsSync(folder)) return folder;
    // Runs that were killed during a download left these.
    for (const entry of readdirSync(cache)) {
      if (entry.startsWith(own)) rmSync(join(cache, entry), { recursive: true, force: true });
    }
    const unfinished = mkdtempSync(join(cache, own));
    try {
      await fetch(unfinished);
      openToOthers(unfinished);
      renameSync(unfinished, folder);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  } finally {
    await release();
  }
  return folder;
}

/** Lets every user read the folder, and run what its owner may run. */
function openToOthers(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isRunnable = entry.isDirectory() || (statSync(path).mode & 0o100) !== 0;
    chmodSync(path, isRunnable ? 0o755 : 0o644);
  }
}

/**
 * Runs a package client that downloads to a folder.
 *
 * @throws Error with the client's last output if it fails or is missing
 */
export async function runFetcher(command: string, args: readonly string[], folder: string): Promise<void> {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-4_000);
    });
  }
  const [code] = await once(child, 'close');
  const lastLines = output.trim().split('\n').slice(-5).join(' | ');
  if (code !== 0) throw new Error(`${command} failed: ${lastLines || 'it said nothing'}`);
}

/** Whether a program is there and works. */
export function runs(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A Python that can download packages. */
export function findPython(): string {
  const python = ['python3', 'python'].find((program) => runs(program, ['-m', 'pip', '--version']));
  if (python === undefined) throw new Error('there is no Python with pip to fetch it (on Debian: python3-pip)');
  return python;
}
