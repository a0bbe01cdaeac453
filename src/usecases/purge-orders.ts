import type { OrderStore, Purged } from '#ports/order-store.ts';

const dayMs = 24 * 60 * 60 * 1000;
/**
 * How long unpaid orders, and events that match no order, are kept, in days. The longest bank payment takes a few
 * weeks.
 */
export const unpaidDays = 90;

/** Deletes orders that nobody will pay any more; an unpaid order may contain its buyer's address. */
export function purgeOrders(orders: Pick<OrderStore, 'purge'>, now: Date): Promise<Purged> {
  return orders.purge(new Date(now.getTime() - unpaidDays * dayMs));
}
