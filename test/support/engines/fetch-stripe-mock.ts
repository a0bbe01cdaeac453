import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LogLine } from './engine.ts';
import { fetchOnce } from './engine-cache.ts';
import { runFetcher } from './run-fetcher.ts';

const version = '0.203.0';

/**
 * The path of stripe-mock, Stripe's own request checker, built if this machine has none yet.
 *
 * @throws Error that briefly says why there is none.
 */
export async function fetchStripeMock(log: LogLine): Promise<string> {
  const folder = await fetchOnce(`stripe-mock-${version}`, log, async (unfinished) => {
    findGo();
    log(`fetching stripe-mock ${version} from the Go module proxy and building it (once a machine) …`);
    const work = join(unfinished, 'work');
    mkdirSync(work);
    // Separate folders, so that what the build needs does not stay in the user's.
    const folders = [`GOPATH=${work}/path`, `GOCACHE=${work}/cache`, `GOBIN=${work}/bin`, 'GOFLAGS=-modcacherw'];
    const install = ['go', 'install', `github.com/stripe/stripe-mock@v${version}`];
    await runFetcher('env', [...folders, ...install], { folder: unfinished, log });
    renameSync(join(work, 'bin', 'stripe-mock'), join(unfinished, 'stripe-mock'));
    rmSync(work, { recursive: true });
  });
  return join(folder, 'stripe-mock');
}

function findGo(): void {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
  } catch {
    throw new Error('there is no Go to build it');
  }
}
