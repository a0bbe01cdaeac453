import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { OrderStore } from '#accounts/order.ts';
import type { AnsweredRequest } from '#http/app-deps.ts';
import { type LeadCounts, noLeadCounts } from '#outbound/push.ts';
import type { PushDeps } from '#outbound/push-leads.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { withMethods } from '#text/with-methods.ts';
import helpOf from './metrics.json' with { type: 'json' };

/** In seconds: from a search in memory to the longest that a caller waits. Exports take longer, so their rows are counted. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of the service for Prometheus. No label has anything that a caller chose, such as a query, an address or a key. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Includes the metrics of the process: memory, CPU, the event loop. What each metric says is in metrics.json. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const describe = (name: keyof typeof helpOf) => ({ name, help: helpOf[name], registers: [registry] });
  const count = <Label extends string>(name: keyof typeof helpOf, ...labelNames: Label[]) =>
    new Counter({ ...describe(name), labelNames });
  const state = (name: keyof typeof helpOf, first = Number.NaN) => {
    const gauge = new Gauge(describe(name));
    gauge.set(first);
    return gauge;
  };
  const time = <Label extends string>(name: keyof typeof helpOf, ...labelNames: Label[]) =>
    new Histogram({ ...describe(name), labelNames, buckets });
  return {
    registry,
    requests: count('masthead_http_requests_total', 'route', 'method', 'status'),
    requestSeconds: time('masthead_http_request_seconds', 'route'),
    engineSeconds: time('masthead_engine_seconds', 'operation'),
    engineFailures: count('masthead_engine_failures_total', 'operation'),
    exports: count('masthead_exports_total', 'outcome'),
    exportedRows: count('masthead_exported_rows_total'),
    pushes: count('masthead_pushes_total', 'tool', 'outcome'),
    pushedLeads: count('masthead_pushed_leads_total', 'tool', 'outcome'),
    orders: count('masthead_orders_total', 'tier'),
    paymentEvents: count('masthead_payment_events_total', 'effect', 'outcome'),
    embeddingsFailures: count('masthead_embeddings_failures_total', 'of'),
    waitingForVectors: state('masthead_records_without_vector', 0),
    storeIsWritable: state('masthead_store_is_writable', 1),
    storeFreeBytes: state('masthead_store_free_bytes'),
    lastBackup: state('masthead_last_backup_timestamp_seconds'),
    certificateEnd: state('masthead_certificate_expires_timestamp_seconds'),
  };
}

/** The names of operations of an index in metrics. Others have the name of their method. */
const operations: Partial<Record<string, string>> = {
  countFacets: 'facets',
  findMany: 'find',
  findFirst: 'lookup',
  findNearest: 'nearest',
  findAlike: 'nearest',
};

/** The same index with every request timed, except whether it is ready, and whether it has changed. */
export function observeIndex(index: SearchIndex, { engineSeconds, engineFailures }: Metrics): SearchIndex {
  return new Proxy(index, {
    get(target, name: keyof SearchIndex) {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      if (typeof method !== 'function') return method;
      if (name === 'findFault' || name === 'version') return method.bind(target);
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
    countWritten(progress: { events: number; deadLetters: number; until: Date }): void {
      reached = progress.until;
      events.inc(progress.events);
      deadLetters.inc(Math.max(progress.deadLetters - countedDeadLetters, 0));
      countedDeadLetters = progress.deadLetters;
    },
  };
}
