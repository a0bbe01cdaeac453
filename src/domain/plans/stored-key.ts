import type { Visibility } from '#domain/masking.ts';
import { Problem } from '#domain/problem.ts';
import { isActive, type Plan } from './plans.ts';

/** What is stored of an API key: never the key itself. Times are ISO 8601, UTC. */
export interface StoredKey {
  /** HMAC-SHA-256 of the key under KEY_PEPPER, hex. */
  hash: string;
  /** The start of the key, to tell keys apart by eye. */
  prefix: string;
  plan: Plan;
  /** The holder's address, if an operator or buyer gave one. */
  email: string | null;
  orderId: string | null;
  createdAt: string;
  revokedAt: string | null;
  /** Present if an operator of the service holds it, who may ask why searches find what they find. */
  isOperator?: true;
}

/** The caller: anonymous, or the holder of an existing key that is not revoked. */
export type Caller = { key: null } | { key: StoredKey };

export const anonymous: Caller = { key: null };

/** Full addresses require an active plan. */
export function visibilityFor(caller: Caller, now: Date): Visibility {
  return caller.key !== null && isActive(caller.key.plan, now) ? 'full' : 'masked';
}

/** Throws Problem `operator_key_required` unless an operator holds the caller's key, and its plan is active. */
export function requireOperator({ key }: Caller, now: Date): void {
  if (key?.isOperator && isActive(key.plan, now)) return;
  throw new Problem('operator_key_required', 'Only a valid key of an operator of this service can ask this.');
}
