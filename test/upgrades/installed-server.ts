import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { onServer } from './server-paths.ts';

const project = resolve(import.meta.dirname, '../..');
const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

/** A server as docs/operations.md installs it, in a folder: an old version at /opt/masthead, and where `git pull` gets new ones. */
export class InstalledServer {
  readonly root = mkdtempSync(join(tmpdir(), 'masthead-server-'));
  readonly checkout = join(this.root, 'opt/masthead');
  readonly #remote = join(this.root, 'remote.git');

  /** @param settings lines of /etc/masthead/masthead.env */
  constructor(commit: string, settings: Record<string, string>) {
    git(this.root, 'init', '--quiet', '--bare', '--initial-branch=main', this.#remote);
    const objects = resolve(project, git(project, 'rev-parse', '--git-common-dir'), 'objects');
    appendFileSync(join(this.#remote, 'objects/info/alternates'), `${objects}\n`);
    this.release(git(project, 'rev-parse', `${commit}^{commit}`));
    git(this.root, 'clone', '--quiet', '--shared', this.#remote, this.checkout);
    this.linkPackages(this.checkout);

    for (const folder of ['etc/masthead', 'etc/systemd/system', 'usr/local/sbin', 'var/lib/masthead', 'bin'])
      mkdirSync(join(this.root, folder), { recursive: true });
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(this.root, 'etc/masthead/masthead.env'), lines.join(''));
    for (const tool of ['systemctl', 'systemd-run']) {
      const program = join(import.meta.dirname, 'systemd-stand-in.ts');
      writeFileSync(join(this.root, 'bin', tool), `#!/bin/sh\nexec '${process.execPath}' '${program}' ${tool} "$@"\n`);
      chmodSync(join(this.root, 'bin', tool), 0o755);
    }
  }

  get dataDir(): string {
    return join(this.root, 'var/lib/masthead');
  }

  /** What `git pull` brings from now on. */
  release(commit = git(project, 'rev-parse', 'HEAD')): void {
    git(this.#remote, 'update-ref', 'refs/heads/main', commit);
  }

  /** Gives a checkout the packages of this project, as its set-up would install them. */
  linkPackages(checkout: string): void {
    const from = join(project, 'node_modules');
    const to = join(checkout, 'node_modules');
    mkdirSync(to);
    const names = readdirSync(from).filter((name) => name !== '.cache' && name !== '.masthead-set-up.json');
    const copy = (option: string) =>
      execFileSync('cp', [option, ...names.map((name) => join(from, name)), to], { stdio: 'pipe' });
    try {
      copy('-al');
    } catch {
      // On another disk, packages cannot be linked.
      copy('-a');
    }
    cpSync(join(from, '.masthead-set-up.json'), join(to, '.masthead-set-up.json'));
  }

  /** Runs commands of the documents line by line, until one fails. Returns what they printed; throws what they printed. */
  async run(script: string, cwd = this.checkout, settings: Record<string, string> = {}): Promise<string> {
    const lines = onServer(script, this.root)
      .split('\n')
      .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
      .filter((line) => line !== '');
    const child = spawn('bash', ['-c', lines.map((line) => `{ ${line}; } 2>&1 || exit 1`).join('\n')], {
      cwd,
      env: { ...this.environment, ...settings },
    });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (code !== 0) throw new Error(`${script}\n${output}`);
    return output;
  }

  /** Of whoever is logged in: nothing of the settings. */
  get environment(): Record<string, string> {
    const folders = [join(this.root, 'usr/local/sbin'), join(this.root, 'bin'), dirname(process.execPath)];
    return {
      SERVER_ROOT: this.root,
      PATH: [...folders, process.env.PATH].join(delimiter),
      HOME: process.env.HOME ?? '',
      NODE_COMPILE_CACHE: join(this.root, 'compiled'),
    };
  }

  logOf(unit: string): string {
    return readFileSync(join(this.root, 'run', `${unit}.log`), 'utf8');
  }

  /** Ends what still runs, and removes all files. */
  remove(): void {
    const run = join(this.root, 'run');
    for (const name of existsSync(run) ? readdirSync(run) : []) {
      if (!name.endsWith('.pid')) continue;
      try {
        process.kill(Number(readFileSync(join(run, name), 'utf8')), 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    rmSync(this.root, { recursive: true });
  }
}

/** Waits until the service whose log this is serves; returns where. */
export async function served(log: () => string): Promise<string> {
  await expect.poll(log, { timeout: 120_000 }).toMatch(/\nTry:|^masthead: |^Node\.js v/m);
  expect(log()).toContain('\nTry:');
  return /at (http:\/\/\S+)/.exec(log())?.[1] ?? '';
}
