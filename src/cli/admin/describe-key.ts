import { maskEmail } from '#domain/masking.ts';
import { isActive } from '#domain/plans/plan.ts';
import type { StoredKey } from '#domain/plans/stored-key.ts';

/** What operators see of a key: only its prefix, and a masked address. */
export function describeKey({ prefix, plan, email, orderId, createdAt, revokedAt }: StoredKey, now: Date) {
  const running = isActive(plan, now) ? 'active' : 'expired';
  return {
    prefix,
    tier: plan.tier,
    status: revokedAt === null ? running : 'revoked',
    email: email === null ? null : maskEmail(email),
    order_id: orderId,
    created_at: createdAt,
    expires_at: plan.expiresAt,
    revoked_at: revokedAt,
  };
}
