import { Problem } from '#src/problem.ts';
import { newOrderId, type Order, type OrderStore } from './order.ts';
import type { PaymentProvider } from './payments.ts';
import { type Offer, planOf, type Tier } from './plans.ts';
import type { Reservation, Reservations } from './reservation.ts';
import type { StoredKey } from './stored-key.ts';

export interface CheckoutDeps {
  orders: OrderStore;
  reservations: Reservations;
  /** Null if this service takes no payments. */
  payments: PaymentProvider | null;
  plans: readonly Offer[];
  pepper: string;
}

export interface CheckoutRequest {
  tier: Tier;
  email: string | null;
  /** The buyer's key: an order of the same plan renews it (contract A15). Null without one. */
  key: StoredKey | null;
  /** Makes the same request give the same order for 24 hours; null for none. */
  idempotencyKey: string | null;
}

/**
 * Creates an order and the place to pay it. An order is saved only once it can be paid, so a provider that fails, or a
 * process that stops midway, leaves none behind.
 *
 * Throws Problem `idempotency_conflict` if the key was used for another request, `payment_failed` if no payment can be
 * prepared.
 */
export async function startCheckout(deps: CheckoutDeps, request: CheckoutRequest, now: Date): Promise<Order> {
  const { orders, payments, reservations } = deps;
  if (payments === null) {
    throw new Problem(
      'payment_failed',
      'Plans are not for sale: the operator of this service has not set up payments.',
    );
  }
  const reservation = await reserve(deps, request, now);
  const made = reservation && (await orders.find(reservation.subjectId));
  if (made) return made;

  // Of several requests with one key, all ask the provider for the same order with the same parameters.
  const createdAt = reservation?.createdAt ?? now.toISOString();
  const id = reservation?.subjectId ?? newOrderId();
  const { tier, title, price, currency, days } = planOf(deps.plans, request.tier);
  const unpaid = { id, tier, price, currency, days, email: request.email, createdAt };
  const checkout = await payments.open({ ...unpaid, planTitle: title }).catch(async (error: unknown) => {
    if (reservation !== null) await reservations.release(reservation);
    throw error;
  });
  if (reservation !== null && !(await reservations.use(reservation))) {
    throw new Problem('payment_failed', 'Another request with this Idempotency-Key failed. Send it again.');
  }
  return orders.save({
    ...unpaid,
    status: 'pending',
    checkoutUrl: checkout.url,
    checkoutReference: checkout.reference,
    paymentReference: null,
    customerReference: null,
    paidAt: null,
    planExpiresAt: null,
    refundedAt: null,
    suspendedAt: null,
    keyClaimedAt: null,
    keyHash: null,
    renewsHash: request.key?.plan.tier === tier ? request.key.hash : null,
    askedAt: null,
  });
}

async function reserve(
  { reservations, pepper }: CheckoutDeps,
  { tier, email, key, idempotencyKey }: CheckoutRequest,
  now: Date,
): Promise<Reservation | null> {
  if (idempotencyKey === null) return null;
  const request = JSON.stringify([tier, email, ...(key === null ? [] : [key.hash])]);
  return reservations.reserve({ key: `checkout ${idempotencyKey}`, request, subjectId: newOrderId() }, pepper, now);
}
