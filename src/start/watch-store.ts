import type { Logger } from 'pino';
import { findLastBackup } from '#backends/backups.ts';
import type { Metrics } from '#src/metrics/metrics.ts';
import { Problem } from '#src/problem.ts';
import type { Backends } from './open-backends.ts';

/** How often to look at the store and its disk, and how often to read all of it, in milliseconds. */
const everyMs = 30_000;
const wholeEveryMs = 6 * 60 * 60 * 1_000;

/** Logs when the store can no longer be written to or is found damaged, and when that is over, and keeps its metrics. */
export function watchStore(
  { health, keyed }: Pick<Backends, 'health' | 'keyed'>,
  log: Pick<Logger, 'error' | 'info' | 'warn'>,
  metrics: Metrics | null,
): void {
  let lastFault: string | null = null;
  const lookForFaults = async () => {
    const fault = await health.findFault();
    metrics?.storeIsWritable.set(fault === null ? 1 : 0);
    if (fault === lastFault) return;
    if (fault === null) log.info('the store can be written to again');
    else log.error({ missing: fault }, 'the store is at fault');
    lastFault = fault;
  };
  const measure = async () => {
    if (metrics === null) return;
    metrics.storeFreeBytes.set((await health.findFreeBytes()) ?? Number.NaN);
    metrics.lastBackup.set(secondsOf(await findLastBackup(keyed)));
  };
  const look = async () => {
    try {
      await lookForFaults();
      await measure();
    } catch (err) {
      // A store that does not answer is reported by the requests that need it.
      if (!(err instanceof Problem)) log.warn({ err }, 'the health of the store could not be read');
    }
  };
  const readWhole = async () => {
    try {
      await health.checkWhole();
    } catch (err) {
      log.warn({ err }, 'the store could not be read whole; next attempt in six hours');
    }
    await look();
  };
  setInterval(look, everyMs).unref();
  setInterval(readWhole, wholeEveryMs).unref();
  void readWhole();
}

function secondsOf(date: Date | null): number {
  return date === null ? 0 : date.getTime() / 1_000;
}
