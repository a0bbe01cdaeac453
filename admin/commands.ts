import { type Command, InvalidArgumentError, Option } from 'commander';
import { orderStatuses } from '#accounts/order.ts';
import { plans, tiersOf } from '#accounts/plans.ts';
import { createProgram, readNumber, withJsonFlag } from '#src/command-line/command-line.ts';

/** The longest plan an operator can issue, in days: ten years. */
const maxDays = 3650;

export function createAdmin(): Command {
  const program = createProgram(
    'admin',
    'Manage API keys and orders, check the settings, and back up the embedded store.',
  );

  const keys = program.command('keys').description('issue, list and revoke API keys');
  keys
    .command('issue')
    .description('create a key and print it once')
    .addOption(new Option('--tier <tier>', 'the plan of the key').choices(tiersOf(plans)).makeOptionMandatory())
    .requiredOption('--days <days>', `days until the key expires, 1 to ${maxDays}`, readNumber(1, maxDays))
    .option('--email <address>', "the holder's email address")
    .action(async (flags) => (await import('./keys.ts')).issue(flags));
  keys
    .command('list')
    .description('list all keys, newest first')
    .action(async (flags) => (await import('./keys.ts')).list(flags));
  keys
    .command('revoke')
    .description('revoke the key with this prefix; every process refuses it within five seconds')
    .argument('<prefix>', 'the start of the key, as shown by `keys list`', readPrefix)
    .action(async (prefix, flags) => (await import('./keys.ts')).revoke(prefix, flags));

  const orders = program.command('orders').description('list orders, show one, or replace its key');
  orders
    .command('list')
    .description('list the latest orders, newest first; addresses are masked')
    .option('--email <address>', 'only those of this buyer')
    .addOption(new Option('--status <status>', 'only those with this status').choices(orderStatuses))
    .option('--day <day>', 'only those made on this day in UTC, such as 2026-03-01', readDay)
    .option('--limit <count>', 'how many', readNumber(1), 20)
    .action(async (flags) => (await import('./orders.ts')).list(flags));
  orders
    .command('show')
    .description('show everything about an order as JSON')
    .argument('<id>', 'the id of the order, such as ord_…')
    .action(async (id, flags) => (await import('./orders.ts')).show(id, flags));
  orders
    .command('reissue')
    .description('replace the key of a paid order and print the new one once')
    .argument('<id>', 'the id of the order, such as ord_…')
    .action(async (id, flags) => (await import('./orders.ts')).reissue(id, flags));

  const pushes = program.command('pushes').description('list what was pushed to outbound tools');
  pushes
    .command('list')
    .description('list the latest pushes, newest first: by which key, where to, and the result')
    .option('--limit <count>', 'how many', readNumber(1), 20)
    .action(async (flags) => (await import('./orders.ts')).listPushes(flags));

  const pepper = program.command('pepper').description('replace the secret that hashes keys');
  pepper
    .command('replace')
    .description("make the current settings' pepper the store's; keys and orders made with the old one stop working")
    .action(async (flags) => (await import('./store.ts')).replace(flags));

  program
    .command('audit')
    .description('show the audit log, newest first')
    .action(async (flags) => (await import('./store.ts')).showAudit(flags));
  program
    .command('backup')
    .description('copy the embedded store and its key pepper to a new folder; the service can keep running')
    .argument('<folder>', 'a folder that does not exist yet')
    .action(async (folder, flags) => (await import('./store.ts')).makeBackup(folder, flags));

  program
    .command('restore')
    .description('put a backup into the data folder; the service must be stopped')
    .argument('<folder>', 'a folder that `backup` made')
    .option('--force', 'replace the store that is there')
    .action(async (folder, flags) => (await import('./store.ts')).restoreBackup(folder, flags));
  program
    .command('check')
    .description('check the settings and try the store or both engines, without starting; exits with 0 if all is well')
    .action(async (flags) => (await import('./check.ts')).check(flags));

  return withJsonFlag(program);
}

function readDay(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('It must be a day, such as 2026-03-01.');
}

function readPrefix(text: string): string {
  if (!/^mh_[0-9A-Za-z]{1,8}$/.test(text)) {
    throw new InvalidArgumentError('It must be the start of a key, as shown by `keys list`, such as mh_4Fz0aQ1x.');
  }
  return text;
}
