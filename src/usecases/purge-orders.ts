import type { OrderStore, Purged } from '#ports/order-store.ts';

const dayMs = 24 * 60 * 60 * 1000;
/**
 * How long orders that nobody paid, and events that fit no order, are kept, in days. The longest that a payment can be
 * on its way through a bank is a few weeks.
 */
export const unpaidDays = 90;

/** Removes what nobody will pay any more; an unpaid order may hold its buyer's address. */
export function purgeOrders(orders: Pick<OrderStore, 'purge'>, now: Date): Promise<Purged> {
  return orders.purge(new Date(now.getTime() - unpaidDays * dayMs));
}
