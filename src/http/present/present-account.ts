import type { Account } from '#usecases/read-account.ts';

/** The answer of GET /me (contract A9). */
export function presentAccount({ plan, status, expiresAt, keyPrefix, orderId }: Account): object {
  return { plan, status, expires_at: expiresAt, key_prefix: keyPrefix, order_id: orderId };
}
