import { Command, InvalidArgumentError, Option } from 'commander';
import { readOrMakeKeyPepper } from '#backends/embedded/key-pepper.ts';
import { maskEmail } from '#domain/masking.ts';
import { normalizeEmail } from '#domain/normalize-email.ts';
import { isActive, type Tier, tiers } from '#domain/plan.ts';
import type { StoredKey } from '#domain/stored-key.ts';
import type { KeyStore } from '#ports/key-store.ts';
import { issueKey } from '#usecases/issue-key.ts';
import { revokeKey } from '#usecases/revoke-key.ts';
import { loadConfig } from './config.ts';
import { describeStartFault } from './describe-start-fault.ts';
import { openBackends } from './open-backends.ts';

/** The longest plan an operator can give, in days: ten years. */
const mostDays = 3650;

const program = new Command('admin').description('What operators do with keys.').showHelpAfterError();
const keys = program.command('keys').description('API keys');

keys
  .command('issue')
  .description('make a key and print it, this once')
  .addOption(new Option('--tier <tier>', 'what the key gives').choices(tiers).makeOptionMandatory())
  .requiredOption('--days <days>', `how long it runs, 1 to ${mostDays}`, readDays)
  .option('--email <address>', "the holder's address", readEmail)
  .action(async ({ tier, days, email = null }: { tier: Tier; days: number; email?: string | null }) => {
    await withKeys(async (store, pepper) => {
      const { key, stored } = await issueKey(store, pepper(), { tier, days, email }, new Date());
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
    await withKeys(async (store) => {
      const now = new Date();
      const rows = (await store.list('')).map((key) => describeKey(key, now));
      if (json) console.log(JSON.stringify(rows, null, 2));
      else printTable(rows);
    });
  });

keys
  .command('revoke')
  .description('end the key whose prefix begins so, at once')
  .argument('<prefix>', 'the beginning of the key, as `keys list` shows it', readPrefix)
  .action(async (prefix: string) => {
    await withKeys(async (store) => {
      const result = await revokeKey(store, prefix, new Date());
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

/** Opens the key store for one piece of work. The server may be running: it sees the change at the next request. */
async function withKeys(work: (store: KeyStore, pepper: () => string) => Promise<void>): Promise<void> {
  const config = loadConfig();
  const backends = await openBackends(config);
  try {
    await work(backends.keys, () => config.keyPepper ?? readOrMakeKeyPepper(config.dataDir));
  } finally {
    await backends.close();
  }
}

type KeyRow = ReturnType<typeof describeKey>;

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

function printTable(rows: readonly KeyRow[]): void {
  if (rows.length === 0) {
    console.log('There are no keys. Make one: npm run admin -- keys issue --tier pro --days 30');
    return;
  }
  const columns = Object.keys(rows[0] ?? {}) as (keyof KeyRow)[];
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? '-'))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  for (const line of lines) {
    console.log(
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
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
