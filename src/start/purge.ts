import type { Logger } from 'pino';
import { feedDays } from '#records/change-feed.ts';
import type { ChangeLog } from '#records/record-store.ts';
import type { Config } from '#src/settings/config.ts';
import { daysAfter } from '#text/days.ts';
import type { Backends } from './open-backends.ts';

/** How many days unpaid orders and events that match no order are kept. The slowest bank payment takes a few weeks. */
const unpaidDays = 90;

/** Deletes change sets that are too old, or the oldest if they take too much space, except the last one. Returns how many. */
export async function purgeChanges(
  changes: Pick<ChangeLog, 'list' | 'remove'>,
  { days, maxBytes }: Config['history'],
  now: Date,
): Promise<number> {
  const changeSets = await changes.list();
  let size = changeSets.reduce((sum, { bytes }) => sum + bytes, 0);
  for (let purged = 0; ; purged += 1) {
    const oldest = changeSets.pop();
    if (oldest === undefined) return purged;
    const mayBeRunning = oldest.endedAt === null && oldest.startedAt > daysAfter(now, -1);
    const isTooMuch = changeSets.length > 0 && !mayBeRunning && size > maxBytes;
    if (oldest.startedAt >= daysAfter(now, -days) && !isTooMuch) return purged;
    await changes.remove(oldest.id);
    size -= oldest.bytes;
  }
}

/** How long what is gone from the API is kept: a day longer than cursors are taken, because they have only the hour, and other machines other clocks. */
const goneDays = feedDays + 1;

/** How often the store is purged, in milliseconds. Processes that share a store may all do it. */
const everyMs = 6 * 60 * 60 * 1000;

/** Purges as soon as the store is there, and then every six hours. Logs a failure, and tries again the next time. */
export async function purgeRegularly(
  { orders, changes, changeFeed, whenPrepared }: Pick<Backends, 'orders' | 'changes' | 'changeFeed' | 'whenPrepared'>,
  history: Config['history'],
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const purge = async () => {
    try {
      const now = new Date();
      const before = (days: number) => new Date(daysAfter(now, -days));
      // An unpaid order may contain its buyer's address.
      const purged = await orders.purge(before(unpaidDays));
      if (purged.orders + purged.events > 0) log.info(purged, 'purged unpaid orders, and events that match no order');
      const forgotten = await purgeChanges(changes, history, now);
      if (forgotten > 0) log.info({ changeSets: forgotten }, 'purged old changes of records');
      await changeFeed.purge(before(goneDays));
    } catch (err) {
      log.warn({ err }, 'old entries could not all be purged; next attempt in six hours');
    }
  };
  await whenPrepared();
  setInterval(purge, everyMs).unref();
  await purge();
}
