import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** The metrics of the index sync for Prometheus, and those of its process. */
export function createSyncMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  let reached: Date | null = null;
  let countedDeadLetters = 0;
  const events = new Counter({
    name: 'masthead_sync_events_total',
    help: 'Changes written to the index or to the dead letters.',
    registers,
  });
  const deadLetters = new Counter({
    name: 'masthead_sync_dead_letters_total',
    help: 'Changes that made a record a dead letter.',
    registers,
  });
  new Gauge({
    name: 'masthead_sync_lag_seconds',
    help: 'Age of the moment up to which the index has every change; half a second if nothing changes.',
    registers,
    collect() {
      if (reached !== null) this.set((Date.now() - reached.getTime()) / 1000);
    },
  });
  return {
    registry,
    retries: new Counter({
      name: 'masthead_sync_retries_total',
      help: 'Retries because an engine was down or overloaded.',
      registers,
    }),
    /** Counts stored changes. `deadLetters`: all of them since the sync began to follow this index. */
    countWritten(written: { events: number; deadLetters: number; until: Date }): void {
      reached = written.until;
      events.inc(written.events);
      deadLetters.inc(Math.max(written.deadLetters - countedDeadLetters, 0));
      countedDeadLetters = written.deadLetters;
    },
  };
}
