import { type Command, InvalidArgumentError, Option } from 'commander';
import { issueKey } from '#accounts/keys.ts';
import { isActive, plans, type Tier, tiersOf } from '#accounts/plans.ts';
import { endKey, type StoredKey } from '#accounts/stored-key.ts';
import { maskEmail } from '#records/masking.ts';
import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import {
  type JsonFlag,
  print,
  printError,
  printJson,
  printResult,
  readNumber,
  UsageError,
} from '#src/command-line/command-line.ts';
import { printRows } from '#src/command-line/output.ts';
import { withNewBackends } from '#src/command-line/with-backends.ts';
import { withStores } from '../open-stores.ts';

const maxDays = 3650;

export function addTo(program: Command): void {
  const keys = program.command('keys').description('issue, list and revoke API keys');
  keys
    .command('issue')
    .description('create a key and print it once')
    .addOption(new Option('--tier <tier>', 'the plan of the key').choices(tiersOf(plans)).makeOptionMandatory())
    .requiredOption('--days <days>', `days until the key expires, 1 to ${maxDays}`, readNumber(1, maxDays))
    .option('--email <address>', "the holder's email address")
    .action(issue);
  keys.command('list').description('list all keys, newest first').action(list);
  keys
    .command('revoke')
    .description('revoke the key with this prefix; every process refuses it within five seconds')
    .argument('<prefix>', 'the start of the key, as shown by `keys list`', readPrefix)
    .action(revoke);
}

type IssueFlags = JsonFlag & { tier: Tier; days: number; email?: string };

async function issue({ tier, days, email: address, json }: IssueFlags): Promise<void> {
  const email = address === undefined ? null : readEmail(address);
  await withStores(async (stores, pepper) => {
    const { key, stored } = await issueKey(stores, await pepper(), { tier, days, email }, new Date());
    const { prefix, plan } = stored;
    const about = `Created a ${tier} key, valid until ${plan.expiresAt}. Lists show it as ${prefix}.`;
    printKey({ key, prefix, tier, expires_at: plan.expiresAt }, about, json);
  }, withNewBackends);
}

function readEmail(text: string): string {
  const result = normalizeEmail(text);
  if ('fault' in result || result.isFirstOfSeveral) {
    throw new UsageError('--email must be a plain address, such as ada@example.org');
  }
  return result.email;
}

/** Prints only the key on standard output, and what to do with it on standard error. */
export function printKey<Given extends { key: string }>(result: Given, about: string, json = false): void {
  if (json) {
    printJson(result);
    return;
  }
  print(result.key);
  printError(`${about} Save it now: it is shown only once.`);
}

async function list({ json }: JsonFlag): Promise<void> {
  await withStores(async (stores) => {
    const now = new Date();
    const keys = await stores.keys.list('');
    const lastUses = await Promise.all(keys.map(({ hash }) => stores.usage.list({ owner: hash, limit: 1 })));
    const further = Map.groupBy(await stores.furtherKeys.list(), ({ account }) => account);
    const rows = keys.map((key, index) => ({
      ...describeKey(key, now),
      last_used_at: lastUses[index]?.[0]?.lastUsedAt ?? null,
      further_keys: key.revokedAt === null ? (further.get(key.hash)?.map(({ prefix }) => prefix) ?? []) : [],
    }));
    printRows(rows, 'There are no keys. Create one with: npm run admin -- keys issue --tier pro --days 30', json);
  });
}

/** What operators see of a key: only its prefix, and a masked address. */
export function describeKey(key: StoredKey, now: Date) {
  const { prefix, plan, email, orderId, createdAt, revokedAt, renewals } = key;
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
    renewed_by: renewals?.orders.map((renewal) => renewal.orderId) ?? [],
  };
}

function readPrefix(text: string): string {
  if (!/^mh_[0-9A-Za-z]{1,8}$/.test(text)) {
    throw new InvalidArgumentError('It must be the start of a key, as shown by `keys list`, such as mh_4Fz0aQ1x.');
  }
  return text;
}

async function revoke(start: string, { json }: JsonFlag): Promise<void> {
  await withStores(async ({ keys, furtherKeys, audit, operator }) => {
    const matches = await keys.list(start);
    const further = (await furtherKeys.list()).filter(({ prefix }) => prefix.startsWith(start));
    const valid = [...matches.filter(({ revokedAt }) => revokedAt === null), ...further];
    if (valid.length > 1) {
      const prefixes = valid.map(({ prefix }) => prefix).join(', ');
      throw new Error(`several keys start with ${start}: ${prefixes}. None was revoked. Use a longer prefix.`);
    }
    const [key] = valid.length > 0 ? valid : matches;
    if (key === undefined) throw new Error(`no key starts with ${start}. To see all keys: npm run admin -- keys list`);
    const { prefix, hash } = key;
    if ('revokedAt' in key && key.revokedAt !== null) {
      const { revokedAt } = key;
      const result = { prefix, outcome: 'already_revoked', revoked_at: revokedAt };
      return printResult(result, () => `${prefix} was already revoked at ${revokedAt}.`, json);
    }
    const at = new Date().toISOString();
    await audit.append({ at, operator, action: 'keys revoke', subject: prefix, outcome: null });
    if ('scopes' in key) await furtherKeys.change(hash, () => null);
    else await keys.change(hash, (storedKey) => endKey(storedKey, at));
    printResult({ prefix, outcome: 'revoked' }, () => `Revoked ${prefix}.`, json);
  });
}
