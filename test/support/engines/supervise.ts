/**
 * Runs one engine and makes sure that it never outlives the test run. Started by SupervisedProcess with a Supervision
 * as its argument, it holds a pipe to the run on its standard input, and takes its orders there. When the pipe closes,
 * however the run ended, it kills the engine and deletes its folder.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { Supervision, SupervisorEvent, SupervisorOrder } from './supervised-process.ts';

const supervision: Supervision = JSON.parse(process.argv[2] ?? '');
let engine: ChildProcess | null = null;

function tell(event: SupervisorEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

function start(): void {
  const { command, args, env, cwd, logFile, user } = supervision;
  const log = openSync(logFile, 'a');
  // A separate process group: Elasticsearch is two processes, and one signal must reach both.
  const started = spawn(command, args, { detached: true, stdio: ['ignore', log, log], env, cwd, ...user });
  engine = started;
  started.once('error', (error) => tell({ event: 'exited', reason: error.message }));
  started.once('exit', async (code, signal) => {
    await endGroup(started);
    tell({ event: 'exited', reason: signal ?? `exit code ${code}` });
  });
}

/** Kills the rest of the engine's process group, and waits until it is gone. */
async function endGroup({ pid }: ChildProcess): Promise<void> {
  for (let tries = 0; pid !== undefined && tries < 200; tries += 1) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      return;
    }
    await wait(10);
  }
}

async function end(): Promise<void> {
  if (engine !== null) await endGroup(engine);
  rmSync(supervision.folder, { recursive: true, force: true, maxRetries: 10 });
  process.exit();
}

function signal(name: NodeJS.Signals): void {
  if (engine?.pid !== undefined && engine.exitCode === null) process.kill(-engine.pid, name);
}

const orders: Record<SupervisorOrder, () => void> = {
  start,
  kill: () => engine && endGroup(engine),
  pause: () => signal('SIGSTOP'),
  resume: () => signal('SIGCONT'),
  'shut down': () => signal('SIGTERM'),
};

// Maybe nobody is left to read messages.
process.stdout.on('error', () => {});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
createInterface({ input: process.stdin })
  .on('line', (order) => orders[order as SupervisorOrder]())
  .on('close', end);
