import type { z } from 'zod';
import type { Account } from '#usecases/read-account.ts';
import type { accountAnswer } from './answers.ts';

/** The answer of GET /me (contract A9). */
export function presentAccount({
  plan,
  status,
  expiresAt,
  keyPrefix,
  orderId,
}: Account): z.output<typeof accountAnswer> {
  return { plan, status, expires_at: expiresAt, key_prefix: keyPrefix, order_id: orderId };
}
