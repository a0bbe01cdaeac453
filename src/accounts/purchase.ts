import { Problem } from '#src/problem.ts';
import { generateApiKey, identifyKey } from './api-key.ts';
import { askAgain, claimKey, endAfter, isClaimable } from './change-order.ts';
import type { Mails } from './mails.ts';
import { type EventOutcome, newOrderId, type Order, type OrderStore, type PaymentEvent } from './order.ts';
import { claimTokenOf, isToken } from './pepper.ts';
import type { Offer, Tier } from './plans.ts';
import type { Reservations } from './reservation.ts';
import type { KeyStore, Raise, StoredKey } from './stored-key.ts';

/** An order before its checkout is open. `planTitle` is the name of the plan for buyers, such as `Pro`. */
export type UnpaidOrder = Pick<
  Order,
  'id' | 'tier' | 'price' | 'currency' | 'days' | 'email' | 'reference' | 'returnUrl' | 'createdAt'
> & { planTitle: string };

/** Where an order is paid, and the provider's id for that. */
export interface Checkout {
  url: string;
  reference: string;
}

export interface PaymentProvider {
  /** Opens a checkout; for the same order always the same one. Throws Problem `payment_failed` if it cannot. */
  open(order: UnpaidOrder): Promise<Checkout>;
  /** Asks what happened to the payment; empty if there is no news within five seconds. `at` is never too early. */
  look(order: Order, now: Date): Promise<PaymentEvent[]>;
  /** Where its customers see their payments and invoices; null if there is no such page. */
  readonly portalUrl: string | null;
  readonly webhook: Webhook | null;
  readonly isSandbox: boolean;
}

/** The path of a provider's webhook below /api/v1/webhooks, and what it receives. */
export interface Webhook {
  name: string;
  title: string;
  signatureHeader: string;
  eventTypes: readonly string[];
  /** What an event, signed over this body, says of a payment; null for nothing. Throws Problem `invalid_request`. */
  read(body: Buffer, signature: string, now: Date): PaymentEvent | null;
}

interface PaymentLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface PurchaseDeps {
  orders: OrderStore;
  keys: Pick<KeyStore, 'find'>;
  reservations: Reservations;
  /** Null if this service takes no payments. */
  payments: PaymentProvider | null;
  plans: readonly Offer[];
  pepper: string;
  /** Null if this service sends no mail. */
  mails: Pick<Mails, 'queueReceipt' | 'queueLinks'> | null;
  log: PaymentLog;
}

interface CheckoutRequest {
  tier: Tier;
  email: string | null;
  reference: string | null;
  /** A page that the operator lets buyers return to; null for the page where they claim the key. */
  returnUrl: string | null;
  /** The buyer's key: an order of the same plan renews it (contract A15), of a larger one raises it (A20). Null without one. */
  key: StoredKey | null;
  /** Makes the same request give the same order for 24 hours; null for none. */
  idempotencyKey: string | null;
}

/** Opens a checkout, then saves the order: a failed request leaves no order. A repeated Idempotency-Key gives the same order. */
export async function startCheckout(
  { orders, payments, reservations, plans, pepper }: Omit<PurchaseDeps, 'keys' | 'mails' | 'log'>,
  { tier, email, reference, returnUrl, key, idempotencyKey }: CheckoutRequest,
  now: Date,
): Promise<Order> {
  if (payments === null) {
    throw new Problem(
      'not_found',
      'Plans are not for sale here: the operator of this service has not set up payments.',
    );
  }
  const about = { ...(reference !== null && { reference }), ...(returnUrl !== null && { returnUrl }) };
  let [id, createdAt] = [newOrderId(), now.toISOString()];
  if (idempotencyKey !== null) {
    const request = JSON.stringify([tier, email, ...(key === null ? [] : [key.hash]), ...Object.entries(about)]);
    const reservationRequest = { key: `checkout ${idempotencyKey}`, request, subjectId: id };
    // Simultaneous requests with one key all ask the provider for the same order, with the same parameters.
    ({ subjectId: id, createdAt } = await reservations.reserve(reservationRequest, pepper, now));
    const earlierOrder = await orders.find(id);
    if (earlierOrder !== null) return earlierOrder;
  }
  const plan = plans.find((offer) => offer.tier === tier);
  if (plan === undefined) throw new Error(`There is no plan ${tier}.`);
  const { title, price, currency, days } = plan;
  const raise = key === null ? null : raiseTo(plan, key, plans);
  const unpaid = { id, tier, price, currency, days, email, ...about, createdAt };
  const checkout = await payments.open({ ...unpaid, planTitle: title });
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
    renewsHash: key !== null && (raise !== null || key.plan.tier === tier) ? key.hash : null,
    ...(raise !== null && { raise }),
    askedAt: null,
  });
}

