import { join } from 'node:path';
import { fetchOnce, findPython, runFetcher } from '../test/support/engines/engine-cache.ts';
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
  const python = findPython();
  const folder = await fetchOnce(name, async (unfinished) => {
    log(`fetching ${name} from the Python package index (once a machine) …`);
    // Not a venv: that contains its own path, and this folder is renamed when it is complete.
    const options = ['--disable-pip-version-check', '--no-cache-dir', '--quiet', '--target', unfinished];
    await runFetcher(python, ['-m', 'pip', 'install', ...options, ...wanted], unfinished);
  });
  return { python, bin: join(folder, 'bin'), env: { PYTHONPATH: folder } };
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
