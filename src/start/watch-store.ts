import type { Logger } from 'pino';
import type { StoreHealth } from '#backends/store-health.ts';

/** How often to look whether the store can be written to, and how often to read all of it, in milliseconds. */
const faultEveryMs = 30_000;
const wholeEveryMs = 6 * 60 * 60 * 1_000;

/** Logs when the store can no longer be written to or is found damaged, and when that is over. */
export function watchStore(health: StoreHealth, log: Pick<Logger, 'error' | 'info' | 'warn'>): void {
  let known: string | null = null;
  const look = async () => {
    const fault = await health.findFault().catch(() => known);
    if (fault === known) return;
    if (fault === null) log.info('the store can be written to again');
    else log.error({ missing: fault }, 'the store is at fault');
    known = fault;
  };
  const readWhole = async () => {
    try {
      await health.checkWhole();
      await look();
    } catch (err) {
      log.warn({ err }, 'the store could not be read whole; next attempt in six hours');
    }
  };
  setInterval(look, faultEveryMs).unref();
  setInterval(readWhole, wholeEveryMs).unref();
  void readWhole();
}
