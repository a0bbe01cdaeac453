import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ElasticsearchAddress } from '#backends/elasticsearch/connect-elasticsearch.ts';
import { type ElasticsearchBackend, openElasticsearch } from '#backends/elasticsearch/open-elasticsearch.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { everything, firstPage, type SearchQuery } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { type BreakableProxy, startBreakableProxy } from '#testing/engines/breakable-proxy.ts';
import { findFreePort } from '#testing/engines/probe-engine.ts';
import { engines, refusalOf } from '#testing/engines.ts';
import { listen } from '#testing/listen.ts';
import { madeRecord } from '#testing/made-record.ts';

const secret = 'a-secret-password';
const user = { username: 'user', password: secret };
const lines: string[] = [];
const open = (url: string, auth: ElasticsearchAddress['auth'] = null, alias = 'masthead-records') =>
  openElasticsearch({
    address: { nodes: url.split(','), auth },
    alias,
    logLine: (line) => lines.push(line),
    // Longer than the time of a request, for busy machines.
    timeoutMs: 5_000,
  });

const refusal = (url: string, auth?: ElasticsearchAddress['auth']) => refusalOf(open(url, auth), secret);

describe('opening Elasticsearch with wrong settings', () => {
  async function withServers<Result>(
    answers: readonly RequestListener[],
    work: (url: string) => Promise<Result>,
  ): Promise<Result> {
    const servers = await Promise.all(answers.map(listen));
    try {
      return await work(servers.map(({ url }) => url).join(','));
    } finally {
      await Promise.all(servers.map((server) => server.close()));
    }
  }
  const refusalAt = (answer: RequestListener, auth?: ElasticsearchAddress['auth']) =>
    withServers([answer], (url) => refusal(url, auth));
  const answers = (status: number, body: object, product = true): RequestListener => {
    const headers = { 'content-type': 'application/json', ...(product && { 'x-elastic-product': 'Elasticsearch' }) };
    return (_, res) => res.writeHead(status, headers).end(JSON.stringify(body));
  };
  const unauthorized = answers(401, { error: { type: 'security_exception' }, status: 401 });

  it('says that the host cannot be resolved', async () => {
    expect(await refusal('http://nowhere..invalid:9200', user)).toBe(
      'The host nowhere..invalid:9200 in ELASTICSEARCH_URL could not be resolved. Check its name.',
    );
  });

  it('says that a user or key is rejected', async () => {
    expect(await refusalAt(unauthorized)).toMatch(/requires authentication\. Set ELASTICSEARCH_USERNAME/);
    expect(await refusalAt(unauthorized, user)).toMatch(/rejected the credentials\. Check ELASTICSEARCH_USERNAME/);
  });

  it('says that a server is too old', async () => {
    const old = answers(200, { version: { number: '8.13.4' }, tagline: 'You Know, for Search' });
    expect(await refusalAt(old)).toMatch(
      /^Elasticsearch at 127.0.0.1:\d+ is version 8.13.4, which is too old\. Install version 8.14 or newer\.$/,
    );
  });

  it('says that something else answers there', async () => {
    expect(await refusalAt(answers(200, { hello: 'world' }, false))).toMatch(/is not Elasticsearch/);
    expect(await refusalAt(answers(404, {}, false))).toMatch(/is not Elasticsearch/);
  });

  const memberOf = (cluster: string) =>
    answers(200, { cluster_uuid: cluster, version: { number: '8.19.8' }, tagline: 'You Know, for Search' });

  it('says that nodes belong to different clusters', async () => {
    expect(await withServers([memberOf('one'), memberOf('two')], refusal)).toBe(
      'The nodes in ELASTICSEARCH_URL belong to different clusters. List the nodes of one cluster.',
    );
  });

  it('continues with the usable nodes, and says what is wrong with the others', async () => {
    lines.length = 0;
    const starting = memberOf('_na_');
    const engine = await withServers([memberOf('one'), starting, answers(404, {}, false)], (url) =>
      open(`${url},http://127.0.0.1:1`),
    );
    expect(lines).toEqual([
      expect.stringMatching(/^The server at 127.0.0.1:\d+ is not Elasticsearch\. .*; continuing with the other nodes$/),
      'Elasticsearch does not answer at 127.0.0.1:1 (connection refused); continuing with the other nodes',
    ]);
    await engine.close();
  });

  it('waits for a server that is down, and logs that', async () => {
    lines.length = 0;
    const port = await findFreePort();
    const engine = await open(`http://127.0.0.1:${port}`);
    expect(lines).toEqual([`Elasticsearch does not answer at 127.0.0.1:${port} (connection refused); waiting`]);
    expect(await engine.index.findFault()).not.toBeNull();
    await engine.close();
  });
});

