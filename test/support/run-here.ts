import { Writable } from 'node:stream';
import { createAdmin } from '#admin/create-admin.ts';
import { createIndexer } from '#indexer/create-indexer.ts';
import { runProgram } from '#src/command-line/command-line.ts';
import { type Ended, processEnvironment } from './processes.ts';

const programs = { 'indexer/main.ts': createIndexer, 'admin/main.ts': createAdmin };

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command of the indexer or of admin with its own settings, arguments and streams, but in this process: that takes a tenth
 * of the time. Commands run one after another. Use runCommand to test what depends on the process: its exit, signals, standard
 * input or loaded modules.
 */
export function runHere([entry, ...args]: readonly string[], settings: Record<string, string>): Promise<Ended> {
  const create = programs[entry as keyof typeof programs];
  if (create === undefined) throw new TypeError(`${entry} is not the program of a command line`);
  const ended = last.then(() =>
    runAsProcess(['node', entry ?? '', ...args], settings, async () => runProgram(await create(args[0]))),
  );
  last = ended.catch(() => {});
  return ended;
}

async function runAsProcess(
  argv: string[],
  settings: Record<string, string>,
  work: () => Promise<void>,
): Promise<Ended> {
  const before = { argv: process.argv, env: process.env };
  const out = catchOutput('stdout', 'log');
  const err = catchOutput('stderr', 'error');
  process.argv = argv;
  process.env = processEnvironment(settings);
  try {
    await work();
    return { code: Number(process.exitCode ?? 0), stdout: out.text(), stderr: err.text() };
  } finally {
    process.argv = before.argv;
    process.env = before.env;
    process.exitCode = undefined;
    out.release();
    err.release();
  }
}

/** Replaces one of the process's streams until it is released, and keeps what is written to it. */
function catchOutput(name: 'stdout' | 'stderr', method: 'log' | 'error') {
  const kept: Uint8Array[] = [];
  const stream = new Writable({
    write(chunk: Uint8Array, _encoding, written) {
      kept.push(chunk);
      written();
    },
  });
  const own = process[name];
  const before = { stream: Object.getOwnPropertyDescriptor(process, name), print: console[method] };
  // In a worker thread, Node calls a method with a symbol as its name on process.stdout. So the replacement needs it too.
  for (const symbol of Object.getOwnPropertySymbols(Object.getPrototypeOf(own))) {
    const member: unknown = Reflect.get(own, symbol);
    if (typeof member === 'function') Object.defineProperty(stream, symbol, { value: member.bind(own) });
  }
  Object.defineProperty(process, name, { value: stream, configurable: true });
  console[method] = (line: string) => stream.write(`${line}\n`);
  return {
    text: () => Buffer.concat(kept).toString(),
    release() {
      console[method] = before.print;
      if (before.stream !== undefined) Object.defineProperty(process, name, before.stream);
    },
  };
}
