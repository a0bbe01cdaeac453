import { type Command, InvalidArgumentError, Option } from 'commander';
import { tiers } from '#domain/plans/plan.ts';
import { createProgram } from '../command-line.ts';
import type { IssueFlags } from './keys.ts';

/** The longest plan an operator can give, in days: ten years. */
const maxDays = 3650;

interface JsonFlag {
  json?: boolean;
}

/** The operator's command line: every command with its arguments and options. */
export function createAdmin(): Command {
  const program = createProgram('admin', 'Manage API keys and orders, and back up the embedded store.');

  const keys = program.command('keys').description('issue, list and revoke API keys');
  keys
    .command('issue')
    .description('make a key and print it, this once')
    .addOption(new Option('--tier <tier>', 'what the key gives').choices(tiers).makeOptionMandatory())
    .requiredOption('--days <days>', `how long it is valid, 1 to ${maxDays}`, readDays)
    .option('--email <address>', "the holder's address")
    .option('--json', 'print the key, its prefix and its expiry as one line of JSON')
    .action(async (flags: IssueFlags) => (await import('./keys.ts')).issue(flags));
  keys
    .command('list')
    .description('list every key, newest first')
    .option('--json', 'print them as one line of JSON')
    .action(async ({ json = false }: JsonFlag) => (await import('./keys.ts')).list(json));
  keys
    .command('revoke')
    .description('end the key with this prefix; every process refuses it within five seconds')
    .argument('<prefix>', 'the beginning of the key, as `keys list` shows it', readPrefix)
    .option('--json', 'print the outcome as one line of JSON')
    .action(async (prefix: string, { json = false }: JsonFlag) => (await import('./keys.ts')).revoke(prefix, json));

  const orders = program.command('orders').description('show an order, or give it a new key');
  orders
    .command('show')
    .description('print all that is known of an order, as JSON')
    .argument('<id>', 'the id of the order, such as ord_…')
    .option('--json', 'print it as one line')
    .action(async (id: string, { json = false }: JsonFlag) => (await import('./orders.ts')).show(id, json));
  orders
    .command('reissue')
    .description('give a paid order a new key and print it, this once; the key before it ends')
    .argument('<id>', 'the id of the order, such as ord_…')
    .option('--json', 'print the key and its expiry as one line of JSON')
    .action(async (id: string, { json = false }: JsonFlag) => (await import('./orders.ts')).reissue(id, json));

  const pepper = program.command('pepper').description('replace the secret under which keys are hashed');
  pepper
    .command('replace')
    .description('use the pepper of these settings from now on; what was made under the one before stops working')
    .option('--json', 'print the outcome as one line of JSON')
    .action(async ({ json = false }: JsonFlag) => (await import('./pepper.ts')).replace(json));

  program
    .command('audit')
    .description('show what operators did, newest first')
    .option('--json', 'print it as one line of JSON')
    .action(async ({ json = false }: JsonFlag) => (await import('./audit.ts')).showAudit(json));
  program
    .command('backup')
    .description('copy the embedded store and its key pepper into a new folder; the service may be running')
    .argument('<folder>', 'a folder that does not exist yet')
    .option('--json', 'print the outcome as one line of JSON')
    .action(async (folder: string, { json = false }: JsonFlag) =>
      (await import('./backup.ts')).makeBackup(folder, json),
    );

  return program;
}

function readDays(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > maxDays) throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxDays}.`);
  return days;
}

function readPrefix(text: string): string {
  if (!/^mh_[0-9A-Za-z]{1,8}$/.test(text)) {
    throw new InvalidArgumentError('It must be the beginning of a key as `keys list` shows it, such as mh_4Fz0aQ1x.');
  }
  return text;
}
