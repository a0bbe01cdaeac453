import type { EventOutcome, Order, OrderStore, PaymentEvent } from './order.ts';
import type { StoredKey } from './stored-key.ts';

/** An order before there is a place to pay it. */
export type UnpaidOrder = Pick<Order, 'id' | 'tier' | 'price' | 'currency' | 'days' | 'email' | 'createdAt'> & {
  /** What buyers call the plan. */
  planTitle: string;
};

/** Where an order is paid, and the provider's id for that. */
export interface Checkout {
  url: string;
  reference: string;
}

/** Takes payments. */
export interface PaymentProvider {
  /**
   * Prepares the payment of an order; for the same order it returns the same. Fails with Problem `payment_failed` if
   * the provider cannot be reached or refuses.
   */
  open(order: UnpaidOrder): Promise<Checkout>;
  /**
   * What happened to the payment of an order: nothing if there is no news, or none within five seconds. A payment has
   * the time it succeeded, or `now` if the provider does not know; never earlier.
   */
  look(order: Order, now: Date): Promise<PaymentEvent[]>;
  /** Where its customers see their payments and invoices, the same for all; null if there is no such page. */
  readonly portalUrl: string | null;
  /** Where it sends its events; null for a provider that sends none. */
  readonly webhook: Webhook | null;
  /** Whether payments are a test, made on a page of this service. */
  readonly isSandbox: boolean;
}

/** The path of a provider's webhook, and what it receives. */
export interface Webhook {
  /** The last part of the path, below /api/v1/webhooks. */
  name: string;
  /** What people call the provider. */
  title: string;
  /** The header that shows an event to be the provider's. */
  signatureHeader: string;
  /** The types of events that say something of a payment, as the provider names them. */
  eventTypes: readonly string[];
  /**
   * What an event says of a payment; null where it says nothing of one.
   *
   * @param body the request's body as it came, which is what was signed
   * @throws Problem `invalid_request` where it is not signed by the provider, or long ago
   */
  read(body: Buffer, signature: string, now: Date): PaymentEvent | null;
}

/** Where operators read what happened to payments. */
export interface PaymentLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Passes a payment event from any source to the orders, and logs what happened to it. One that matches no order is
 * held: money may have been paid for nothing.
 *
 * Throws Problem `store_unavailable` if it could not be stored; then it must be sent again.
 */
export async function receivePayment(
  { orders, log }: { orders: Pick<OrderStore, 'receive'>; log: PaymentLog },
  event: PaymentEvent,
  now: Date,
): Promise<EventOutcome> {
  const outcome = await orders.receive(event, now);
  const { id, effect, orderId: order, checkout, payment } = event;
  const fields = { event: id, effect, order, checkout, payment, outcome };
  if (outcome === 'held') log.warn(fields, 'a payment event matches no order: it is held');
  else log.info(fields, 'payment event');
  return outcome;
}

/**
 * Where the holder of a key sees payments and invoices (contract A15): null unless the provider has such a page and keeps
 * the buyer, of the order that the key comes from or of the last one that renewed it. Asks the store, never the provider.
 */
export async function findBillingPortal(
  { orders, payments }: { orders: Pick<OrderStore, 'find'>; payments: PaymentProvider | null },
  { orderId, renewals }: StoredKey,
): Promise<string | null> {
  const portalUrl = payments?.portalUrl ?? null;
  if (portalUrl === null) return null;
  for (const id of [orderId, renewals?.orders.at(-1)?.orderId ?? null]) {
    const order = id === null ? null : await orders.find(id);
    if (order !== null && order.customerReference !== null) return portalUrl;
  }
  return null;
}
