import { isActive, type Tier } from '#domain/plans/plan.ts';
import type { StoredKey } from '#domain/plans/stored-key.ts';

/** What the holder of a key may know about it. */
export interface Account {
  plan: Tier;
  status: 'active' | 'expired';
  /** ISO 8601, UTC. */
  expiresAt: string;
  keyPrefix: string;
  orderId: string | null;
}

/** What a key currently gives. */
export function readAccount({ plan, prefix, orderId }: StoredKey, now: Date): Account {
  return {
    plan: plan.tier,
    status: isActive(plan, now) ? 'active' : 'expired',
    expiresAt: plan.expiresAt,
    keyPrefix: prefix,
    orderId,
  };
}
