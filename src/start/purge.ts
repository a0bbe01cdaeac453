import type { OrderStore, Purged } from '#accounts/order-store.ts';
import { dateOf } from '#accounts/usage.ts';
import type { UsageLog } from '#accounts/usage-log.ts';
import type { PushLog } from '#outbound/push.ts';
import type { ChangeLog } from '#records/record-store.ts';

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

/** How long the push log keeps a push after its last update, in days; an Idempotency-Key lasts one. */
export const pushLogDays = 90;

/** Deletes pushes that ended long ago; returns how many. */
export function purgePushes(pushes: Pick<PushLog, 'purge'>, now: Date): Promise<number> {
  return pushes.purge(new Date(now.getTime() - pushLogDays * dayMs));
}

/** How long the use of keys is kept, in days: `keys list` shows when a key was last used within this time. */
export const usageKeptDays = 400;

/** Deletes the use of keys on days long ago; returns how many days of keys. */
export function purgeUsage(usage: Pick<UsageLog, 'purge'>, now: Date): Promise<number> {
  return usage.purge(dateOf(new Date(now.getTime() - usageKeptDays * dayMs)));
}

/** How long the changes of commands are kept, and how many bytes they may take. */
export interface HistoryLimits {
  days: number;
  maxBytes: number;
}

/**
 * Deletes the oldest change sets that are too old or too much; returns how many. The last one stays whatever its size,
 * and so does one that may still be running.
 */
export async function purgeChanges(
  changes: Pick<ChangeLog, 'listOldest' | 'size' | 'remove'>,
  { days, maxBytes }: HistoryLimits,
  now: Date,
): Promise<number> {
  const since = (age: number) => new Date(now.getTime() - age * dayMs).toISOString();
  for (let purged = 0; ; purged += 1) {
    const [oldest, next] = await changes.listOldest(2);
    if (oldest === undefined) return purged;
    const mayBeRunning = oldest.endedAt === null && oldest.startedAt > since(1);
    const isTooMuch = next !== undefined && !mayBeRunning && (await changes.size()) > maxBytes;
    if (oldest.startedAt >= since(days) && !isTooMuch) return purged;
    await changes.remove(oldest.id);
  }
}
