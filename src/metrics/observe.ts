import type { OrderStore } from '#accounts/order.ts';
import type { AnsweredRequest } from '#http/app-deps.ts';
import { type LeadCounts, noLeadCounts } from '#outbound/push.ts';
import type { PushDeps } from '#outbound/push-leads.ts';
import { type SearchIndex, withMethods } from '#search/search-index.ts';
import type { Metrics } from './create-metrics.ts';

/** What the metrics call some operations of an index; any other has the name of its method. */
const operations: Partial<Record<string, string>> = {
  countFacets: 'facets',
  findMany: 'find',
  findAtHosts: 'lookup',
  findNearest: 'nearest',
};

/** The same index with every request timed, but whether it is ready. */
export function observeIndex(index: SearchIndex, { engineSeconds, engineFailures }: Metrics): SearchIndex {
  return new Proxy(index, {
    get(target, name: keyof SearchIndex) {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      if (typeof method !== 'function' || name === 'isReady') return method;
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
      // Of several under one id only one is created: the others get that one.
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
    async save(push) {
      await pushes.save(push);
      if (push.status === 'running') return;
      const { tool, status: outcome, counts } = push;
      metrics.pushes.inc({ tool, outcome });
      for (const fate of fates) metrics.pushedLeads.inc({ tool, outcome: fate }, counts[fate]);
    },
  });
}

const fates = Object.keys(noLeadCounts) as (keyof LeadCounts)[];

/** Adds the request to the metrics. */
export function countRequest(metrics: Metrics, request: AnsweredRequest): void {
  const { method, status, seconds, isBroken, rows } = request;
  const route = request.route ?? 'none';
  metrics.requests.inc({ route, method, status });
  metrics.requestSeconds.observe({ route }, seconds);
  if (rows === null) return;
  metrics.exports.inc({ outcome: isBroken ? 'broken' : 'whole' });
  if (!isBroken) metrics.exportedRows.inc(rows);
}
