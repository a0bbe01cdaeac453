import type { Logger } from 'pino';
import { purgeOrders } from '#usecases/purge-orders.ts';
import type { Backends } from './open-backends.ts';

/** How often orders are purged, in milliseconds. Processes that share a store may all do it. */
const everyMs = 6 * 60 * 60 * 1000;

/**
 * Purges orders once the store is there and every six hours from then on, as long as the process runs. A failure is
 * logged, and the next turn tries again.
 */
export async function purgeRegularly(
  { orders, whenPrepared }: Pick<Backends, 'orders' | 'whenPrepared'>,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const purge = async () => {
    try {
      const purged = await purgeOrders(orders, new Date());
      if (purged.orders + purged.events > 0) log.info(purged, 'purged unpaid orders, and events that match no order');
    } catch (err) {
      log.warn({ err }, 'unpaid orders could not be purged; next attempt in six hours');
    }
  };
  await whenPrepared();
  setInterval(purge, everyMs).unref();
  await purge();
}
