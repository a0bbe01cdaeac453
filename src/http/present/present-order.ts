import type { z } from 'zod';
import type { Order } from '#domain/plans/order.ts';
import type { OrderReading } from '#usecases/read-order.ts';
import type { checkoutAnswer, orderAnswer } from './answers.ts';

/** The answer of POST /checkout (contract A7). */
export function presentCheckout({ id, checkoutUrl }: Order, claimToken: string): z.output<typeof checkoutAnswer> {
  return { checkout_url: checkoutUrl, order_id: id, claim_token: claimToken };
}

/** The answer of GET /orders/{id} (contract A8). */
export function presentOrder({ order, apiKey }: OrderReading): z.output<typeof orderAnswer> {
  return {
    order_id: order.id,
    status: order.status,
    tier: order.tier,
    created_at: order.createdAt,
    paid_at: order.paidAt,
    plan_expires_at: order.planExpiresAt,
    key_claimed_at: order.keyClaimedAt,
    ...(apiKey !== null && { api_key: apiKey }),
  };
}
