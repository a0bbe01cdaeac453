import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where Node caches compiled code, so that processes and threads start in half the time. */
export const compiled = fileURLToPath(new URL('../../node_modules/.cache/masthead-test-processes', import.meta.url));

/** The environment of a process that a test starts: only the given settings, none of the machine. */
export function processEnvironment(given: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE: compiled, ...given };
}

/** The options of Node that `npm start`, `npm run indexer`, the image and the systemd units use (decisions/0001). */
export const limitHeapGrowth = ['--heap-growing-percent=100', '--max-semi-space-size=16'];

/** A program of the project as a separate process. */
interface ProgramProcess {
  process: ChildProcess;
  pid: number;
  /** Everything that it has written so far: on one stream, or on both. */
  stdout(): string;
  stderr(): string;
  output(): string;
  /** Resolves once its log contains the text; rejects if it exits before. */
  logs(text: string): Promise<void>;
  /** Ends it at once, as a crash would (SIGKILL), or asks it to end. */
  kill(signal: NodeJS.Signals): void;
  /** Resolves with its exit code, or the signal that ended it. */
  ended: Promise<number | string>;
  /** Kills it, and resolves once it has ended. */
  close(): Promise<unknown>;
}

/** The service, and where it serves. */
export type ServiceProcess = ProgramProcess & { url: string };

/** Starts a program, in a given folder or in that of the project. */
export function startProgram(args: readonly string[], settings: Record<string, string>, cwd = root): ProgramProcess {
  const child = spawn(process.execPath, args, { cwd, env: processEnvironment(settings) });
  const written = { stdout: '', stderr: '', both: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      written[name] += chunk;
      written.both += chunk;
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  return {
    process: child,
    pid: child.pid ?? 0,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    output: () => written.both,
    logs: (text) =>
      new Promise((resolve, reject) => {
        const check = () => void (written.both.includes(text) && resolve());
        for (const stream of [child.stdout, child.stderr]) stream.on('data', check);
        ended.then(() => reject(new Error(`the process ended before it said ${text}:\n${written.both}`)));
        check();
      }),
    kill: (signal) => void child.kill(signal),
    ended,
    close() {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

/** Starts the service as `npm start` does, on a free port unless one is given, and waits until it reports that it serves. */
export async function startService(settings: Record<string, string>): Promise<ServiceProcess> {
  const service = startProgram([...limitHeapGrowth, 'src/main.ts'], { PORT: '0', ...settings });
  await service.logs('\nTry:');
  return { ...service, url: /Masthead serves (?:.* )?at (http\S+)/.exec(service.stdout())?.[1] ?? '' };
}

/** @param checkout the folder of the code to run; by default this checkout */
export function startIndexer(
  args: readonly string[],
  settings: Record<string, string>,
  checkout = root,
): ProgramProcess {
  return startProgram([...limitHeapGrowth, 'indexer/main.ts', ...args], settings, checkout);
}

/** A command of the indexer that is started again whenever it ends, as a supervisor does, until it is stopped. */
export class SupervisedIndexer {
  readonly #start: () => ProgramProcess;
  #current: ProgramProcess;
  #isStopped = false;
  readonly #supervision: Promise<void>;

  constructor(args: readonly string[], settings: Record<string, string>) {
    this.#start = () => startIndexer(args, settings);
    this.#current = this.#start();
    this.#supervision = this.#supervise();
  }

  get current(): ProgramProcess {
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
    }
  }
}

/** How a command ended, and all that it wrote. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program of the project until it ends, whatever its exit code. `input` goes to its standard input. */
export async function runCommand(
  args: readonly string[],
  settings: Record<string, string>,
  { input = '', cwd = root } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd, env: processEnvironment({ PORT: '0', ...settings }) });
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}
