import { apiKeyPrefix, generateApiKey, hashApiKey } from '#domain/api-key.ts';
import type { Tier } from '#domain/plan.ts';
import type { StoredKey } from '#domain/stored-key.ts';
import type { KeyStore } from '#ports/key-store.ts';

export interface KeyGrant {
  tier: Tier;
  /** How long the plan runs from now. */
  days: number;
  /** The holder's address, where known. */
  email: string | null;
}

export interface IssuedKey {
  /** To be shown once: it is stored nowhere. */
  key: string;
  stored: StoredKey;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Makes a key and saves its hash. */
export async function issueKey(
  keys: KeyStore,
  pepper: string,
  { tier, days, email }: KeyGrant,
  now: Date,
): Promise<IssuedKey> {
  const key = generateApiKey();
  const stored: StoredKey = {
    hash: hashApiKey(key, pepper),
    prefix: apiKeyPrefix(key),
    plan: { tier, expiresAt: new Date(now.getTime() + days * dayMs).toISOString() },
    email,
    orderId: null,
    createdAt: now.toISOString(),
    revokedAt: null,
  };
  await keys.save(stored);
  return { key, stored };
}
