import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openElasticsearch } from '#backends/elasticsearch/open-elasticsearch.ts';
import type { MediaRecord } from '#domain/media-record.ts';
import { RebuildRefused, rebuildIndex } from '#indexer/rebuild-index.ts';
import type { DeadLetter } from '#ports/index-generations.ts';
import { madeRecord } from '#test/made-record.ts';

const url = inject('engines').elasticsearch;
const page = { sort: { key: 'name', reversed: false }, offset: 0, limit: 100 } as const;
const numbered = (count: number) =>
  Array.from({ length: count }, (_, place) => madeRecord({ id: `r${String(place).padStart(4, '0')}` }));

describe.skipIf(url === null)('rebuilding the index', () => {
  let engine: Awaited<ReturnType<typeof openElasticsearch>>;
  beforeAll(async () => {
    const alias = `masthead-test-${randomUUID().slice(0, 8)}`;
    engine = await openElasticsearch({ url: url ?? '', apiKey: null, alias, say: () => {} });
  });
  afterAll(async () => {
    for (const index of await engine.generations.list()) await engine.generations.remove(index);
    await engine.close();
  });

  const deadLetters: DeadLetter[] = [];
  function rebuild(
    given: readonly MediaRecord[],
    { allowsShrink = false, failsAfter = Number.POSITIVE_INFINITY } = {},
  ) {
    deadLetters.length = 0;
    // The two methods that a rebuild reads records by, over those of the test.
    const records = {
      count: async () => given.length,
      async *scan() {
        for (let start = 0; start < given.length; start += 500) {
          if (start >= failsAfter) throw new Error('the store went away');
          yield given.slice(start, start + 500);
        }
      },
    };
    const reportDeadLetter = (letter: DeadLetter) => deadLetters.push(letter);
    return rebuildIndex({ records, generations: engine.generations, allowsShrink, reportDeadLetter });
  }
  const total = async () => (await engine.index.search({ text: null, filters: [] }, page, 'masked')).total;

  it('publishes an empty index where there is nothing yet', async () => {
    const { read, indexed, replaced } = await rebuild([]);
    expect({ read, indexed, replaced }).toEqual({ read: 0, indexed: 0, replaced: null });
    expect(await total()).toBe(0);
  });

  it('indexes every record, and keeps of the indices before it the last', async () => {
    const first = await rebuild(numbered(2_500));
    expect(first).toMatchObject({ read: 2_500, indexed: 2_500, deadLetters: 0 });
    expect(await total()).toBe(2_500);
    const second = await rebuild(numbered(2_501));
    expect(second.replaced).toEqual({ index: first.index, records: 2_500 });
    expect(await engine.generations.list()).toEqual([first.index, second.index]);
  });

  it('puts what cannot be indexed apart, with its id and a reason that quotes nothing, and goes on', async () => {
    const unfit = madeRecord({ id: 'unfit', name: 'secret'.repeat(10_000), email: 'someone@secret.example' });
    const summary = await rebuild([...numbered(2_500), unfit]);
    expect(summary).toMatchObject({ read: 2_501, indexed: 2_500, deadLetters: 1 });
    expect(deadLetters).toEqual([{ id: 'unfit', reason: expect.stringMatching(/^Elasticsearch: \w+_exception/) }]);
    expect(JSON.stringify(deadLetters)).not.toContain('secret');
    expect(await engine.index.find('unfit', 'full')).toBeNull();
  });

  it('refuses an index that is empty or much smaller, and leaves everything as it was', async () => {
    const before = await engine.generations.list();
    await expect(rebuild([])).rejects.toThrow(/The store holds no records.*--allow-shrink/);
    await expect(rebuild(numbered(1_999))).rejects.toThrow(RebuildRefused);
    await expect(rebuild(numbered(1_999))).rejects.toThrow(/would hold 1999 records.*holds 2500.*--allow-shrink/);
    const unfit = madeRecord({ id: 'unfit', name: 'x'.repeat(40_000) });
    await expect(rebuild([unfit], { allowsShrink: true })).rejects.toThrow(/Not one record/);
    expect(await engine.generations.list()).toEqual(before);
    expect(await total()).toBe(2_500);
  });

  it('leaves everything as it was where the store fails midway', async () => {
    const before = await engine.generations.list();
    await expect(rebuild(numbered(2_500), { failsAfter: 1_000 })).rejects.toThrow('the store went away');
    expect(await engine.generations.list()).toEqual(before);
    expect(await total()).toBe(2_500);
  });

  it('publishes much less where that is said to be right', async () => {
    expect(await rebuild(numbered(10), { allowsShrink: true })).toMatchObject({ indexed: 10 });
    expect(await total()).toBe(10);
    expect(await rebuild([], { allowsShrink: true })).toMatchObject({ indexed: 0 });
    expect(await total()).toBe(0);
  });

  it('of several at a time ends with one of them searched, whole', async () => {
    for (let round = 0; round < 3; round += 1) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 3 }, () => rebuild(numbered(600), { allowsShrink: true })),
      );
      expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
      expect(await total()).toBe(600);
    }
  });

  it('leaves an index alone that a scan still reads', async () => {
    await rebuild(numbered(1_500), { allowsShrink: true });
    const scan = await engine.index.scan({ text: null, filters: [] });
    await rebuild(numbered(1_500));
    await rebuild(numbered(1_500));
    let read = 0;
    for await (const batch of scan) read += batch.length;
    expect(read).toBe(1_500);
    expect(await engine.generations.list()).toHaveLength(3);
    await rebuild(numbered(1_500));
    expect(await engine.generations.list()).toHaveLength(2);
  });
});
