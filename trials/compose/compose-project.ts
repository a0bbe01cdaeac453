import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = 'masthead-trial';
const timeoutMs = 600_000;

/** A compose file of this repository, with the trial's changes. */
export interface ComposeSetUp {
  file?: string;
  env?: Record<string, string>;
  /** Where the secrets are that the file names. */
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
    // The API alone is published, on a free port, so that a set-up that already runs is in nobody's way.
    const override = `services:
  api: { ports: !override ["127.0.0.1::3000"] }
  mongo: { ports: !reset [] }
  elasticsearch: { ports: !reset [] }
secrets: ${JSON.stringify(secrets)}
`;
    writeFileSync(join(this.#folder, 'override.yml'), override);
  }

  /** Runs `docker compose` with these arguments; returns its standard output. */
  async compose(...args: string[]): Promise<string> {
    const files = ['-f', this.#file, '-f', join(this.#folder, 'override.yml')];
    const command = ['compose', '-p', project, '--project-directory', root, ...files, ...args];
    const { stdout } = await promisify(execFile)('docker', command, { cwd: root, env: this.#env, maxBuffer: 2 ** 26 });
    return stdout;
  }

  /** Starts all of it and waits until all of it is healthy. */
  async up(): Promise<void> {
    await this.compose('up', '-d', '--wait', '--build');
  }

  /** Where the API is. Docker chooses its port at each start. */
  async url(): Promise<string> {
    return `http://${(await this.compose('port', 'api', '3000')).trim()}`;
  }

  /** The API's answer to a GET, as JSON. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
    const answer = await fetch(`${await this.url()}${path}`, { headers });
    return (await answer.json()) as Record<string, unknown>;
  }

  /** Waits until a search finds this many: the first searches of an engine that just started may time out. */
  async untilFound(expected: number): Promise<void> {
    await until(
      `a search finds ${expected} records`,
      async () => (await this.get('/api/v1/search')).total === expected,
    );
  }

  /**
   * Kills the program of a container with SIGKILL, as a lack of memory does, and waits until all is healthy again. After
   * `docker kill` Docker would not restart it, and only a process outside of the container can kill its process 1; Docker
   * may run on another machine: so it is one of a container that sees all processes.
   */
  async crash(service: string): Promise<void> {
    const before = await this.#stateOf(service, 'StartedAt');
    const container = ['run', '--rm', '--pid', 'host', '--user', 'root', '--entrypoint', 'sh', 'masthead'];
    const kill = `kill -KILL ${await this.#stateOf(service, 'Pid')}`;
    await promisify(execFile)('docker', [...container, '-c', kill]);
    await until(`${service} is started again`, async () => (await this.#stateOf(service, 'StartedAt')) !== before);
    await until(`${service} is back`, () => this.#isHealthy());
  }

  async #stateOf(service: string, property: string): Promise<string> {
    const id = (await this.compose('ps', '--all', '--quiet', service)).trim();
    const { stdout } = await promisify(execFile)('docker', ['inspect', '--format', `{{.State.${property}}}`, id]);
    return stdout.trim();
  }

  /** Whether all four containers are healthy. */
  async #isHealthy(): Promise<boolean> {
    const lines = (await this.compose('ps', '--format', '{{.Health}}')).trim().split('\n');
    return lines.length === 4 && lines.every((health) => health === 'healthy');
  }

  /** What Docker knows of its containers. */
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

/** Polls until the answer is yes. A failing answer counts as no. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeoutMs / 1000} s`);
    await wait(500);
  }
}
