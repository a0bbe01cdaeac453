import { randomUUID } from 'node:crypto';
import { addUpTo, type KeyedStore } from '#records/keyed-store.ts';
import { Problem } from '#src/problem.ts';
import { daysAfter } from '#text/days.ts';
import { generateApiKey, identifyKey } from './api-key.ts';
import type { Auditor } from './audit.ts';
import { type FurtherKey, maxFurtherKeys } from './further-key.ts';
import type { Tier } from './plans.ts';
import { endOfSecret, type KeyStore, rotateSecret, type StoredKey } from './stored-key.ts';

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

/** Makes a further key. Throws Problem `too_many_keys`. */
export async function makeFurtherKey(
  { furtherKeys, pepper }: { furtherKeys: KeyedStore<FurtherKey>; pepper: string },
  { account, name, scopes }: Pick<FurtherKey, 'account' | 'name' | 'scopes'>,
  now: Date,
): Promise<{ key: string; furtherKey: FurtherKey }> {
  const key = generateApiKey();
  const furtherKey = {
    ...identifyKey(key, pepper),
    id: randomUUID(),
    account,
    name,
    scopes,
    createdAt: now.toISOString(),
  };
  if (await addUpTo(furtherKeys, [furtherKey.hash, furtherKey], maxFurtherKeys, { owner: account }))
    return { key, furtherKey };
  throw new Problem('too_many_keys', `An account has at most ${maxFurtherKeys} further keys. Delete one first.`);
}
