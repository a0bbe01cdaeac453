import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aliasOfForm } from '#backends/elasticsearch/alias-generations.ts';
import { type ElasticsearchBackend, openElasticsearch } from '#backends/elasticsearch/open-elasticsearch.ts';
import type { RecordScan } from '#search/search-index.ts';
import { everything, firstPage, type SearchQuery } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { Problem } from '#src/problem.ts';
import { type NodeProxy, startNodeProxy, type Treatment } from '#testing/engines/node-proxy.ts';
import { findFreePort } from '#testing/engines/probe-engine.ts';
import { engines } from '#testing/engines.ts';
import { madeRecord } from '#testing/made-record.ts';

const alias = `masthead-failover-${randomUUID().slice(0, 8)}`;
const engine = engines.elasticsearch;
const words: SearchQuery = { text: understand('alpha post'), filters: [] };
const page = firstPage(10);

async function readAll(scan: RecordScan): Promise<string[]> {
  return (await Array.fromAsync(scan)).flat().map(({ id }) => id);
}

/** The proxies are two ways to one real node, which stands for two nodes of a cluster. */
describe.skipIf(engine === null)('a cluster with one failing node', () => {
  const closing: (() => Promise<unknown>)[] = [];
  let proxies: [NodeProxy, NodeProxy];
  let backend: ElasticsearchBackend;
  let index: string;

  beforeEach(async () => {
    proxies = [await startNodeProxy(engine as string), await startNodeProxy(engine as string)];
    backend = await open(proxies.map(({ url }) => url));
    index = await backend.generations.create(new Date());
    const change = backend.generations.prepare({
      id: 'a',
      version: 1n,
      record: madeRecord({ id: 'a', name: 'Alpha Post' }),
    });
    await backend.generations.write(index, [change]);
    await backend.generations.finish(index);
    await backend.generations.publish(index);
    closing.push(() => backend.generations.remove(index));
    for (const proxy of proxies) proxy.received.length = 0;
  });
  afterEach(async () => {
    for (const proxy of proxies) proxy.treatment = 'pass on';
    for (const close of closing.splice(0).toReversed()) await close();
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });

  async function open(nodes: readonly string[]): Promise<ElasticsearchBackend> {
    // Longer than the time of a request, for busy machines.
    const opened = await openElasticsearch({
      address: { nodes },
      alias,
      logLine: () => {},
      timeoutMs: 20_000,
    });
    closing.push(() => opened.close());
    return opened;
  }

  const searches = (path: string) =>
    proxies.map(({ received }) => received.filter((sent) => sent.endsWith(path)).length);

  it.each<Treatment>(['hang', 'cut off', 'lose the answer', 502, 503, 504])(
    'answers every search from the other node if one treats requests like this: %s',
    async (treatment) => {
      proxies[0].treatment = treatment;
      // Both nodes get some of them.
      const answers = await Promise.all(Array.from({ length: 20 }, () => backend.index.search(words, page, 'masked')));
      expect(answers.map(({ total }) => total)).toEqual(answers.map(() => 1));
      expect((await backend.index.countFacets(everything)).total).toBe(1);
      expect((await backend.index.findMany(['a'], 'full'))[0]?.name).toBe('Alpha Post');
      expect(await readAll(await backend.index.scan(words))).toEqual(['a']);
      expect(await backend.index.findFault()).toBeNull();
    },
  );

  it('answers every search if one node refuses connections', async () => {
    const half = await open([proxies[0].url, `http://127.0.0.1:${await findFreePort()}`]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => half.index.search(words, page, 'masked')));
    expect(answers.map(({ total }) => total)).toEqual(answers.map(() => 1));
  });

  it('sends a search at most three times, and only while no attempt got an answer', async () => {
    await backend.index.search(everything, page, 'masked');
    expect(searches('/_msearch').reduce((sum, count) => sum + count)).toBe(1);

    for (const proxy of proxies) {
      proxy.treatment = 503;
      proxy.received.length = 0;
    }
    await expect(backend.index.search(everything, page, 'masked')).rejects.toMatchObject({
      code: 'search_unavailable',
    });
    expect(searches('/_msearch').toSorted()).toEqual([1, 2]);
    expect(await backend.index.findFault()).not.toBeNull();
  });

  it('stops using a node that does not answer, and uses it again once it does', async () => {
    proxies[0].treatment = 'hang';
    await backend.index.search(words, page, 'masked');
    const searchFourTimes = async () => {
      for (const proxy of proxies) proxy.received.length = 0;
      for (let turn = 0; turn < 4; turn += 1) await backend.index.search(everything, page, 'masked');
      return searches('/_msearch');
    };
    await expect.poll(searchFourTimes).toEqual([0, 4]);

    proxies[0].treatment = 'pass on';
    await expect.poll(async () => (await searchFourTimes())[0]).toBeGreaterThan(0);
  });

  it('never repeats what must happen once, and repeats the rest', async () => {
    for (const proxy of proxies) proxy.treatment = 'lose the answer';
    await expect(backend.generations.create(new Date(0))).rejects.toBeInstanceOf(Problem);
    const created = proxies.flatMap(({ received }) => received.filter((sent) => sent.startsWith('PUT ')));
    const firstOfAll = `${aliasOfForm(alias)}-19700101t000000000z`;
    expect(created).toEqual([`PUT /${firstOfAll}`]);
    for (const proxy of proxies) proxy.received.length = 0;
    await expect(backend.generations.publish(index)).rejects.toBeInstanceOf(Problem);
    expect(searches('/_aliases').toSorted()).toEqual([0, 1]);

    proxies[1].treatment = 'pass on';
    for (let turn = 0; turn < 4; turn += 1) expect((await backend.generations.find(index))?.records).toBe(1);
    await backend.generations.remove(firstOfAll);
  });
});
