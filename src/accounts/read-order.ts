import { Problem } from '#src/problem.ts';
import { generateApiKey, identifyKey } from './api-key.ts';
import { askAgain, claimKey, isClaimable } from './change-order.ts';
import type { Order, OrderStore } from './order.ts';
import { type PaymentLog, type PaymentProvider, receivePayment } from './payments.ts';
import { isClaimToken } from './pepper.ts';
import { endAfter } from './renewal.ts';
import type { KeyStore } from './stored-key.ts';

export interface OrderDeps {
  orders: OrderStore;
  keys: Pick<KeyStore, 'find'>;
  /** Null if this service takes no payments. */
  payments: PaymentProvider | null;
  pepper: string;
  log: PaymentLog;
}

export interface OrderRequest {
  orderId: string;
  claimToken: string;
  /** Whether this read may claim the key: not for a HEAD or a prefetch, whose answer nobody sees. */
  mayClaim: boolean;
}

export interface OrderReading {
  order: Order;
  /** When the plan ends that it paid for, ISO 8601: of a renewal, the end that it reached. Null while unpaid, disputed or refunded. */
  planExpiresAt: string | null;
  /** The prefix of the key that it renews; null if it gives one of its own. */
  renews: string | null;
  /** The order's key, for the one read that claims it. */
  apiKey: string | null;
}

/**
 * The current order, with its key for the first read after the payment. A pending order is first looked up at the
 * payment provider, so a lost event does no harm.
 *
 * Throws Problem `order_not_found`, by the same path with the same queries, for an unknown order and a wrong token.
 */
export async function readOrder(
  deps: OrderDeps,
  { orderId, claimToken, mayClaim }: OrderRequest,
  now: Date,
): Promise<OrderReading> {
  const { orders, pepper } = deps;
  const isHolder = isClaimToken(claimToken, orderId, pepper);
  const found = await orders.find(orderId);
  if (found === null || !isHolder) {
    throw new Problem('order_not_found', 'No order has this id and claim_token. Check both.');
  }

  const order = await lookForPayment(deps, found, now);
  if (!mayClaim || !isClaimable(order)) return present(deps, order, null);

  const key = generateApiKey();
  const identity = identifyKey(key, pepper);
  const claim = await orders.change(orderId, (current) => claimKey(current, identity, now));
  return present(deps, claim?.order ?? order, claim?.isChanged ? key : null);
}

async function present({ keys }: OrderDeps, order: Order, apiKey: string | null): Promise<OrderReading> {
  const { id, renewsHash, planExpiresAt } = order;
  const renewed = renewsHash === null ? null : await keys.find(renewsHash);
  if (renewed === null) return { order, planExpiresAt, renews: null, apiKey };
  return { order, planExpiresAt: endAfter(renewed, id), renews: renewed.prefix, apiKey };
}

/** The order after what the provider says about its payment; of several simultaneous readers, one asks. */
async function lookForPayment(deps: OrderDeps, order: Order, now: Date): Promise<Order> {
  const { orders, payments } = deps;
  if (payments === null || askAgain(order, now) === null) return order;
  const asking = await orders.change(order.id, (current) => askAgain(current, now));
  if (!asking?.isChanged) return asking?.order ?? order;
  const news = await payments.look(asking.order, now);
  for (const event of news) await receivePayment(deps, event, now);
  return (await orders.find(order.id)) ?? order;
}
