import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** What the sync of the index counts of itself, for Prometheus. */
export interface SyncMetrics {
  registry: Registry;
  retries: Counter;
  /** Counts changes that are safe; `deadLetters` is the sum since the generation is followed. */
  countWritten: (written: { events: number; deadLetters: number; until: Date }) => void;
}

/** New counters, all at nothing, with those of the process beside them. */
export function createSyncMetrics(): SyncMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  let reached: Date | null = null;
  let lettersBefore = 0;
  const events = new Counter({
    name: 'masthead_sync_events_total',
    help: 'Changes of the store that are safe in the index, or in the dead letters.',
    registers,
  });
  const deadLetters = new Counter({
    name: 'masthead_sync_dead_letters_total',
    help: 'Changes after which a record could not be indexed.',
    registers,
  });
  new Gauge({
    name: 'masthead_sync_lag_seconds',
    help: 'How long ago the moment is up to which the index has every change; half a second where nothing changes.',
    registers,
    collect() {
      if (reached !== null) this.set((Date.now() - reached.getTime()) / 1000);
    },
  });
  return {
    registry,
    retries: new Counter({
      name: 'masthead_sync_retries_total',
      help: 'What was tried again, since an engine was away or overloaded.',
      registers,
    }),
    countWritten({ events: count, deadLetters: letters, until }) {
      reached = until;
      events.inc(count);
      deadLetters.inc(Math.max(letters - lettersBefore, 0));
      lettersBefore = letters;
    },
  };
}
