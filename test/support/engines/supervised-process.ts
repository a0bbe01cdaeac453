import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/** What to run, as whom, and what to remove afterwards. */
export interface Supervision {
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  logFile: string;
  /** All that the engine writes; removed at the end. */
  folder: string;
  user: EngineUser | null;
}

/** The orders for a supervisor, one per line. */
export type SupervisorOrder = 'start' | 'kill' | 'pause' | 'resume' | 'shut down';

export interface SupervisorEvent {
  event: 'exited';
  reason: string;
}

/** An engine's process, which ends with this one whatever happens (see supervise.ts). */
export class SupervisedProcess {
  readonly #supervision: Supervision;
  readonly #supervisor: ChildProcess;
  /** Settles when the engine that was started last has ended; with why. */
  #exited: Promise<string> = Promise.resolve('it was not started');
  #tellExit: (reason: string) => void = () => {};

  constructor(supervision: Supervision) {
    this.#supervision = supervision;
    const program = join(import.meta.dirname, 'supervise.ts');
    // Detached, so that Ctrl-C in a terminal reaches the run alone, which then ends the engine in its own time.
    this.#supervisor = spawn(process.execPath, [program, JSON.stringify(supervision)], {
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#supervisor.once('exit', () => this.#tellExit('its supervisor ended'));
    this.#supervisor.stdin?.on('error', () => this.#tellExit('its supervisor ended'));
    if (this.#supervisor.stdout === null) throw new Error('the supervisor has no standard output');
    createInterface({ input: this.#supervisor.stdout }).on('line', (line) => {
      const { reason }: SupervisorEvent = JSON.parse(line);
      this.#tellExit(reason);
    });
  }

  start(): void {
    this.#exited = new Promise((resolve) => {
      this.#tellExit = resolve;
    });
    this.#order('start');
  }

  /** SIGKILL; resolves when the engine is gone. */
  async kill(): Promise<void> {
    this.#order('kill');
    await this.#exited;
  }

  /** SIGSTOP: the engine stops answering, and keeps what it holds. */
  pause(): void {
    this.#order('pause');
  }

  resume(): void {
    this.#order('resume');
  }

  /** SIGTERM; resolves when the engine is gone. */
  async shutDown(): Promise<void> {
    this.#order('shut down');
    await this.#exited;
  }

  /** Kills the engine if it runs, and removes its folder. */
  async stop(): Promise<void> {
    if (this.#supervisor.exitCode !== null || this.#supervisor.signalCode !== null) return;
    this.#supervisor.stdin?.end();
    await once(this.#supervisor, 'exit');
  }

  /**
   * Polls `isReady` until it answers yes.
   *
   * @throws Error with the end of the engine's log, if the engine exits before or is not ready in time.
   */
  async waitUntil(isReady: () => Promise<boolean>, withinMs: number): Promise<void> {
    let reason: string | null = null;
    void this.#exited.then((why) => {
      reason = why;
    });
    const deadline = Date.now() + withinMs;
    while (!(await isReady())) {
      if (Date.now() > deadline) reason = `not ready within ${withinMs / 1000} s`;
      if (reason !== null) throw new Error(`${this.#supervision.command}: ${reason}. ${this.#lastLogLines()}`);
      await pause(50);
    }
  }

  #order(order: SupervisorOrder): void {
    this.#supervisor.stdin?.write(`${order}\n`);
  }

  #lastLogLines(): string {
    try {
      return `Its log ends: ${readFileSync(this.#supervision.logFile, 'utf8').slice(-3_000)}`;
    } catch {
      return 'It wrote no log.';
    }
  }
}

export interface EngineUser {
  uid: number;
  gid: number;
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Whom engines run as: Elasticsearch refuses to run as root, so root lends them `nobody`; others run them themselves. */
export function engineUser(): EngineUser | null {
  if (!isRoot()) return null;
  const read = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: read('-u'), gid: read('-g') };
}

/** Makes the folder and all in it the engine user's own. */
export function giveToEngineUser(user: EngineUser | null, folder: string): void {
  if (user === null) return;
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  for (const path of [folder, ...inside]) chownSync(path, user.uid, user.gid);
}
