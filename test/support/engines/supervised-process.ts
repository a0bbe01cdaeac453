import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from './engine.ts';

/** What to run, as whom, and what to remove afterwards. */
interface Program {
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  logFile: string;
  /** The folder for everything that the engine writes. It is removed at the end. */
  folder: string;
  user: EngineUser | null;
}

/**
 * A shell script with a pipe from this process, through which it gets the process group of each engine. When the pipe closes,
 * however this process ended, the script kills the engine and removes its folder.
 */
const reaper = `
while read -r line; do group=$line; done
tries=0
while [ -n "$group" ] && [ $tries -lt 200 ] && kill -s KILL -- "-$group" 2>/dev/null; do tries=$((tries + 1)); sleep 0.05; done
rm -rf "$0"`;

/** The process of an engine. It ends when this process ends, even if this one is killed. */
export class SupervisedProcess {
  readonly #program: Program;
  readonly #reaper: ChildProcess;
  #engine: ChildProcess | null = null;
  /** Resolves when the last started engine has ended, with the reason. */
  #exited: Promise<string> = Promise.resolve('it was not started');

  constructor(program: Program) {
    this.#program = program;
    // Detached, so that Ctrl-C in a terminal reaches only the run, which then stops the engine.
    this.#reaper = spawn('sh', ['-c', reaper, program.folder], {
      detached: true,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    this.#reaper.stdin?.on('error', () => {});
  }

  /** Starts the engine and waits until it is ready. If that fails, removes everything of it. */
  async serve(url: string, origin: string, isReady: () => Promise<boolean>, withinMs: number): Promise<Engine> {
    const end = async (name: NodeJS.Signals) => {
      this.#signal(name);
      await this.#exited;
    };
    const engine: Engine = {
      url,
      origin,
      start: () => {
        this.#start();
        return this.#waitUntil(isReady, withinMs);
      },
      kill: () => end('SIGKILL'),
      shutDown: () => end('SIGTERM'),
      pause: () => this.#pause(),
      resume: async () => void this.#signal('SIGCONT'),
      stop: () => this.stop(),
    };
    await engine.start().catch(async (error: unknown) => {
      await this.stop();
      throw error;
    });
    return engine;
  }

  #start(): void {
    const { command, args, env, cwd, logFile, user } = this.#program;
    const log = openSync(logFile, 'a');
    // A process group of its own: Elasticsearch is two processes, and one signal must reach both.
    const engine = spawn(command, args, { detached: true, stdio: ['ignore', log, log], env, cwd, ...user });
    closeSync(log);
    this.#engine = engine;
    if (engine.pid !== undefined) this.#reaper.stdin?.write(`${engine.pid}\n`);
    this.#exited = new Promise((resolve) => {
      engine.once('error', (error) => resolve(error.message));
      engine.once('exit', async (code, signal) => {
        for (let tries = 0; tries < 200 && this.#signal('SIGKILL'); tries += 1) await pause(10);
        resolve(signal ?? `exit code ${code}`);
      });
    });
  }

  /** Kills the engine if it runs, and removes its folder. */
  async stop(): Promise<void> {
    if (this.#reaper.exitCode !== null || this.#reaper.signalCode !== null) return;
    this.#reaper.stdin?.end();
    await once(this.#reaper, 'exit');
  }

  /**
   * Polls `isReady` until it answers yes.
   *
   * @throws Error with the end of the engine's log, if the engine exits before or is not ready in time.
   */
  async #waitUntil(isReady: () => Promise<boolean>, withinMs: number): Promise<void> {
    let reason: string | null = null;
    void this.#exited.then((why) => {
      reason = why;
    });
    const deadline = Date.now() + withinMs;
    while (!(await isReady())) {
      if (Date.now() > deadline) reason = `not ready within ${withinMs / 1000} s`;
      if (reason !== null) {
        const log = readFileSync(this.#program.logFile, 'utf8').slice(-3_000);
        throw new Error(`${this.#program.command}: ${reason}. Its log ends: ${log}`);
      }
      await pause(50);
    }
  }

  /** Stops the engine where it is. Waits until all its processes have: a busy machine lets them answer after the signal. */
  async #pause(): Promise<void> {
    this.#signal('SIGSTOP');
    // Each line ends with the state, the parent, the group and more.
    const running = new RegExp(`\\) [^TZ] \\d+ ${this.#engine?.pid} `);
    const statuses = () =>
      execFileSync('sh', ['-c', 'cat /proc/[0-9]*/stat 2>/dev/null || true'], { encoding: 'utf8' });
    while (running.test(statuses())) await pause(1);
  }

  /** Sends a signal to all processes of the engine. Returns whether there are any. */
  #signal(name: NodeJS.Signals): boolean {
    if (this.#engine?.pid === undefined) return false;
    try {
      return process.kill(-this.#engine.pid, name);
    } catch {
      return false;
    }
  }
}

interface EngineUser {
  uid: number;
  gid: number;
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The user that runs engines: `nobody` if this process is root, because Elasticsearch refuses to run as root. */
export function engineUser(): EngineUser | null {
  if (!isRoot()) return null;
  const read = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: read('-u'), gid: read('-g') };
}

/** Makes the engine's user the owner of the folder and everything in it. */
export function giveToEngineUser(user: EngineUser | null, folder: string): void {
  if (user === null) return;
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  for (const path of [folder, ...inside]) chownSync(path, user.uid, user.gid);
}
