import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MissedSearch, maxMissedSearches } from '#ports/missed-searches.ts';
import { type TestStores, testStores } from '#test/backends.ts';

const missed = (query: string, count: number, date: string): MissedSearch => ({
  query,
  count,
  lastAt: `${date}T08:00:00.000Z`,
});

describe.each(testStores)('the searches without a result, $name', ({ open }) => {
  let backend: TestStores;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.close());

  it('are added up by query, listed by how often, and deleted when nobody makes them any more', async () => {
    const { missedSearches } = backend;
    await missedSearches.add([]);
    await missedSearches.add([missed('harbour post', 2, '2026-11-20'), missed('ポスト', 3, '2026-08-01')]);
    await missedSearches.add([missed('harbour post', 4, '2026-11-19')]);
    expect(await missedSearches.list(10)).toEqual([
      missed('harbour post', 6, '2026-11-20'),
      missed('ポスト', 3, '2026-08-01'),
    ]);
    expect(await missedSearches.list(1)).toHaveLength(1);
    expect(await missedSearches.purge('2026-11-01')).toBe(1);
    expect(await missedSearches.list(10)).toEqual([missed('harbour post', 6, '2026-11-20')]);
  });

  it('lose none of several that processes add at once', async () => {
    const { missedSearches } = backend;
    const adds = Array.from({ length: 20 }, () => missedSearches.add([missed('at once', 1, '2026-11-21')]));
    await Promise.all(adds);
    expect((await missedSearches.list(1))[0]).toEqual(missed('at once', 20, '2026-11-21'));
  });

  it('never become more than so many: the latest stay', async () => {
    const { missedSearches } = backend;
    const many = Array.from({ length: maxMissedSearches + 10 }, (_, index) => missed(`q${index}`, 1, '2026-11-22'));
    await missedSearches.add(many);
    const kept = await missedSearches.list(2 * maxMissedSearches);
    expect(kept).toHaveLength(maxMissedSearches);
    expect(kept.filter(({ lastAt }) => lastAt < '2026-11-22')).toEqual([]);
  });
});
