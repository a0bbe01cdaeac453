import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { limitHeapGrowth, processEnvironment } from './process-environment.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The service as a separate process, as `npm start` runs it. */
export interface ServiceProcess {
  url: string;
  process: ChildProcess;
  /** Everything it has written. */
  stdout(): string;
  stderr(): string;
  /** Resolves once its log contains the text; rejects if it exits before. */
  logs(text: string): Promise<void>;
  /** Resolves with its exit code, or the signal that ended it. */
  ended: Promise<number | string>;
}

/** On a free port unless one is given. */
const environment = (given: Record<string, string>) => processEnvironment({ PORT: '0', ...given });

/** Starts the service and waits until it reports that it serves. */
export async function startService(given: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [...limitHeapGrowth, 'src/main.ts'], { cwd: root, env: environment(given) });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  const has = (stream: 'stdout' | 'stderr', text: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (!(stream === 'stdout' ? stdout : stderr).includes(text)) return;
        child[stream].off('data', check);
        resolve();
      };
      child[stream].on('data', check);
      ended.then(() => reject(new Error(`the service ended before it said ${text}:\n${stdout}${stderr}`)));
      check();
    });
  await has('stdout', '\nTry:');
  const url = /Masthead serves (?:.* )?at (http\S+)/.exec(stdout)?.[1] ?? '';
  return {
    url,
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    logs: (text) => has('stderr', text),
    ended,
  };
}

/** How a command ended, and all that it wrote. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command of the project to its end in a separate process, whatever its exit code; in the project's folder
 * unless another is given.
 */
export async function runCommand(args: readonly string[], given: Record<string, string>, cwd = root): Promise<Ended> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
      cwd,
      env: environment(given),
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as Ended;
    return { code, stdout, stderr };
  }
}

/** The same with a text on standard input. */
export async function runWithInput(
  args: readonly string[],
  given: Record<string, string>,
  input: string,
): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd: root, env: environment(given) });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}
