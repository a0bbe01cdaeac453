import { randomUUID } from 'node:crypto';
import { Client } from '@elastic/elasticsearch';
import { describe, expect, it } from 'vitest';
import { runOnElasticsearch } from '#backends/elasticsearch/elasticsearch-faults.ts';
import { requireWhole } from '#backends/elasticsearch/search-requests.ts';
import { Problem } from '#src/problem.ts';
import { findFreePort } from '#testing/engines/probe-engine.ts';
import { engines } from '#testing/engines.ts';
import { listen } from '#testing/listen.ts';

const url = engines.elasticsearch;

describe.skipIf(url === null)('errors of Elasticsearch and its client', () => {
  const clientAt = (place: string) => new Client({ node: place, maxRetries: 0 });
  const failureOf = (work: () => Promise<unknown>) => runOnElasticsearch(work).catch((error: unknown) => error);

  it('are outages if there is no answer, an incomplete one, or a late one', async () => {
    const engine = clientAt(url as string);
    const away = clientAt(`http://127.0.0.1:${await findFreePort()}`);
    const whole = { timed_out: false, _shards: { total: 2, successful: 2, failed: 0 } };
    const outages = [
      () => away.info(),
      () => engine.search({ index: 'masthead-absent' }),
      () => engine.closePointInTime({ id: 'long gone' }).catch(() => engine.search({ index: 'masthead-absent' })),
      () => engine.cluster.health({ wait_for_nodes: '>=9', timeout: '20s' }, { requestTimeout: 20 }),
      () => engine.cluster.health({ wait_for_nodes: '>=9', timeout: '1ms' }),
      () => engine.cluster.health({ wait_for_nodes: '>=9', timeout: '20s' }, { signal: AbortSignal.timeout(20) }),
      async () => requireWhole({ ...whole, timed_out: true }),
      async () => requireWhole({ ...whole, _shards: { total: 2, successful: 1, failed: 0 } }),
    ];
    for (const work of outages) {
      expect(await failureOf(work), String(work)).toMatchObject({
        code: 'search_unavailable',
        extras: { headers: { 'Retry-After': '5' } },
      });
    }
    expect(((await failureOf(() => engine.search({ index: 'masthead-absent' }))) as Problem).message).toMatch(
      /not been built yet/,
    );
  });

  it.each([
    ...[401, 403, 408, 429, 500, 502, 503].map((status) => [status, true] as const),
    ...[400, 405, 413].map((status) => [status, false] as const),
  ])('status %i is an outage: %s', async (status, isOutage) => {
    const body = JSON.stringify({ error: { type: 'some_exception', reason: 'jane@example.org' }, status });
    const headers = { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' };
    const server = await listen((_, res) => res.writeHead(status, headers).end(body));
    const client = clientAt(server.url);
    const error = await failureOf(() => client.search({ index: 'any' }));
    expect(error instanceof Problem).toBe(isOutage);
    const told = isOutage ? (error as Problem).cause : error;
    expect((told as Error).message).toBe(`Elasticsearch: ${status} some_exception`);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('jane');
    await client.close();
    await server.close();
  });

  it('are outages if another server answers', async () => {
    const server = await listen((_, res) => res.end('<html>a page of a proxy</html>'));
    const client = clientAt(server.url);
    expect(await failureOf(() => client.search({ index: 'any' }))).toMatchObject({ code: 'search_unavailable' });
    await client.close();
    await server.close();
  });

  it('are our own errors if the request is wrong, and quote nothing', async () => {
    const engine = clientAt(url as string);
    const index = `masthead-faults-${randomUUID()}`;
    await engine.indices.create({ index, mappings: { properties: { name: { type: 'text' } } } });
    const faults = [
      () => engine.search({ index, query: { 'jane@example.org': {} } as never }),
      () => engine.search({ index, size: -5 }),
      () => engine.search({ index, query: { query_string: { query: 'jane AND (' } } }),
      async () => (null as unknown as string[]).length,
    ];
    for (const work of faults) {
      const error = await failureOf(work);
      expect(error, String(work)).toBeInstanceOf(Error);
      expect(error, String(work)).not.toBeInstanceOf(Problem);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/jane@|jane AND/);
    }
    await engine.indices.delete({ index });
  });
});
