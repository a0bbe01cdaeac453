import { Command, InvalidArgumentError, Option } from 'commander';
import { backUp } from '#backends/embedded/back-up.ts';
import { readOrMakeKeyPepper } from '#backends/embedded/key-pepper.ts';
import { maskEmail } from '#domain/masking.ts';
import { normalizeEmail } from '#domain/normalize/normalize-email.ts';
import type { Order } from '#domain/plans/order.ts';
import { isActive, type Tier, tiers } from '#domain/plans/plan.ts';
import type { StoredKey } from '#domain/plans/stored-key.ts';
import { issueKey } from '#usecases/issue-key.ts';
import { reissueKey } from '#usecases/reissue-key.ts';
import { revokeKey } from '#usecases/revoke-key.ts';
import { loadConfig } from './config.ts';
import { describeStartFault } from './describe-start-fault.ts';
import { type Backends, openBackends } from './open-backends.ts';
import { operatorName } from './operator-name.ts';
import { printTable } from './print-table.ts';

/** The longest plan an operator can give, in days: ten years. */
const mostDays = 3650;
/** How much of the audit log is printed. */
const mostAuditEntries = 1_000;

const program = new Command('admin').description('What operators do with keys and orders.').showHelpAfterError();
const keys = program.command('keys').description('API keys');

keys
  .command('issue')
  .description('make a key and print it, this once')
  .addOption(new Option('--tier <tier>', 'what the key gives').choices(tiers).makeOptionMandatory())
  .requiredOption('--days <days>', `how long it runs, 1 to ${mostDays}`, readDays)
  .option('--email <address>', "the holder's address", readEmail)
  .action(async ({ tier, days, email = null }: { tier: Tier; days: number; email?: string | null }) => {
    await withStores(async (stores, pepper) => {
      const { key, stored } = await issueKey(stores, await pepper(), { tier, days, email }, new Date());
      console.log(key);
      console.error(
        `A ${tier} key, valid until ${stored.plan.expiresAt}. It is shown this once and stored nowhere: keep it now. In lists it is ${stored.prefix}.`,
      );
    });
  });

keys
  .command('list')
  .description('print every key, newest first')
  .option('--json', 'as one JSON array')
  .action(async ({ json = false }: { json?: boolean }) => {
    await withStores(async (stores) => {
      const now = new Date();
      const rows = (await stores.keys.list('')).map((key) => describeKey(key, now));
      if (json) console.log(JSON.stringify(rows, null, 2));
      else printTable(rows, 'There are no keys. Make one: npm run admin -- keys issue --tier pro --days 30');
    });
  });

keys
  .command('revoke')
  .description('end the key whose prefix begins so, at once')
  .argument('<prefix>', 'the beginning of the key, as `keys list` shows it', readPrefix)
  .action(async (prefix: string) => {
    await withStores(async (stores) => {
      const result = await revokeKey(stores, prefix, new Date());
      switch (result.outcome) {
        case 'revoked':
          console.log(`Revoked ${result.key.prefix}.`);
          break;
        case 'already_revoked':
          console.log(`${result.key.prefix} is revoked since ${result.revokedAt}.`);
          break;
        case 'ambiguous':
          throw new Error(
            `several keys begin with ${prefix}: ${result.candidates.map((key) => key.prefix).join(', ')}. None was revoked; give more of the prefix.`,
          );
        case 'unknown':
          throw new Error(`no key begins with ${prefix}. \`npm run admin -- keys list\` shows them all.`);
      }
    });
  });

const orders = program.command('orders').description('purchases of plans');

orders
  .command('show')
  .description('print all that is known of an order, as JSON')
  .argument('<id>', 'the id of the order, such as ord_…')
  .action(async (id: string) => {
    await withStores(async (stores) => {
      const order = await stores.orders.find(id);
      if (order === null) throw unknownOrder(id);
      const key = order.keyHash === null ? null : await stores.keys.findByHash(order.keyHash);
      console.log(JSON.stringify(describeOrder(order, key), null, 2));
    });
  });

