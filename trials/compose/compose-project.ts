import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onFreePort } from '../../test/support/compose.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = 'masthead-trial';
const timeoutMs = 600_000;

/** A compose file of this repository, with the trial's changes. */
interface ComposeSetUp {
  file?: string;
  env?: Record<string, string>;
  /** The folder of the secrets that the file names. */
  secrets?: Record<string, { file: string }>;
}

/** The setup of a compose file as a separate project with its own volumes. */
export class ComposeProject {
  readonly #folder = mkdtempSync(join(tmpdir(), 'masthead-compose-'));
  readonly #file: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor({ file = 'docker-compose.yml', env = {}, secrets = {} }: ComposeSetUp = {}) {
    this.#file = file;
    this.#env = { ...process.env, ...env };
    writeFileSync(join(this.#folder, 'override.yml'), `${onFreePort}secrets: ${JSON.stringify(secrets)}\n`);
  }

  /** Runs `docker compose` with these arguments; returns its standard output. */
  async compose(...args: string[]): Promise<string> {
    const files = ['-f', this.#file, '-f', join(this.#folder, 'override.yml')];
    const command = ['compose', '-p', project, '--project-directory', root, ...files, ...args];
    const { stdout } = await promisify(execFile)('docker', command, { cwd: root, env: this.#env, maxBuffer: 2 ** 26 });
    return stdout;
  }

  /** Starts all containers, and waits until they are healthy. */
  async up(): Promise<void> {
    await this.compose('up', '-d', '--wait', '--build');
  }

  /** The URL of the API. Docker chooses another port at each start. */
  async url(): Promise<string> {
    return `http://${(await this.compose('port', 'api', '3000')).trim()}`;
  }

  /** The API's answer to a GET, as JSON. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
    const answer = await fetch(`${await this.url()}${path}`, { headers });
    return (await answer.json()) as Record<string, unknown>;
  }

  /** Waits until a search finds this many records. The first searches after a start may time out. */
  async untilFound(expected: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while ((await this.get('/api/v1/search').catch(() => null))?.total !== expected) {
      if (Date.now() > deadline) throw new Error(`no search found ${expected} records within ${timeoutMs / 1000} s`);
      await wait(500);
    }
  }

  /** Kills a container, as the system does if memory runs out, and waits until all are healthy again. */
  async crash(service: string): Promise<void> {
    await this.compose('kill', service);
    await this.up();
  }

  /** What Docker says about its containers. */
  async inspect(): Promise<string> {
    const ids = (await this.compose('ps', '--all', '--quiet')).trim().split('\n');
    const { stdout } = await promisify(execFile)('docker', ['inspect', ...ids], { maxBuffer: 2 ** 26 });
    return stdout;
  }

  /** Removes its containers and volumes. */
  async remove(): Promise<void> {
    await this.compose('down', '--volumes', '--remove-orphans');
    rmSync(this.#folder, { recursive: true });
  }
}