/** What an order of a plan makes of a key of a smaller plan, or of one that was raised to it; null for any other key. */
function raiseTo(plan: Offer, { plan: { tier }, renewals }: StoredKey, plans: readonly Offer[]): Raise | null {
  const raised = renewals?.orders.find(({ raise }) => raise?.tier === plan.tier)?.raise;
  const lower = plans.slice(0, plans.indexOf(plan)).find((offer) => offer.tier === tier);
  if (lower === undefined) return (tier === plan.tier && raised) || null;
  return { tier: plan.tier, days: lower.price * plan.days, lowerDays: lower.days * plan.price };
}

/** Passes a payment event to the orders. An event that matches none is held, because somebody may have paid. */
export async function receivePayment(
  { orders, mails, log }: { orders: Pick<OrderStore, 'receive'> } & Pick<PurchaseDeps, 'mails' | 'log'>,
  event: PaymentEvent,
  now: Date,
): Promise<EventOutcome> {
  const outcome = await orders.receive(event, now);
  const { id, effect, orderId: order, checkout, payment } = event;
  const fields = { event: id, effect, order, checkout, payment, outcome };
  if (outcome === 'held') log.warn(fields, 'a payment event matches no order: it is held');
  else log.info(fields, 'payment event');
  // The event only says which order to look at: whether that is paid, and by whom, its store knows. No mail fails a purchase.
  if (effect === 'paid' && order !== null) {
    await mails
      ?.queueReceipt(order)
      .catch((err) => log.warn({ err, order }, 'the mail to a buyer could not be queued'));
  }
  return outcome;
}

interface OrderRequest {
  orderId: string;
  claimToken: string;
  /** Whether this request may claim the key. False for HEAD and prefetches: nobody would see the key. */
  mayClaim: boolean;
}

export interface OrderReading {
  order: Order;
  /** When the plan ends; for a renewal, with the days of this order. Null while unpaid, disputed or refunded. */
  planExpiresAt: string | null;
  renews: string | null;
  apiKey: string | null;
}

type ReadingDeps = Omit<PurchaseDeps, 'reservations' | 'plans'>;

/**
 * Reads an order. The first read after the payment also gets the key. If the order is pending, the payment provider is asked,
 * so that a lost event does no harm. Throws Problem `order_not_found` for an unknown order and for a wrong token, both after
 * the same queries, so that the time of the answer does not tell which it was.
 */
export async function readOrder(
  deps: ReadingDeps,
  { orderId, claimToken, mayClaim }: OrderRequest,
  now: Date,
): Promise<OrderReading> {
  const { orders, keys, pepper } = deps;
  const isHolder = isToken(claimToken, claimTokenOf(orderId, pepper));
  const stored = await orders.find(orderId);
  if (stored === null || !isHolder) {
    throw new Problem('order_not_found', 'No order has this id and claim_token. Check both.');
  }
  let order = await lookForPayment(deps, stored, now);
  let apiKey: string | null = null;
  if (mayClaim && isClaimable(order)) {
    const key = generateApiKey();
    const identity = identifyKey(key, pepper);
    const claim = await orders.change(orderId, (current) => claimKey(current, identity, now));
    order = claim?.order ?? order;
    apiKey = claim?.isChanged ? key : null;
  }
  const { renewsHash, planExpiresAt } = order;
  const renewed = renewsHash === null ? null : await keys.find(renewsHash);
  if (renewed === null) return { order, planExpiresAt, renews: null, apiKey };
  return { order, planExpiresAt: endAfter(renewed, orderId), renews: renewed.prefix, apiKey };
}

/** Updates the order by asking the provider about its payment. If several requests read it at once, one of them asks. */
async function lookForPayment(deps: ReadingDeps, order: Order, now: Date): Promise<Order> {
  const { orders, payments } = deps;
  if (payments === null || askAgain(order, now) === null) return order;
  const asking = await orders.change(order.id, (current) => askAgain(current, now));
  if (!asking?.isChanged) return asking?.order ?? order;
  const news = await payments.look(asking.order, now);
  for (const event of news) await receivePayment(deps, event, now);
  return (await orders.find(order.id)) ?? order;
}

/** The order that a key comes from and those that renewed it, the newest first. */
export async function ordersOf(orders: Pick<OrderStore, 'find'>, { orderId, renewals }: StoredKey): Promise<Order[]> {
  const ids = [orderId, ...(renewals?.orders.map((renewal) => renewal.orderId) ?? [])];
  const foundOrders = await Promise.all(ids.map((id) => (id === null ? null : orders.find(id))));
  return foundOrders.filter((order) => order !== null).reverse();
}

/**
 * The page where the holder of a key sees payments and invoices (contract A15). Null if the provider has no such page, or knows
 * no buyer for the key's first order and its last renewal. Looks only in the store, so it is fast.
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
