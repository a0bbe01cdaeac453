import { issueKey, revokeKey } from '#accounts/keys.ts';
import { isActive, type Tier } from '#accounts/plans.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { maskEmail } from '#records/masking.ts';
import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import {
  type JsonFlag,
  print,
  printError,
  printJson,
  printResult,
  UsageError,
} from '#src/command-line/command-line.ts';
import { printRows } from '#src/command-line/output.ts';
import { withNewStores, withStores } from './store.ts';

interface IssueFlags extends JsonFlag {
  tier: Tier;
  days: number;
  email?: string;
}

/** `keys issue`: prints only the key on standard output, and what to do with it on standard error. */
export async function issue({ tier, days, email: address, json }: IssueFlags): Promise<void> {
  const email = address === undefined ? null : readEmail(address);
  await withNewStores(async (stores, pepper) => {
    const grant = { tier, days, email };
    const { key, stored } = await issueKey(stores, await pepper(), grant, new Date());
    if (json) {
      printJson({ key, prefix: stored.prefix, tier, expires_at: stored.plan.expiresAt });
      return;
    }
    print(key);
    printError(
      `Created a ${tier} key, valid until ${stored.plan.expiresAt}. Save it now: it is shown only once. Lists show it as ${stored.prefix}.`,
    );
  });
}

export async function list({ json }: JsonFlag): Promise<void> {
  await withStores(async (stores) => {
    const now = new Date();
    const keys = await stores.keys.list('');
    const lastUses = await Promise.all(keys.map(({ hash }) => stores.usage.findLastUse(hash)));
    const rows = keys.map((key, place) => ({ ...describeKey(key, now), last_used_at: lastUses[place] ?? null }));
    printRows(rows, 'There are no keys. Create one with: npm run admin -- keys issue --tier pro --days 30', json);
  });
}

export async function revoke(prefix: string, { json }: JsonFlag): Promise<void> {
  await withStores(async (stores) => {
    const result = await revokeKey(stores, prefix, new Date());
    if (result.outcome === 'unknown')
      throw new Error(`no key starts with ${prefix}. To see all keys: npm run admin -- keys list`);
    if (result.outcome === 'ambiguous') {
      const prefixes = result.candidates.map((key) => key.prefix).join(', ');
      throw new Error(`several keys start with ${prefix}: ${prefixes}. None was revoked. Use a longer prefix.`);
    }
    const { outcome, key } = result;
    const before = outcome === 'already_revoked' ? { revoked_at: result.revokedAt } : {};
    const done =
      outcome === 'revoked' ? `Revoked ${key.prefix}.` : `${key.prefix} was already revoked at ${result.revokedAt}.`;
    printResult({ prefix: key.prefix, outcome, ...before }, () => done, json);
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

function readEmail(text: string): string {
  const result = normalizeEmail(text);
  if ('fault' in result || result.isFirstOfSeveral) {
    throw new UsageError('--email must be a plain address, such as ada@example.org');
  }
  return result.email;
}
