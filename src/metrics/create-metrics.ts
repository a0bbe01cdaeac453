import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** From a search in memory to the longest wait of a caller; exports take longer, and are counted by rows. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The service's own metrics, for Prometheus. No label contains what a caller chose: no query, address or key. */
export type Metrics = ReturnType<typeof createMetrics>;

/** New counters, all at zero, with those of the process: memory, CPU, the event loop. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const count = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const time = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  return {
    registry,
    requests: count(
      'masthead_http_requests_total',
      'Answered requests by route pattern; "none" if no route matched.',
      'route',
      'method',
      'status',
    ),
    requestSeconds: time('masthead_http_request_seconds', 'Time from the request to the end of its answer.', 'route'),
    engineSeconds: time(
      'masthead_engine_seconds',
      'Time the search engine took, by operation; for a scan, until it began.',
      'operation',
    ),
    engineFailures: count(
      'masthead_engine_failures_total',
      'Requests that the search engine did not answer.',
      'operation',
    ),
    exports: count('masthead_exports_total', 'Finished exports: whole, or broken by either side.', 'outcome'),
    exportedRows: count('masthead_exported_rows_total', 'Rows of exports that finished whole.'),
    pushes: count('masthead_pushes_total', 'Finished pushes: done or failed.', 'tool', 'outcome'),
    pushedLeads: count('masthead_pushed_leads_total', 'Leads of finished pushes, by outcome.', 'tool', 'outcome'),
    orders: count('masthead_orders_total', 'Orders created, paid or not.', 'tier'),
    paymentEvents: count(
      'masthead_payment_events_total',
      'Payment events, by effect and outcome.',
      'effect',
      'outcome',
    ),
  };
}
