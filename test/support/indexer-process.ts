import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { limitHeapGrowth, processEnvironment } from './process-environment.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** An indexer command as a separate process. */
export interface IndexerProcess {
  /** Its number. */
  pid: number;
  /** Everything it has written. */
  output(): string;
  /** Ends it at once, as a crash would (SIGKILL), or asks it to end. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): void;
  /** Resolves with its exit code, or the signal that ended it. */
  ended: Promise<number | string>;
}

/** @param checkout whose command it is, this one by default */
export function startIndexer(
  args: readonly string[],
  settings: Record<string, string>,
  checkout: string = root,
): IndexerProcess {
  const child = spawn(process.execPath, [...limitHeapGrowth, 'indexer/main.ts', ...args], {
    cwd: checkout,
    env: processEnvironment(settings),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return {
    pid: child.pid ?? 0,
    output: () => output,
    kill: (signal) => child.kill(signal),
    ended: once(child, 'close').then(([code, signal]) => code ?? signal),
  };
}

/** A command that is begun again whenever it ends, as a supervisor does, until it is stopped. */
export class SupervisedIndexer {
  readonly #start: () => IndexerProcess;
  #current: IndexerProcess;
  #isStopped = false;
  #supervision: Promise<void>;
  starts = 1;

  constructor(args: readonly string[], settings: Record<string, string>) {
    this.#start = () => startIndexer(args, settings);
    this.#current = this.#start();
    this.#supervision = this.#supervise();
  }

  get current(): IndexerProcess {
    return this.#current;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#current.kill('SIGTERM');
    await this.#supervision;
  }

  async #supervise(): Promise<void> {
    for (;;) {
      await this.#current.ended;
      if (this.#isStopped) return;
      this.#current = this.#start();
      this.starts += 1;
    }
  }
}
