import type { OrderStore } from '#accounts/order.ts';
import type { AnsweredRequest } from '#http/app-deps.ts';
import { type LeadCounts, noLeadCounts } from '#outbound/push.ts';
import type { PushDeps } from '#outbound/push-leads.ts';
import type { SearchIndex } from '#search/search-index.ts';
import type { Metrics } from './create-metrics.ts';

/** The same index with every request timed. */
export function observeIndex(index: SearchIndex, { engineSeconds, engineFailures }: Metrics): SearchIndex {
  const time = async <Answer>(operation: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const end = engineSeconds.startTimer({ operation });
    try {
      return await ask();
    } catch (error) {
      engineFailures.inc({ operation });
      throw error;
    } finally {
      end();
    }
  };
  return {
    search: (query, page, visibility) => time('search', () => index.search(query, page, visibility)),
    countFacets: (query) => time('facets', () => index.countFacets(query)),
    countAudiences: (query) => time('facets', () => index.countAudiences(query)),
    scan: (query, isKept) => time('scan', () => index.scan(query, isKept)),
    find: (id, visibility) => time('find', () => index.find(id, visibility)),
    findMany: (ids, visibility) => time('find', () => index.findMany(ids, visibility)),
    findAtHosts: (hosts, visibility) => time('lookup', () => index.findAtHosts(hosts, visibility)),
    findNearest: (meaning, filters, limit) => time('nearest', () => index.findNearest(meaning, filters, limit)),
    isReady: () => index.isReady(),
  };
}

/** The same store with orders and payment events counted. */
export function observeOrders(orders: OrderStore, metrics: Metrics): OrderStore {
  return {
    find: (id) => orders.find(id),
    list: (filter, limit) => orders.list(filter, limit),
    change: (id, decide) => orders.change(id, decide),
    purge: (before) => orders.purge(before),
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
  };
}

/** The same log with finished pushes and their leads counted. */
export function observePushes(pushes: PushDeps['pushes'], metrics: Metrics): PushDeps['pushes'] {
  return {
    find: (id) => pushes.find(id),
    async save(push) {
      await pushes.save(push);
      if (push.status === 'running') return;
      const { tool, status: outcome, counts } = push;
      metrics.pushes.inc({ tool, outcome });
      for (const fate of fates) metrics.pushedLeads.inc({ tool, outcome: fate }, counts[fate]);
    },
  };
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
