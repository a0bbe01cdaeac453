import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineUser, giveToEngineUser } from './engine-user.ts';
import { fetchStripeMock } from './fetch-stripe-mock.ts';
import { findFreePort } from './free-port.ts';
import { SupervisedProcess } from './supervised-process.ts';
import { readTestSettings } from './test-settings.ts';

const startMs = 30_000;

export interface StripeMock {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts stripe-mock on a free port; null if unavailable or engines are off, so that its tests are skipped.
 *
 * @throws Error if the run requires engines.
 */
export async function startStripeMock(): Promise<StripeMock | null> {
  const { engines: mode, path } = readTestSettings();
  if (mode === 'off') return null;
  let program: string;
  try {
    program = await fetchStripeMock((line) => console.log(`engines: ${line}`));
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
    // Without an address for https it would listen on every interface.
    args: ['-http-addr', address, '-https-addr', '127.0.0.1:'],
    env: { PATH: path },
    cwd: folder,
    logFile: join(folder, 'stripe-mock.log'),
    folder,
    user,
  });
  served.start();
  const url = `http://${address}`;
  try {
    await served.waitUntil(() => answers(url), startMs);
  } catch (error) {
    await served.stop();
    throw error;
  }
  return { url, stop: () => served.stop() };
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
}
