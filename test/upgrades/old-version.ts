import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** A version whose stores the tests of upgrades open: the commit that was it, and how its commands name what later ones name in another way. */
export interface OldVersion {
  name: string;
  commit: string;
  /** The form of its embedded stores. */
  form: number;
  hasLists: boolean;
  /** Whether it has what came with 1.3: people, saved searches, sign-in and keys for programs. */
  hasPeople: boolean;
  indexer: string;
  admin: string;
}

const programs = { indexer: 'indexer/main.ts', admin: 'admin/main.ts' };
const programsOf11 = { indexer: 'src/indexer.ts', admin: 'src/admin.ts' };

/** Each release adds its own (CONTRIBUTING.md). */
export const oldVersions: readonly OldVersion[] = [
  { name: '1.1', commit: '754d1bb', form: 21, hasLists: false, hasPeople: false, ...programsOf11 },
  { name: '1.2', commit: 'f2c812bf', form: 31, hasLists: true, hasPeople: false, ...programs },
  { name: '1.3', commit: 'e78f57be', form: 37, hasLists: true, hasPeople: true, ...programs },
];

/** Checks out a version beside this project, with the packages of its own lockfile. Returns the folder; a second call reuses it. */
export async function checkOut({ commit }: OldVersion, folder: string): Promise<string> {
  const checkout = join(folder, commit);
  if (!existsSync(checkout)) await run('git', ['worktree', 'add', '--detach', checkout, commit], { cwd: root });
  await run(process.execPath, ['scripts/setup.mjs', 'all'], { cwd: checkout });
  return checkout;
}

export type Settings = Readonly<Record<string, string>>;

const environment = (settings: Settings) => ({ PATH: process.env.PATH, HOME: process.env.HOME, ...settings });

/** Runs a command of an old version, and returns what it printed. */
export async function runOld(checkout: string, args: readonly string[], settings: Settings): Promise<string> {
  const { stdout } = await run(join(checkout, 'node_modules/.bin/node'), args, {
    cwd: checkout,
    env: environment(settings),
  });
  return stdout;
}

/** Starts a program of an old version, and waits until it prints the text. */
export async function startOld(checkout: string, args: readonly string[], settings: Settings, text: RegExp) {
  const child = spawn(join(checkout, 'node_modules/.bin/node'), args, { cwd: checkout, env: environment(settings) });
  let output = '';
  const ended = once(child, 'exit');
  await new Promise<void>((ready, failed) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (text.test(output)) ready();
      });
    }
    ended.then(() => failed(new Error(`it ended before it was ready:\n${output}`)));
  });
  return {
    output: () => output,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal);
      await ended;
    },
  };
}

/** Starts the service of an old version on a free port, and returns where it serves. */
export async function serveOld(checkout: string, settings: Settings) {
  const service = await startOld(
    checkout,
    ['src/main.ts'],
    { PORT: '0', RATE_LIMIT_CHECKOUT: '1000', ...settings },
    /\nTry:/,
  );
  const url = /at (http:\/\/\S+)/.exec(service.output())?.[1] ?? '';
  return { ...service, url };
}
