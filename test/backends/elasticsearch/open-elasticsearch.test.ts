import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openElasticsearch } from '#backends/elasticsearch/open-elasticsearch.ts';
import { Problem } from '#domain/problem.ts';
import { parseTextQuery } from '#domain/search/parse-text-query.ts';
import type { Page, SearchQuery } from '#domain/search/search-query.ts';
import type { SearchIndex } from '#ports/search-index.ts';
import { StartupError } from '#ports/startup-error.ts';
import { findFreePort } from '#test/engines/free-port.ts';
import { startOwnEngine } from '#test/engines/own-engine.ts';
import { madeRecord } from '#test/made-record.ts';

const secret = 'a-secret-password';
const lines: string[] = [];
const open = (url: string, apiKey: string | null = null) =>
  openElasticsearch({ url, apiKey, alias: 'masthead-records', say: (line) => lines.push(line) });

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

const own = await startOwnEngine('elasticsearch');
const everything: SearchQuery = { text: null, filters: [] };
const words: SearchQuery = { text: parseTextQuery('alpha post'), filters: [] };
const page: Page = { sort: { key: 'relevance', reversed: false }, offset: 0, limit: 10 };

describe.skipIf(own === null)('while Elasticsearch comes and goes', () => {
  let engine: Awaited<ReturnType<typeof openElasticsearch>>;
  beforeAll(async () => {
    engine = await open(own?.url ?? '');
  });
  afterAll(async () => {
    await engine.close();
    await own?.stop();
  });

  /** What a call fails with, and after how long. */
  async function failure(call: (index: SearchIndex) => Promise<unknown>): Promise<{ problem: Problem; ms: number }> {
    const start = performance.now();
    const problem = await call(engine.index).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(problem).toBeInstanceOf(Problem);
    return { problem: problem as Problem, ms: performance.now() - start };
  }
  const calls: readonly ((index: SearchIndex) => Promise<unknown>)[] = [
    (index) => index.search(words, page, 'masked'),
    (index) => index.countFacets(everything),
    (index) => index.find('a', 'full'),
    (index) => index.scan(everything),
  ];

  async function expectOutage(): Promise<void> {
    for (const { problem, ms } of await Promise.all(calls.slice(0, 3).map(failure))) {
      expect(problem.code).toBe('search_unavailable');
      expect(problem.extras.headers).toHaveProperty('Retry-After');
      expect(problem.message).toBe('The search engine does not answer at the moment. Please try again.');
      expect(ms).toBeLessThan(2_000);
    }
    expect(await engine.index.isReady()).toBe(false);
  }

  async function expectServiceWithin(limitMs: number): Promise<void> {
    const deadline = performance.now() + limitMs;
    while (!(await engine.index.isReady()) && performance.now() < deadline) await pause(50);
    expect((await engine.index.search(words, page, 'masked')).total).toBe(1);
  }

  it('says that there is no index before the first is built', async () => {
    for (const { problem } of await Promise.all(calls.map(failure))) {
      expect(problem.code).toBe('search_unavailable');
      expect(problem.message).toMatch(/not been built yet.*npm run indexer -- reindex/);
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
    await expectServiceWithin(1_000);
  });

  it('is unavailable within two seconds when the engine hangs, and serves on when it goes on', async () => {
    await own?.pause();
    await expectOutage();
    await own?.resume();
    await expectServiceWithin(5_000);
  });

  it('is unavailable at once when the engine is killed; whoever starts meanwhile waits; all serve when it is back', {
    timeout: 120_000,
  }, async () => {
    await own?.kill();
    await expectOutage();
    lines.length = 0;
    const startedMeanwhile = await open(own?.url ?? '');
    expect(lines).toEqual([expect.stringMatching(/^Elasticsearch does not answer .*; waiting for it$/)]);

    await own?.start();
    await expectServiceWithin(5_000);
    await startedMeanwhile.whenPrepared();
    expect(lines.at(-1)).toBe('Elasticsearch is ready');
    expect(await startedMeanwhile.index.isReady()).toBe(true);
    await startedMeanwhile.close();
  });
});
