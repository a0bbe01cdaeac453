import { randomUUID } from 'node:crypto';
import type { KeyedStore } from '#records/keyed-store.ts';
import { Problem } from '#src/problem.ts';
import { daysAfter } from '#text/days.ts';
import { generateApiKey, identifyKey } from './api-key.ts';
import type { Auditor } from './audit.ts';
import { type FurtherKey, maxFurtherKeys } from './further-key.ts';
import type { Tier } from './plans.ts';
import { endOfSecret, type KeyStore, opens, rotateSecret, type StoredKey } from './stored-key.ts';

/** Creates a key and saves its hash. Show the key once: it is stored nowhere. The plan runs for `days` from now. */
export async function issueKey(
  { keys, audit, operator }: Auditor & { keys: KeyStore },
  pepper: string,
  { tier, days, email }: { tier: Tier; days: number; email: string | null },
  now: Date,
): Promise<{ key: string; stored: StoredKey }> {
  const key = generateApiKey();
  const stored: StoredKey = {
    ...identifyKey(key, pepper),
    plan: { tier, expiresAt: daysAfter(now.toISOString(), days) },
    email,
    orderId: null,
    createdAt: now.toISOString(),
    revokedAt: null,
  };
  await audit.append({ at: now.toISOString(), operator, action: 'keys issue', subject: stored.prefix, outcome: null });
  await keys.save(stored);
  return { key, stored };
}

/** Replaces the secret of a key (contract A15). `sent`: HMAC of the old one. Throws `key_invalid` if that no longer works. */
export async function rotateKey(
  { keys, pepper }: { keys: KeyStore; pepper: string },
  { hash }: StoredKey,
  { sent, overlapHours }: { sent: string; overlapHours: number },
  now: Date,
): Promise<{ key: string; stored: StoredKey; sentEndsAt: string }> {
  const key = generateApiKey();
  const next = identifyKey(key, pepper);
  const stored = await keys.change(hash, (current) => rotateSecret(current, { sent, next, overlapHours }, now));
  if (stored === null) throw new Problem('key_invalid', 'This key was replaced or revoked a moment ago.');
  return { key, stored, sentEndsAt: endOfSecret(stored, sent) ?? now.toISOString() };
}

/** The further keys of an account that work, the newest first. */
export async function listFurtherKeys(
  furtherKeys: KeyedStore<FurtherKey>,
  key: StoredKey,
  now: Date,
): Promise<FurtherKey[]> {
  const made = await furtherKeys.list({ owner: key.hash });
  return made.filter(({ secret }) => opens(key, secret, now));
}

/** Makes a further key. `secret`: HMAC of the account's secret that was sent. Throws Problem `too_many_keys`. */
export async function makeFurtherKey(
  { furtherKeys, pepper }: { furtherKeys: KeyedStore<FurtherKey>; pepper: string },
  { key: account, secret, name, scopes }: Pick<FurtherKey, 'secret' | 'name' | 'scopes'> & { key: StoredKey },
  now: Date,
): Promise<{ key: string; made: FurtherKey }> {
  const key = generateApiKey();
  const owner = { account: account.hash, secret };
  const made = { ...identifyKey(key, pepper), id: randomUUID(), ...owner, name, scopes, createdAt: now.toISOString() };
  for (const { hash, secret: maker } of await furtherKeys.list({ owner: account.hash })) {
    if (!opens(account, maker, now)) await furtherKeys.change(hash, () => null);
  }
  await furtherKeys.change(made.hash, () => made);
  // Counted last, because others may make keys at the same time.
  if ((await furtherKeys.list({ owner: account.hash })).length <= maxFurtherKeys) return { key, made };
  await furtherKeys.change(made.hash, () => null);
  throw new Problem('too_many_keys', `An account has at most ${maxFurtherKeys} further keys. Delete one first.`);
}
