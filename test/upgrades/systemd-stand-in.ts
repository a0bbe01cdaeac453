/**
 * Does for a server in a folder what `systemctl` and `systemd-run` do with Masthead's units: their command line with their
 * environment, in their folder. `node systemd-stand-in.ts systemctl|systemd-run …`, with the folder in SERVER_ROOT.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { onServer } from './server-paths.ts';

const root = process.env.SERVER_ROOT ?? '';
/** What the last `daemon-reload` read. */
const loaded = join(root, 'loaded-units');
const [tool, ...args] = process.argv.slice(2);

if (tool === 'systemd-run') {
  const length = args.findIndex((arg) => !arg.startsWith('--'));
  const valuesOf = (option: string) =>
    args.slice(0, length).flatMap((arg) => (arg.startsWith(option) ? [arg.slice(option.length)] : []));
  const env = environmentOf(valuesOf('--property=EnvironmentFile='), valuesOf('--setenv='));
  const [command = '', ...rest] = args.slice(length).map((arg) => onServer(arg, root));
  const [cwd = ''] = valuesOf('--working-directory=').map((path) => onServer(path, root));
  process.exitCode = spawnSync(command, rest, { cwd, env, stdio: 'inherit' }).status ?? 1;
} else {
  const [verb, ...units] = args;
  if (verb === 'daemon-reload') {
    rmSync(loaded, { recursive: true, force: true });
    cpSync(join(root, 'etc/systemd/system'), loaded, { recursive: true });
  } else if (verb === 'start') units.forEach(start);
  else if (verb === 'stop') for (const unit of units) await stop(unit);
  else throw new Error(`this stand-in does not know systemctl ${verb}`);
}

function start(unit: string): void {
  const lines = readFileSync(join(loaded, `${unit}.service`), 'utf8').split('\n');
  const valuesOf = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));
  const env = environmentOf(
    valuesOf('EnvironmentFile'),
    valuesOf('Environment').flatMap((line) => line.split(' ')),
  );
  const [cwd = ''] = valuesOf('WorkingDirectory').map((path) => onServer(path, root));
  const commandLine = onServer(valuesOf('ExecStart')[0] ?? '', root);
  for (const folder of (valuesOf('StateDirectory')[0] ?? '').split(' '))
    mkdirSync(join(root, 'var/lib', folder), { recursive: true });
  if (valuesOf('Type')[0] === 'oneshot') {
    // The shell splits these lines as systemd does; a percent sign is doubled in a unit.
    const job = spawnSync('sh', ['-c', commandLine.replaceAll('%%', '%')], { cwd, env, stdio: 'inherit' });
    if (job.status !== 0) throw new Error(`${unit} failed`);
    return;
  }
  const [command = '', ...rest] = commandLine.split(' ');
  mkdirSync(join(root, 'run'), { recursive: true });
  const log = openSync(join(root, 'run', `${unit}.log`), 'w');
  const child = spawn(command, rest, { cwd, env, detached: true, stdio: ['ignore', log, log] });
  writeFileSync(join(root, 'run', `${unit}.pid`), String(child.pid));
  child.unref();
}

async function stop(unit: string): Promise<void> {
  const pid = Number(readFileSync(join(root, 'run', `${unit}.pid`), 'utf8'));
  process.kill(pid, 'SIGTERM');
  while (isRunning(pid)) await pause(50);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A file whose name begins with a minus may be missing. */
function environmentOf(files: readonly string[], assignments: readonly string[]): NodeJS.ProcessEnv {
  const readFile = (name: string) => {
    try {
      return parseEnv(readFileSync(onServer(name.replace(/^-/, ''), root), 'utf8'));
    } catch (error) {
      if (name.startsWith('-')) return {};
      throw error;
    }
  };
  const set = assignments.map((text) => text.split('=', 2)).map(([name, value = '']) => [name, onServer(value, root)]);
  return Object.assign({}, Object.fromEntries(set), ...files.map(readFile));
}
