import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };

/** A usage error that a command finds itself, such as two options that exclude each other. Exits with 2, as Commander's do. */
export class UsageError extends Error {}

const hint = 'Add --help to see the usage.';

/** Actions import their dependencies when they run, so `--help` and mistyped options load no database client. */
export function createProgram(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .version(manifest.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError(hint)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(withoutAddress(text)) })
    .hook('preAction', reportMisspelt);
}

/** Commander quotes what was mistyped. An address must not get into the log of a scheduled command. */
function withoutAddress(text: string): string {
  return text.includes('@') ? 'error: unknown option or argument (not repeated, as it may be an address)\n' : text;
}

/** A program of the commands in a folder, one file each. If `asked` names one of them, loads only that file. */
export async function createProgramOf(
  name: string,
  description: string,
  folder: URL,
  commandName = '',
): Promise<Command> {
  const program = createProgram(name, description);
  const files = readdirSync(folder).map((file) => basename(file, '.ts'));
  for (const file of files.includes(commandName) ? [commandName] : files.toSorted())
    (await import(new URL(`${file}.ts`, folder).href)).addTo(program);
  return withJsonFlag(program);
}

/** Exits with 0, with 1 if something was refused or is incomplete, or with 2 for wrong usage. Standard error says why. */
export async function runProgram(program: Command): Promise<void> {
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

export function print(text: string): void {
  console.log(text);
}

export function printError(text: string): void {
  console.error(text);
}

export function printJson(outcome: unknown): void {
  print(JSON.stringify(outcome));
}

export interface JsonFlag {
  json?: boolean;
}

function withJsonFlag(program: Command): Command {
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

/** Prints on standard error what was refused or is incomplete. The command goes on, and exits with 1. */
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

/** Prints which settings are probably misspelt, because nothing else would say that they have no effect. */
async function reportMisspelt(_: Command, action: Command): Promise<void> {
  if (action.name() === 'check') return;
  const { findMisspelt } = await import('#src/settings/config.ts');
  for (const line of findMisspelt()) printError(`masthead: ${line}`);
}
