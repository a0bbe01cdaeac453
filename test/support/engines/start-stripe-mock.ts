import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from './engine.ts';
import { fetchOnce, runFetcher, runs } from './engine-cache.ts';
import { findFreePort } from './probe-engine.ts';
import { engineUser, giveToEngineUser, SupervisedProcess } from './supervised-process.ts';
import { readTestSettings } from './test-settings.ts';

const version = '0.203.0';
const startMs = 30_000;

/**
 * Starts stripe-mock on a free port. Null if it is unavailable or engines are off: then skip the tests.
 *
 * @throws Error if the run requires engines.
 */
export async function startStripeMock(): Promise<Engine | null> {
  const { engines: mode, path } = readTestSettings();
  if (mode === 'off') return null;
  let program: string;
  try {
    program = await fetchStripeMock();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const line = `no stripe-mock for tests (${reason}). To have one: install Go`;
    if (mode === 'required') throw new Error(`${line}.`);
    console.log(`engines: tests on stripe-mock are skipped: ${line}.`);
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'masthead-stripe-mock-'));
  const user = engineUser();
  giveToEngineUser(user, folder);
  const address = `127.0.0.1:${await findFreePort()}`;
  const served = new SupervisedProcess({
    command: program,
    // Without this address for https, it would listen on every interface.
    args: ['-http-addr', address, '-https-addr', '127.0.0.1:'],
    env: { PATH: path },
    cwd: folder,
    logFile: join(folder, 'stripe-mock.log'),
    folder,
    user,
  });
  const url = `http://${address}`;
  return served.serve(url, `stripe-mock ${version}`, () => answers(url), startMs);
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
}

/**
 * The path of stripe-mock, Stripe's own request checker, built if this machine has none yet.
 *
 * @throws Error that briefly says why there is none.
 */
async function fetchStripeMock(): Promise<string> {
  const folder = await fetchOnce(`stripe-mock-${version}`, async (unfinished) => {
    if (!runs('go', ['version'])) throw new Error('there is no Go to build it');
    console.log(`engines: fetching stripe-mock ${version} from the Go module proxy and building it (once a machine) …`);
    const work = join(unfinished, 'work');
    mkdirSync(work);
    // Separate folders, so that the build leaves nothing in the user's Go folders.
    const folders = [`GOPATH=${work}/path`, `GOCACHE=${work}/cache`, `GOBIN=${work}/bin`, 'GOFLAGS=-modcacherw'];
    const install = ['go', 'install', `github.com/stripe/stripe-mock@v${version}`];
    await runFetcher('env', [...folders, ...install], unfinished);
    renameSync(join(work, 'bin', 'stripe-mock'), join(unfinished, 'stripe-mock'));
    rmSync(work, { recursive: true });
  });
  return join(folder, 'stripe-mock');
}
