import { constants } from 'node:os';

/**
 * Lets SIGTERM and SIGINT end this process when it is the first of a container: the system has no default action there,
 * so `docker stop` would wait ten seconds and kill it. If something else handles the signal, that decides.
 */
export function endOnSignals(): void {
  if (process.pid !== 1) return;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });
  }
}