orders
  .command('reissue')
  .description('give a paid order a new key and print it, this once; the one before ends')
  .argument('<id>', 'the id of the order, such as ord_…')
  .action(async (id: string) => {
    await withStores(async (stores, pepper) => {
      const result = await reissueKey(stores, await pepper(), id, new Date());
      switch (result.outcome) {
        case 'reissued':
          console.log(result.key);
          console.error(
            `A new ${result.order.tier} key for ${id}, valid until ${result.order.planExpiresAt}. It is shown this once and stored nowhere; the one before has ended.`,
          );
          break;
        case 'not_paid':
          throw new Error(`the order ${id} is ${result.order.status}: only a paid one has a key. Nothing was changed.`);
        case 'unknown':
          throw unknownOrder(id);
      }
    });
  });

program
  .command('audit')
  .description('print what operators did, newest first')
  .option('--json', 'as one JSON array')
  .action(async ({ json = false }: { json?: boolean }) => {
    await withStores(async ({ audit }) => {
      const entries = await audit.list(mostAuditEntries);
      if (json) console.log(JSON.stringify(entries, null, 2));
      else printTable(entries, 'No operator has done anything yet.');
    });
  });

program
  .command('backup')
  .description('copy the embedded store and its key pepper into a new folder; the service may be running')
  .argument('<folder>', 'a folder that does not exist yet')
  .action(async (folder: string) => {
    const { dataDir, mongoUri, keyPepper } = loadConfig();
    if (mongoUri !== null) throw new Error(notEmbedded);
    const { hasPepper } = await backUp(dataDir, folder);
    console.log(`The store is in ${folder}. To serve from it: MASTHEAD_DATA_DIR=${folder} npm start`);
    if (hasPepper) console.log('The key pepper is in it: keep it where nobody else can read it.');
    else if (keyPepper !== null) console.log('KEY_PEPPER is set and not in it: keep that beside it.');
  });

const notEmbedded =
  'the records, keys and orders are in MongoDB: back them up with its own tools (docs/operations.md, "Back up and restore").';

interface Stores extends Pick<Backends, 'keys' | 'orders' | 'audit'> {
  /** Who runs the command, for the audit log. */
  operator: string;
}

/** Opens the stores for one piece of work. The server may be running: it sees the change at the next request. */
async function withStores(work: (stores: Stores, pepper: () => Promise<string>) => Promise<void>): Promise<void> {
  const config = loadConfig();
  const backends = await openBackends(config);
  try {
    await work(
      { ...backends, operator: operatorName() },
      async () => config.keyPepper ?? readOrMakeKeyPepper(config.dataDir, backends.keys),
    );
  } finally {
    await backends.close();
  }
}

function describeKey({ prefix, plan, email, orderId, createdAt, revokedAt }: StoredKey, now: Date) {
  const running = isActive(plan, now) ? 'active' : 'expired';
  return {
    prefix,
    tier: plan.tier,
    status: revokedAt === null ? running : 'revoked',
    email: email === null ? null : maskEmail(email),
    order_id: orderId,
    created_at: createdAt,
    expires_at: plan.expiresAt,
    revoked_at: revokedAt,
  };
}

function describeOrder({ email, keyHash: _, ...order }: Order, key: StoredKey | null) {
  return {
    ...order,
    email: email === null ? null : maskEmail(email),
    key: key === null ? null : describeKey(key, new Date()),
  };
}

function unknownOrder(id: string): Error {
  return new Error(
    `there is no order ${id}. The id begins with ord_ and stands in the address of the buyer's claim page.`,
  );
}

function readDays(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > mostDays) throw new InvalidArgumentError(`It must be a whole number from 1 to ${mostDays}.`);
  return days;
}

function readEmail(text: string): string {
  const result = normalizeEmail(text);
  if ('fault' in result || result.isFirstOfSeveral) {
    throw new InvalidArgumentError('It must be one plain address, such as ada@example.org.');
  }
  return result.email;
}

function readPrefix(text: string): string {
  if (!/^mh_[0-9A-Za-z]{1,8}$/.test(text)) {
    throw new InvalidArgumentError('It must be the beginning of a key as `keys list` shows it, such as mh_4Fz0aQ1x.');
  }
  return text;
}

try {
  await program.parseAsync();
} catch (error) {
  console.error(describeStartFault(error));
  process.exitCode = 1;
}
