import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noCounts } from '#outbound/push.ts';
import { createMetrics, observeIndex, observePushes } from '#src/metrics/metrics.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { makeDataFolder } from '#testing/embedded-store.ts';
import { type ServiceProcess, startService } from '#testing/processes.ts';
import { useEach, useFolder } from '#testing/use.ts';

describe('the metrics of a running service', () => {
  const dataDir = useFolder();
  let service: ServiceProcess;
  let metricsUrl: string;

  beforeAll(async () => {
    await makeDataFolder(dataDir);
    service = await startService({ MASTHEAD_DATA_DIR: dataDir, METRICS_PORT: '0' });
    metricsUrl = /Metrics are at (http:\S+)\./.exec(service.stdout())?.[1] ?? '';
  });
  afterAll(async () => {
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  const ask = (path: string, init?: RequestInit) => fetch(`${service.url}${path}`, init);
  const readJson = async (answer: Response) => (await answer.json()) as Record<string, string>;
  const read = async () => (await fetch(metricsUrl)).text();

  /** The value of one metric; null if it does not exist. */
  function readValue(text: string, series: string): number | null {
    const line = text.split('\n').find((known) => known.startsWith(`${series} `));
    return line === undefined ? null : Number(line.slice(series.length));
  }

  it('count requests and sales, with labels that contain nothing from a caller', async () => {
    await (await ask('/api/v1/search?q=secretword@example.org')).text();
    await (await ask('/api/v1/search?page=0')).text();
    await (await ask('/api/v1/records/a-made-up-id')).text();
    await (await ask('/a-made-up-path')).text();
    const bought = await ask('/api/v1/checkout', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"tier":"pro","email":"buyer@example.org"}',
    });
    const { order_id, claim_token } = await readJson(bought);
    await (await ask(`/sandbox/${order_id}/pay`, { method: 'POST' })).text();
    const { api_key } = await readJson(await ask(`/api/v1/orders/${order_id}?claim_token=${claim_token}`));
    const file = await ask('/api/v1/export', { headers: { Authorization: `Bearer ${api_key}` } });
    const rows = Number(file.headers.get('X-Total-Count'));
    await file.text();
    expect(rows).toBe(1);

    const text = await read();
    const requests = (labels: string) => readValue(text, `masthead_http_requests_total{${labels}}`);
    expect(requests('route="/api/v1/search",method="GET",status="200"')).toBe(1);
    expect(requests('route="/api/v1/search",method="GET",status="400"')).toBe(1);
    expect(requests('route="/api/v1/records/:id",method="GET",status="404"')).toBe(1);
    expect(requests('route="none",method="GET",status="404"')).toBe(1);
    expect(readValue(text, 'masthead_engine_seconds_count{operation="search"}')).toBe(2); // one counts what an export leaves out
    expect(readValue(text, 'masthead_engine_seconds_count{operation="scan"}')).toBe(1);
    expect(readValue(text, 'masthead_exports_total{outcome="whole"}')).toBe(1);
    expect(readValue(text, 'masthead_exported_rows_total')).toBe(rows);
    expect(readValue(text, 'masthead_orders_total{tier="pro"}')).toBe(1);
    expect(readValue(text, 'masthead_payment_events_total{effect="paid",outcome="handled"}')).toBe(1);
    expect(readValue(text, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    for (const secret of ['secretword', 'made-up', 'example.org', order_id, claim_token, api_key]) {
      expect(secret).toBeTruthy();
      expect(text).not.toContain(secret);
    }
  });

  it('are on a separate listener that serves nothing else', async () => {
    expect(new URL(metricsUrl).hostname).toBe('127.0.0.1');
    expect((await ask('/metrics')).status).toBe(404);
    expect((await fetch(new URL('/api/v1/search', metricsUrl))).status).toBe(404);
    expect((await fetch(new URL('/readyz', metricsUrl))).status).toBe(404);
    expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(404);
    const { headers } = await fetch(metricsUrl);
    expect(headers.get('Content-Type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  });
});

describe('metrics of the ports', () => {
  const backend = useEach(openEmbeddedForTest);

  it('a failing engine is counted, and its error passed on', async () => {
    const metrics = createMetrics();
    const index = observeIndex(backend.index, metrics);
    const intruder = new DatabaseSync(join(backend.stored.dataDir, 'masthead.db'));
    intruder.exec('PRAGMA foreign_keys = OFF; DROP TABLE documents; DROP TABLE records');
    intruder.close();
    await expect(index.findMany(['any'], 'masked')).rejects.toMatchObject({ code: 'search_unavailable' });
    expect((await metrics.engineFailures.get()).values).toEqual([{ labels: { operation: 'find' }, value: 1 }]);
  });

  it('a push is counted when it has ended, with the outcome of its leads', async () => {
    const metrics = createMetrics();
    const pushes = observePushes(backend.pushes, metrics);
    const push = {
      id: 'psh_1',
      keyHash: 'hash',
      keyPrefix: 'mh_12345678',
      tool: 'instantly' as const,
      campaignId: '7f1c2d3e-0000-4000-8000-123456789abc',
      counts: { ...noCounts, sent: 5, added: 3, duplicates: 2 },
      details: {},
      failure: null,
      startedAt: '2026-11-21T12:00:00.000Z',
      updatedAt: '2026-11-21T12:00:00.000Z',
    };
    await pushes.change(push.id, () => ({ ...push, status: 'running' }));
    expect((await metrics.pushes.get()).values).toEqual([]);
    await pushes.change(push.id, () => ({ ...push, status: 'done' }));
    const text = await metrics.registry.metrics();
    expect(text).toContain('masthead_pushes_total{tool="instantly",outcome="done"} 1\n');
    expect(text).toContain('masthead_pushed_leads_total{tool="instantly",outcome="added"} 3\n');
    expect(text).toContain('masthead_pushed_leads_total{tool="instantly",outcome="duplicates"} 2\n');
  });
});
