import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import helpOf from './metrics.json' with { type: 'json' };

/** The metrics of the index sync for Prometheus, and those of its process. */
export function createSyncMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const describe = (name: keyof typeof helpOf) => ({ name, help: helpOf[name], registers: [registry] });
  let reached: Date | null = null;
  let countedDeadLetters = 0;
  const events = new Counter(describe('masthead_sync_events_total'));
  const deadLetters = new Counter(describe('masthead_sync_dead_letters_total'));
  new Gauge({
    ...describe('masthead_sync_lag_seconds'),
    collect() {
      if (reached !== null) this.set((Date.now() - reached.getTime()) / 1000);
    },
  });
  return {
    registry,
    retries: new Counter(describe('masthead_sync_retries_total')),
    /** Counts stored changes. `deadLetters`: all of them since the sync began to follow this index. */
    countWritten(written: { events: number; deadLetters: number; until: Date }): void {
      reached = written.until;
      events.inc(written.events);
      deadLetters.inc(Math.max(written.deadLetters - countedDeadLetters, 0));
      countedDeadLetters = written.deadLetters;
    },
  };
}
