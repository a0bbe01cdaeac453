import { normalizeEmail } from '#domain/normalize/normalize-email.ts';
import type { Tier } from '#domain/plans/plan.ts';
import { issueKey } from '#usecases/issue-key.ts';
import { revokeKey } from '#usecases/revoke-key.ts';
import { print, printError, printJson, UsageError } from '../command-line.ts';
import { printTable } from '../print-table.ts';
import { describeKey } from './describe-key.ts';
import { withStores } from './with-stores.ts';

export interface IssueFlags {
  tier: Tier;
  days: number;
  email?: string;
  json?: boolean;
}

/** `keys issue`: prints only the key on standard output, and what to do with it on standard error. */
export async function issue({ tier, days, email: address, json = false }: IssueFlags): Promise<void> {
  const email = address === undefined ? null : readEmail(address);
  await withStores(async (stores, pepper) => {
    const { key, stored } = await issueKey(stores, await pepper(), { tier, days, email }, new Date());
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

/** `keys list` */
export async function list(json: boolean): Promise<void> {
  await withStores(async (stores) => {
    const now = new Date();
    const rows = (await stores.keys.list('')).map((key) => describeKey(key, now));
    if (json) printJson(rows);
    else printTable(rows, 'There are no keys. Create one with: npm run admin -- keys issue --tier pro --days 30');
  });
}

/** `keys revoke` */
export async function revoke(prefix: string, json: boolean): Promise<void> {
  await withStores(async (stores) => {
    const result = await revokeKey(stores, prefix, new Date());
    switch (result.outcome) {
      case 'revoked':
        if (json) printJson({ prefix: result.key.prefix, outcome: 'revoked' });
        else print(`Revoked ${result.key.prefix}.`);
        break;
      case 'already_revoked':
        if (json) printJson({ prefix: result.key.prefix, outcome: 'already_revoked', revoked_at: result.revokedAt });
        else print(`${result.key.prefix} was already revoked at ${result.revokedAt}.`);
        break;
      case 'ambiguous':
        throw new Error(
          `several keys start with ${prefix}: ${result.candidates.map((key) => key.prefix).join(', ')}. None was revoked. Use a longer prefix.`,
        );
      case 'unknown':
        throw new Error(`no key starts with ${prefix}. To see all keys: npm run admin -- keys list`);
    }
  });
}

function readEmail(text: string): string {
  const result = normalizeEmail(text);
  if ('fault' in result || result.isFirstOfSeveral) {
    throw new UsageError('--email must be a plain address, such as ada@example.org');
  }
  return result.email;
}
