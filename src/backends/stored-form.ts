import type { Plan } from '#accounts/plans.ts';
import type { Renewals } from '#accounts/renewal.ts';
import type { StoredKey } from '#accounts/stored-key.ts';

/** An object as both stores keep it: its properties in snake case. */
export function toSnakeCase(value: object): Record<string, unknown> {
  return renamed(value, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** The object that was stored in snake case. */
export function fromSnakeCase<Value>(stored: object): Value {
  return renamed(stored, (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())) as Value;
}

function renamed(value: object, rename: (name: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [rename(name), property]));
}

/** What both stores keep of an API key besides its HMAC; times as ISO 8601. */
export interface KeptKey {
  prefix: string;
  tier: Plan['tier'];
  expires_at: string;
  email: string | null;
  order_id: string | null;
  created_at: string;
  revoked_at: string | null;
  /** Null, or missing in keys of earlier versions, unless the key was rotated. */
  secret_hash?: string | null;
  retiring_hash?: string | null;
  retiring_prefix?: string | null;
  retiring_ends_at?: string | null;
  /** As JSON: Renewals. Null, or missing in keys of earlier versions, unless it was renewed. */
  renewals?: string | null;
}

/** What a rotation changes. */
export function keepSecrets({ prefix, secretHash, retiring }: StoredKey) {
  return {
    prefix,
    secret_hash: secretHash ?? null,
    retiring_hash: retiring?.hash ?? null,
    retiring_prefix: retiring?.prefix ?? null,
    retiring_ends_at: retiring?.endsAt ?? null,
  };
}

/** What a renewal changes. */
export function keepPlan({ plan, renewals }: StoredKey) {
  return { expires_at: plan.expiresAt, renewals: renewals === undefined ? null : JSON.stringify(renewals) };
}

export function keepKey(key: StoredKey): KeptKey {
  const { plan, email, orderId, createdAt, revokedAt } = key;
  const times = { created_at: createdAt, revoked_at: revokedAt };
  const holder = { email, order_id: orderId };
  return { ...keepSecrets(key), tier: plan.tier, ...keepPlan(key), ...holder, ...times };
}

export function readKey(hash: string, kept: KeptKey): StoredKey {
  const { prefix, tier, expires_at: expiresAt, email, order_id, created_at, revoked_at } = kept;
  const { secret_hash, retiring_hash, retiring_prefix, retiring_ends_at, renewals } = kept;
  const plan = { tier, expiresAt };
  return {
    ...{ hash, prefix, plan, email, orderId: order_id, createdAt: created_at, revokedAt: revoked_at },
    ...(secret_hash && { secretHash: secret_hash }),
    ...(retiring_hash && {
      retiring: { hash: retiring_hash, prefix: retiring_prefix ?? '', endsAt: retiring_ends_at ?? '' },
    }),
    ...(renewals && { renewals: JSON.parse(renewals) as Renewals }),
  };
}
