import { constants } from 'node:os';
import { basename } from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { escapeControls } from '#text/printed.ts';
import manifest from '../../package.json' with { type: 'json' };

export { countOf } from '#text/printed.ts';

/** A usage error that only the command itself can detect. It exits with 2, as for an unknown option. */
export class UsageError extends Error {}

const hint = 'Add --help to see the usage.';

/** Actions import their dependencies when they run, so `--help` and mistyped options load no database client. */
export function createProgram(name: string, description: string): Command {
  return (
    new Command(name)
      .description(description)
      .version(manifest.version, '-V, --version', 'print the version')
      .helpOption('-h, --help', 'show this help')
      .showHelpAfterError(hint)
      .exitOverride()
      .hook('preAction', reportMisspelt)
      .configureOutput({ outputError: (text, write) => write(printable(withoutAddress(text))) })
      // Without a command, Commander would show the full help.
      .addHelpText('beforeAll', ({ error, command }) => (error ? refuseNoCommand(command) : ''))
  );
}

/** Exits with 0, with 1 if something was refused or is incomplete, 2 for wrong usage; standard error says why. */
export async function runProgram(program: Command): Promise<void> {
  endOnSignals();
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    } else if (error instanceof UsageError) {
      printError(`error: ${error.message}\n${hint}`);
      process.exitCode = 2;
    } else {
      const { describeStartFault } = await import('#src/start/describe-start-fault.ts');
      printError(describeStartFault(error));
      process.exitCode = 1;
    }
  }
}

/** Prints lines on standard output. Control characters in arguments and file names are escaped. */
export function print(text: string): void {
  console.log(printable(text));
}

export function printError(text: string): void {
  console.error(printable(text));
}

export function printJson(outcome: unknown): void {
  print(JSON.stringify(outcome));
}

export interface JsonFlag {
  json?: boolean;
}

export function withJsonFlag(program: Command): Command {
  for (const command of program.commands) {
    if (command.commands.length > 0) withJsonFlag(command);
    else command.option('--json', 'print the result as one line of JSON');
  }
  return program;
}

export function printResult<Result>(result: Result, describe: (result: Result) => string, isJson = false): void {
  if (isJson) printJson(result);
  else print(describe(result));
}

/** Says on standard error what was refused or is incomplete, and lets the command exit with 1. */
export function reportFault(fault: string): void {
  printError(`masthead: ${fault}`);
  process.exitCode = 1;
}

export function readNumber(least: number, most = 999_999_999): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** Escapes the line breaks of arguments, which could pass for our own output, and keeps those of messages. */
function printable(text: string): string {
  const typed = process.argv
    .slice(2)
    .flatMap((argument) => [argument, argument.split('=', 1)[0] ?? '', basename(argument)]);
  const inLines = typed.filter((part) => part.includes('\n'));
  const flat = inLines.reduce((shown, part) => shown.replaceAll(part, escapeControls(part)), text);
  return flat.split('\n').map(escapeControls).join('\n');
}

/** Says which settings are probably misspelt: their values would be ignored without a word. */
async function reportMisspelt(_: Command, action: Command): Promise<void> {
  if (action.name() === 'check') return;
  const { findMisspelt } = await import('#src/settings/config.ts');
  for (const line of findMisspelt()) printError(`masthead: ${line}`);
}

function refuseNoCommand(command: Command): never {
  const names = command.commands.map((child) => child.name()).join(', ');
  command.error(`error: no command given: use one of ${names}`);
}

/** Error messages quote the mistyped argument, which may be an address; spelled-out ones would need a library. */
function withoutAddress(text: string): string {
  return /[@\uff20\ufe6b]|%40/.test(text)
    ? 'error: unknown option or argument (not repeated here because it contains an address)\n'
    : text;
}

/**
 * Lets SIGTERM and SIGINT end this process when it is the first of a container: the system has no default action there,
 * so `docker stop` would wait ten seconds and kill it. If something else handles the signal, that decides.
 */
function endOnSignals(): void {
  if (process.pid !== 1) return;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });
  }
}