const url = engines.elasticsearch;
const words: SearchQuery = { text: understand('alpha post'), filters: [] };

describe.skipIf(url === null)('while Elasticsearch goes down and comes back', () => {
  const alias = `masthead-test-${randomUUID().slice(0, 8)}`;
  let proxy: BreakableProxy;
  let engine: ElasticsearchBackend;
  beforeAll(async () => {
    proxy = await startBreakableProxy(url ?? '');
    engine = await open(proxy.url, null, alias);
  });
  afterAll(async () => {
    for (const index of await engine.generations.list()) await engine.generations.remove(index);
    await engine.close();
    await proxy.close();
  });

  /** The last begins an export, which waits longer for an engine that hangs. */
  const calls: readonly ((index: SearchIndex) => Promise<unknown>)[] = [
    (index) => index.search(words, firstPage(10), 'masked'),
    (index) => index.countFacets(everything),
    (index) => index.findMany(['a'], 'full'),
    (index) => index.scan(everything),
  ];
  const failures = (of = calls) => Promise.all(of.map((call) => call(engine.index).catch((error: unknown) => error)));

  /** Each call is answered although the engine is not back: nobody waits for it. */
  async function expectOutage(of = calls): Promise<void> {
    for (const problem of await failures(of)) {
      expect(problem).toMatchObject({
        code: 'search_unavailable',
        message: 'The search engine is not available right now. Try again.',
        extras: { headers: { 'Retry-After': expect.stringMatching(/^\d+$/) } },
      });
    }
    expect(await engine.index.findFault()).not.toBeNull();
  }

  async function expectService(): Promise<void> {
    await expect.poll(() => engine.index.findFault()).toBeNull();
    await expect.poll(async () => (await engine.index.search(words, firstPage(10), 'masked')).total).toBe(1);
  }

  it('search says that there is no index before the first is built', async () => {
    for (const problem of await failures()) {
      expect(problem).toMatchObject({
        code: 'search_unavailable',
        message: expect.stringMatching(/not been built yet.*npm run indexer -- reindex/),
      });
    }
    expect(await engine.index.findFault()).not.toBeNull();
  });

  it('search works once there is an index', async () => {
    const index = await engine.generations.create(new Date());
    const record = madeRecord({ id: 'a', name: 'Alpha Post' });
    const change = engine.generations.prepare({ id: 'a', version: 1n, record });
    expect(await engine.generations.write(index, [change])).toEqual([]);
    await engine.generations.finish(index);
    await engine.generations.publish(index);
    await expectService();
  });

  it('search is unavailable while the engine hangs, and works again afterwards', async () => {
    proxy.hang();
    await expectOutage(calls.slice(0, 3));
    await expect(engine.generations.findServed()).rejects.toMatchObject({ code: 'search_unavailable' });
    await proxy.mend();
    await expectService();
  });

  it('search is unavailable while the engine is down, new processes wait, and all work once it is back', async () => {
    await proxy.cut();
    await expectOutage();
    lines.length = 0;
    const startedMeanwhile = await open(proxy.url, null, alias);
    expect(lines).toEqual([expect.stringMatching(/^Elasticsearch does not answer .*; waiting$/)]);

    await proxy.mend();
    await expectService();
    await startedMeanwhile.whenPrepared();
    expect(lines.at(-1)).toBe('Elasticsearch is ready');
    expect(await startedMeanwhile.index.findFault()).toBeNull();
    await startedMeanwhile.close();
  });
});
