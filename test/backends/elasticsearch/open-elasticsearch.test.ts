import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ElasticsearchBackend, openElasticsearch } from '#backends/elasticsearch/open-elasticsearch.ts';
import { parseTextQuery } from '#domain/search/parse-text-query.ts';
import type { Page, SearchQuery } from '#domain/search/search-query.ts';
import type { SearchIndex } from '#ports/search-index.ts';
import { StartupError } from '#ports/startup-error.ts';
import { type BreakableProxy, startBreakableProxy } from '#test/engines/breakable-proxy.ts';
import { findFreePort } from '#test/engines/free-port.ts';
import { eventually } from '#test/eventually.ts';
import { madeRecord } from '#test/made-record.ts';

const secret = 'a-secret-password';
const lines: string[] = [];
const open = (url: string, apiKey: string | null = null, alias = 'masthead-records') =>
  openElasticsearch({ url, apiKey, alias, say: (line) => lines.push(line) });

/** The one line that opening fails with. */
async function refusal(url: string, apiKey: string | null = null): Promise<string> {
  const error = await open(url, apiKey).then(
    (engine) => engine.close(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartupError);
  const { message } = error as StartupError;
  expect(message).not.toContain('\n');
  expect(message).not.toContain(secret);
  return message;
}

describe('opening Elasticsearch under a URL that will not do', () => {
  async function refusalOf(answer: RequestListener, user = '', apiKey: string | null = null): Promise<string> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      return await refusal(`http://${user}127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey);
    } finally {
      server.close();
    }
  }
  const answers = (status: number, body: object, product = true): RequestListener => {
    const headers = { 'content-type': 'application/json', ...(product && { 'x-elastic-product': 'Elasticsearch' }) };
    return (_, res) => res.writeHead(status, headers).end(JSON.stringify(body));
  };
  const unauthorized = answers(401, { error: { type: 'security_exception' }, status: 401 });

  it('says that the host is not known', async () => {
    expect(await refusal(`http://user:${secret}@nowhere..invalid:9200`)).toMatch(
      /^The host in ELASTICSEARCH_URL is not known here \(nowhere..invalid:9200\)/,
    );
  });

  it('says that a user or key is refused', async () => {
    expect(await refusalOf(unauthorized, `user:${secret}@`)).toMatch(
      /refuses the user or password in ELASTICSEARCH_URL/,
    );
    expect(await refusalOf(unauthorized, '', secret)).toMatch(/refuses ELASTICSEARCH_API_KEY/);
  });

  it('says that a server is too old', async () => {
    const old = answers(200, { version: { number: '7.17.0' }, tagline: 'You Know, for Search' });
    expect(await refusalOf(old)).toBe(
      'Elasticsearch under ELASTICSEARCH_URL is version 7.17.0, which is too old: install 8 or newer.',
    );
  });

  it('says that something else answers there', async () => {
    expect(await refusalOf(answers(200, { hello: 'world' }, false))).toMatch(/is no Elasticsearch/);
    expect(await refusalOf(answers(404, {}, false))).toMatch(/is no Elasticsearch/);
  });

  it('waits for a server that is down, and says so', async () => {
    lines.length = 0;
    const port = await findFreePort();
    const engine = await open(`http://127.0.0.1:${port}`);
    expect(lines).toEqual([`Elasticsearch does not answer at 127.0.0.1:${port} (connection refused); waiting for it`]);
    expect(await engine.index.isReady()).toBe(false);
    await engine.close();
  });
});

const url = inject('engines').elasticsearch;
const everything: SearchQuery = { text: null, filters: [] };
const words: SearchQuery = { text: parseTextQuery('alpha post'), filters: [] };
const page: Page = { sort: { key: 'relevance', reversed: false }, offset: 0, limit: 10 };

describe.skipIf(url === null)('while Elasticsearch comes and goes', () => {
  const alias = `masthead-test-${randomUUID().slice(0, 8)}`;
  let proxy: BreakableProxy;
  let engine: ElasticsearchBackend;
  beforeAll(async () => {
    proxy = await startBreakableProxy(url ?? '');
    engine = await open(proxy.url, null, alias);
  });
  afterAll(async () => {
    for (const index of await engine.generations.list()) await engine.generations.remove(index, true);
    await engine.close();
    await proxy.close();
  });

  /** The last begins an export, which waits longer for an engine that hangs. */
  const calls: readonly ((index: SearchIndex) => Promise<unknown>)[] = [
    (index) => index.search(words, page, 'masked'),
    (index) => index.countFacets(everything),
    (index) => index.find('a', 'full'),
    (index) => index.scan(everything),
  ];
  const failures = (of = calls) => Promise.all(of.map((call) => call(engine.index).catch((error: unknown) => error)));

  /** Each call is answered although the engine is not back: nobody waits for it. */
  async function expectOutage(of = calls): Promise<void> {
    for (const problem of await failures(of)) {
      expect(problem).toMatchObject({
        code: 'search_unavailable',
        message: 'The search engine does not answer at the moment. Please try again.',
        extras: { headers: { 'Retry-After': expect.stringMatching(/^\d+$/) } },
      });
    }
    expect(await engine.index.isReady()).toBe(false);
  }

  async function expectService(): Promise<void> {
    await eventually(async () => expect(await engine.index.isReady()).toBe(true));
    const { total } = await eventually(() => engine.index.search(words, page, 'masked'));
    expect(total).toBe(1);
  }

  it('says that there is no index before the first is built', async () => {
    for (const problem of await failures()) {
      expect(problem).toMatchObject({
        code: 'search_unavailable',
        message: expect.stringMatching(/not been built yet.*npm run indexer -- reindex/),
      });
    }
    expect(await engine.index.isReady()).toBe(false);
  });

  it('answers when the index is there', async () => {
    const index = await engine.generations.create(new Date());
    const record = madeRecord({ id: 'a', name: 'Alpha Post' });
    const change = engine.generations.prepare({ id: 'a', version: 1n, record });
    expect(await engine.generations.write(index, [change])).toEqual([]);
    await engine.generations.finish(index);
    await engine.generations.publish(index);
    await expectService();
  });

  it('is unavailable when the engine hangs, and serves on when it goes on', async () => {
    proxy.hang();
    await expectOutage(calls.slice(0, 3));
    await proxy.mend();
    await expectService();
  });

  it('is unavailable when the engine is gone; whoever starts meanwhile waits; all serve when it is back', async () => {
    await proxy.cut();
    await expectOutage();
    lines.length = 0;
    const startedMeanwhile = await open(proxy.url, null, alias);
    expect(lines).toEqual([expect.stringMatching(/^Elasticsearch does not answer .*; waiting for it$/)]);

    await proxy.mend();
    await expectService();
    await startedMeanwhile.whenPrepared();
    expect(lines.at(-1)).toBe('Elasticsearch is ready');
    expect(await startedMeanwhile.index.isReady()).toBe(true);
    await startedMeanwhile.close();
  });
});
