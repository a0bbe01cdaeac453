import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** The service's own metrics, for Prometheus. No label contains what a caller chose: no query, address or key. */
export interface Metrics {
  registry: Registry;
  requests: Counter<'route' | 'method' | 'status'>;
  requestSeconds: Histogram<'route'>;
  engineSeconds: Histogram<'operation'>;
  engineFailures: Counter<'operation'>;
  exports: Counter<'outcome'>;
  exportedRows: Counter;
  pushes: Counter<'tool' | 'outcome'>;
  pushedLeads: Counter<'tool' | 'outcome'>;
  orders: Counter<'tier'>;
  paymentEvents: Counter<'effect' | 'outcome'>;
}

/** From a search in memory to the longest wait of a caller; exports take longer, and are counted by rows. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** New counters, all at zero, with those of the process: memory, CPU, the event loop. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: 'masthead_http_requests_total',
      help: 'Answered requests by route pattern; "none" if no route matched.',
      labelNames: ['route', 'method', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'masthead_http_request_seconds',
      help: 'Time from the request to the end of its answer.',
      labelNames: ['route'],
      buckets,
      registers,
    }),
    engineSeconds: new Histogram({
      name: 'masthead_engine_seconds',
      help: 'Time the search engine took, by operation; for a scan, until it began.',
      labelNames: ['operation'],
      buckets,
      registers,
    }),
    engineFailures: new Counter({
      name: 'masthead_engine_failures_total',
      help: 'Requests that the search engine did not answer.',
      labelNames: ['operation'],
      registers,
    }),
    exports: new Counter({
      name: 'masthead_exports_total',
      help: 'Finished exports: whole, or broken by either side.',
      labelNames: ['outcome'],
      registers,
    }),
    exportedRows: new Counter({
      name: 'masthead_exported_rows_total',
      help: 'Rows of exports that finished whole.',
      registers,
    }),
    pushes: new Counter({
      name: 'masthead_pushes_total',
      help: 'Finished pushes: done or failed.',
      labelNames: ['tool', 'outcome'],
      registers,
    }),
    pushedLeads: new Counter({
      name: 'masthead_pushed_leads_total',
      help: 'Leads of finished pushes, by outcome.',
      labelNames: ['tool', 'outcome'],
      registers,
    }),
    orders: new Counter({
      name: 'masthead_orders_total',
      help: 'Orders created, paid or not.',
      labelNames: ['tier'],
      registers,
    }),
    paymentEvents: new Counter({
      name: 'masthead_payment_events_total',
      help: 'Payment events, by effect and outcome.',
      labelNames: ['effect', 'outcome'],
      registers,
    }),
  };
}
