import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fetchOnce } from '../../testing/engines/engine-cache.ts';
import { runFetcher } from '../../testing/engines/run-fetcher.ts';

/** The one that the figures of docs/trials.md were taken with. */
const version = '4.32.5';

/** A program and the environment it needs in addition to the machine's. */
export interface Schemathesis {
  command: string;
  env: Record<string, string>;
}

/**
 * The machine's own schemathesis, or one downloaded from the Python package index to a separate folder, once per
 * machine.
 *
 * @throws Error that says what to install.
 */
export async function findSchemathesis(log: (line: string) => void): Promise<Schemathesis> {
  if (runs('schemathesis', ['--version'])) return { command: 'schemathesis', env: {} };
  const python = ['python3', 'python'].find((name) => runs(name, ['-m', 'pip', '--version']));
  if (python === undefined) {
    throw new Error(
      'schemathesis is not on the PATH, and there is no Python with pip to fetch it. Install Python 3.10 or newer with pip (on Debian: python3-pip), then run this again.',
    );
  }
  const folder = await fetchOnce(`schemathesis-${version}`, log, async (unfinished) => {
    log(`fetching schemathesis ${version} from the Python package index (once a machine) …`);
    // Not a venv: that contains its own path, and this folder is renamed when it is complete.
    const options = ['--disable-pip-version-check', '--no-cache-dir', '--quiet', '--target', unfinished];
    const args = ['-m', 'pip', 'install', ...options, `schemathesis==${version}`];
    await runFetcher(python, args, { folder: unfinished, log });
  });
  return { command: join(folder, 'bin', 'schemathesis'), env: { PYTHONPATH: folder } };
}

function runs(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
