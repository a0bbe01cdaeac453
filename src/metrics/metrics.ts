import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { OrderStore } from '#accounts/order.ts';
import type { AnsweredRequest } from '#http/app-deps.ts';
import { type LeadCounts, noLeadCounts } from '#outbound/push.ts';
import type { PushDeps } from '#outbound/push-leads.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { withMethods } from '#text/with-methods.ts';

/** In seconds: from a search in memory to the longest that a caller waits. Exports take longer, so their rows are counted. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of the service for Prometheus. No label has anything that a caller chose, such as a query, an address or a key. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Includes the metrics of the process: memory, CPU, the event loop. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const count = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const state = (name: string, help: string, first = Number.NaN) => {
    const gauge = new Gauge({ name, help, registers });
    gauge.set(first);
    return gauge;
  };
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
    embeddingsFailures: count(
      'masthead_embeddings_failures_total',
      'Requests that the model at EMBEDDINGS_URL did not answer, of queries or records.',
      'of',
    ),
    waitingForVectors: state(
      'masthead_records_without_vector',
      'Records that the model at EMBEDDINGS_URL has not read yet.',
      0,
    ),
    storeIsWritable: state(
      'masthead_store_is_writable',
      '1 if purchases, claims, lists and exports can be stored, 0 if not: /readyz says why.',
      1,
    ),
    storeFreeBytes: state('masthead_store_free_bytes', 'Free space on the disk of the store, as far as it says.'),
    lastBackup: state(
      'masthead_last_backup_timestamp_seconds',
      'When `admin backup` last copied the store; 0 if it never did.',
    ),
    certificateEnd: state('masthead_certificate_expires_timestamp_seconds', 'When the certificate at PUBLIC_URL ends.'),
  };
}

/** The names of operations of an index in metrics. Others have the name of their method. */
const operations: Partial<Record<string, string>> = {
  countFacets: 'facets',
  findMany: 'find',
  findFirst: 'lookup',
  findNearest: 'nearest',
};

/** The same index with every request timed, except whether it is ready. */
export function observeIndex(index: SearchIndex, { engineSeconds, engineFailures }: Metrics): SearchIndex {
  return new Proxy(index, {
    get(target, name: keyof SearchIndex) {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      if (typeof method !== 'function' || name === 'findFault') return method;
      const operation = operations[name] ?? name;
      return async (...args: unknown[]) => {
        const end = engineSeconds.startTimer({ operation });
        try {
          return await method.apply(target, args);
        } catch (error) {
          engineFailures.inc({ operation });
          throw error;
        } finally {
          end();
        }
      };
    },
  });
}

/** The same store with orders and payment events counted. */
export function observeOrders(orders: OrderStore, metrics: Metrics): OrderStore {
  return withMethods(orders, {
    async save(order) {
      const saved = await orders.save(order);
      // If the id is taken, the store returns the order that has it: nothing was created.
      if (saved === order) metrics.orders.inc({ tier: order.tier });
      return saved;
    },
    async receive(event, now) {
      const outcome = await orders.receive(event, now);
      metrics.paymentEvents.inc({ effect: event.effect, outcome });
      return outcome;
    },
  });
}

/** The same log with finished pushes and their leads counted. */
export function observePushes(pushes: PushDeps['pushes'], metrics: Metrics): PushDeps['pushes'] {
  return withMethods(pushes, {
    async change(id, decide) {
      const push = await pushes.change(id, decide);
      if (push === null || push.status === 'running') return push;
      const { tool, status: outcome, counts } = push;
      metrics.pushes.inc({ tool, outcome });
      for (const fate of fates) metrics.pushedLeads.inc({ tool, outcome: fate }, counts[fate]);
      return push;
    },
  });
}

const fates = Object.keys(noLeadCounts) as (keyof LeadCounts)[];

export function countRequest(metrics: Metrics, request: AnsweredRequest): void {
  const { method, status, seconds, isBroken, rows } = request;
  const route = request.route ?? 'none';
  metrics.requests.inc({ route, method, status });
  metrics.requestSeconds.observe({ route }, seconds);
  if (rows === null) return;
  metrics.exports.inc({ outcome: isBroken ? 'broken' : 'whole' });
  if (!isBroken) metrics.exportedRows.inc(rows);
}
