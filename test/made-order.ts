import { apiKeyPrefix, generateApiKey, hashApiKey } from '#domain/plans/api-key.ts';
import type { Order } from '#domain/plans/order.ts';
import { newOrderId } from '#domain/plans/order-id.ts';
import type { PaymentEvent } from '#domain/plans/payment-event.ts';

/** A pending order; what a test does not say is as a checkout makes it. */
export function madeOrder(given: Partial<Order> = {}): Order {
  return {
    id: newOrderId(),
    status: 'pending',
    tier: 'pro',
    price: 4900,
    currency: 'USD',
    days: 30,
    email: 'buyer@shop.example',
    checkoutUrl: 'https://pay.example/checkout',
    checkoutReference: 'cs_1',
    paymentReference: null,
    createdAt: '2026-03-01T10:00:00.000Z',
    paidAt: null,
    planExpiresAt: null,
    refundedAt: null,
    suspendedAt: null,
    keyClaimedAt: null,
    keyHash: null,
    askedAt: null,
    ...given,
  };
}

let events = 0;

/** An event with an id of its own that says the order is paid, unless a test says otherwise. */
export function madeEvent(given: Partial<PaymentEvent> = {}): PaymentEvent {
  events += 1;
  return {
    id: `evt_${events}`,
    effect: 'paid',
    orderId: null,
    payment: null,
    at: '2026-03-01T10:05:00.000Z',
    ...given,
  };
}

/** A new key's hash and prefix. */
export function madeKey(): { hash: string; prefix: string } {
  const key = generateApiKey();
  return { hash: hashApiKey(key, 'a pepper for tests'), prefix: apiKeyPrefix(key) };
}
