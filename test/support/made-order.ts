import { apiKeyPrefix, generateApiKey, hashApiKey } from '#accounts/api-key.ts';
import { newOrderId, type Order, type PaymentEffect, type PaymentEvent } from '#accounts/order.ts';

/** A pending order, with the values that a checkout gives it unless the test sets others. */
export function madeOrder(given: Partial<Order> = {}): Order {
  const id = given.id ?? newOrderId();
  return {
    id,
    status: 'pending',
    tier: 'pro',
    price: 4900,
    currency: 'USD',
    days: 30,
    email: 'buyer@shop.example',
    checkoutUrl: 'https://pay.example/checkout',
    checkoutReference: `cs_${id}`,
    paymentReference: null,
    customerReference: null,
    createdAt: '2026-03-01T10:00:00.000Z',
    paidAt: null,
    planExpiresAt: null,
    refundedAt: null,
    suspendedAt: null,
    keyClaimedAt: null,
    keyHash: null,
    renewsHash: null,
    askedAt: null,
    ...given,
  };
}

let events = 0;

/** An event of the order's checkout, with a new id. It reports a payment unless the test sets another effect. */
export function madeCheckoutEvent(
  { id: orderId, checkoutReference, currency, price }: Order,
  given: Partial<PaymentEvent> = {},
): PaymentEvent {
  const unpaid = (given.effect ?? 'paid') === 'paid' ? 0 : price;
  const checkout = { reference: checkoutReference, currency, subtotal: price, unpaid };
  return { ...madeEvent('paid'), orderId, checkout, payment: `pi_${orderId}`, ...given };
}

/** An event of a payment without a checkout, such as a refund, with a new id. */
export function madePaymentEvent(
  effect: 'refunded' | 'disputed' | 'none',
  payment: string | null,
  given: Partial<PaymentEvent> = {},
): PaymentEvent {
  return { ...madeEvent(effect), payment, ...given };
}

function madeEvent(effect: PaymentEffect): PaymentEvent {
  events += 1;
  const at = '2026-03-01T10:05:00.000Z';
  return { id: `evt_${events}`, effect, orderId: null, checkout: null, payment: null, customer: null, at };
}

/** A new key's hash and prefix. */
export function madeKey(): { hash: string; prefix: string } {
  const key = generateApiKey();
  return { hash: hashApiKey(key, 'a pepper for tests'), prefix: apiKeyPrefix(key) };
}
