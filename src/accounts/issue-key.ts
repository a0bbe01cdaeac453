import { generateApiKey, identifyKey } from './api-key.ts';
import type { AuditLog } from './audit.ts';
import type { KeyStore } from './key-store.ts';
import type { Tier } from './plans.ts';
import type { StoredKey } from './stored-key.ts';

export interface KeyGrant {
  tier: Tier;
  /** How long the plan runs from now. */
  days: number;
  /** The holder's address, if known. */
  email: string | null;
}

export interface IssuedKey {
  /** To be shown once: it is never stored. */
  key: string;
  stored: StoredKey;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Dependencies of operators' work on keys, and the operator. */
export interface KeyOperation {
  keys: KeyStore;
  audit: AuditLog;
  operator: string;
}

/** Creates a key and saves its hash. */
export async function issueKey(
  { keys, audit, operator }: KeyOperation,
  pepper: string,
  { tier, days, email }: KeyGrant,
  now: Date,
): Promise<IssuedKey> {
  const key = generateApiKey();
  const stored: StoredKey = {
    ...identifyKey(key, pepper),
    plan: { tier, expiresAt: new Date(now.getTime() + days * dayMs).toISOString() },
    email,
    orderId: null,
    createdAt: now.toISOString(),
    revokedAt: null,
  };
  await audit.append({ at: now.toISOString(), operator, action: 'keys issue', subject: stored.prefix, outcome: null });
  await keys.save(stored);
  return { key, stored };
}
