import type { OrderStore } from './order-store.ts';
import type { PaymentProvider } from './payment-provider.ts';
import type { StoredKey } from './stored-key.ts';

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
