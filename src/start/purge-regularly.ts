import type { Logger } from 'pino';
import type { Backends } from './open-backends.ts';
import { type HistoryLimits, purgeChanges, purgeOrders } from './purge.ts';

/** How often the store is purged, in milliseconds. Processes that share a store may all do it. */
const everyMs = 6 * 60 * 60 * 1000;

/**
 * Purges orders and the change log once the store is there and every six
 * hours from then on, as long as the process runs. A failure is logged, and the next turn tries again.
 */
export async function purgeRegularly(
  { orders, changes, whenPrepared }: Pick<Backends, 'orders' | 'changes' | 'whenPrepared'>,
  history: HistoryLimits,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const purge = async () => {
    try {
      const now = new Date();
      const purged = await purgeOrders(orders, now);
      if (purged.orders + purged.events > 0) log.info(purged, 'purged unpaid orders, and events that match no order');
      const forgotten = await purgeChanges(changes, history, now);
      if (forgotten > 0) log.info({ changeSets: forgotten }, 'purged old changes of records');
    } catch (err) {
      log.warn({ err }, 'old entries could not all be purged; next attempt in six hours');
    }
  };
  await whenPrepared();
  setInterval(purge, everyMs).unref();
  await purge();
}
