import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { anonymous } from '#accounts/stored-key.ts';
import { findSimilar } from '#search/find-similar.ts';
import { searchByMeaning } from '#search/meaning/search-by-meaning.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { type Filter, firstPage, type SearchQuery } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { testBackends } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const records = (
  [
    ['loans', 'podcast', 'Money Talks', 'US', 'Paying off loans and credit cards, month by month.'],
    ['deudas', 'podcast', 'Sin deudas', 'ES', 'Cómo pagar las deudas y ahorrar dinero.'],
    ['sleep', 'podcast', 'Night Owl', 'US', 'Insomnia, dreams and rest.'],
    ['robots', 'newsletter', 'Circuits', 'US', 'Machine learning and robotics, weekly.'],
    ['debt-games', 'outlet', 'Out of Nowhere', 'GB', 'Video games and consoles.'],
    ['nameless', 'outlet', '夜', 'JP', null],
  ] as const
).map(([id, kind, name, country, description]) => madeRecord({ id, kind, name, country, description }));

const noMergedIds = { resolve: async () => new Map() };
const ten = firstPage(10);

describe.each(testBackends)('a search by meaning, $name', ({ open }) => {
  let index: SearchIndex;
  useOne(open, async (backend) => {
    await backend.load(records);
    index = searchByMeaning(backend.index);
    // The engine compiles what a fuzzy query needs, which on a busy machine takes longer than a search may.
    await vi.waitFor(() => found('what is anybody looking for'), { timeout: 60_000 });
  });

  const asked = (q: string, filters: readonly Filter[] = []): SearchQuery => ({
    text: understand(q),
    filters,
    match: 'meaning',
  });
  const found = async (q: string, filters: readonly Filter[] = [], page = ten) =>
    (await index.search(asked(q, filters), page, 'masked')).records.map(({ id }) => id);
  const inTheUs: Filter = { field: 'country', any: ['US'], none: [] };

  it.each([
    ['getting rid of what I owe the bank', 'loans'],
    ['I lie awake at night', 'sleep'],
    ['artificial intelligence', 'robots'],
    ['pagar lo que debo', 'deudas'],
  ])('finds for %j what shares no word with it: %s', async (q, id) => {
    expect((await found(q)).slice(0, 2)).toContain(id);
  });

  it('puts first what is called as was typed, and finds names in any script', async () => {
    expect((await found('out of nowhere'))[0]).toBe('debt-games');
    expect(await found('夜')).toEqual(['nameless']);
  });

  it('obeys filters and exclusions, sorts and pages', async () => {
    expect((await found('paying debts', [inTheUs])).toSorted()).toEqual(['loans', 'robots', 'sleep']);
    expect(await found('paying debts -loans', [inTheUs])).not.toContain('loans');
    expect(await found('paying debts', [inTheUs], { ...ten, sort: { key: 'name', reversed: false } })).toEqual([
      'robots',
      'loans',
      'sleep',
    ]);
    const all = await found('paying debts');
    expect(await found('paying debts', [], { ...ten, offset: 1, limit: 2 })).toEqual(all.slice(1, 3));
    expect(await found('paying debts', [{ field: 'country', any: ['FR'], none: [] }])).toEqual([]);
  });

  it.each([
    ['credit cards podcasts', ['loans'], ['deudas']],
    ['credit cards in america', ['loans'], []],
    ['credit cards podcasts -ahorrar', ['loans'], []],
    ['learning about insomnia', [], ['sleep']],
    ['Money Talks', ['loans'], []],
    ['Money Tlks', ['loans'], []],
    ['Talks Money', ['loans'], []],
    ['podcasts', ['loans', 'deudas', 'sleep'], []],
  ])('beside few results of %s has what is near, within its kind and place', async (q, inWords, also) => {
    const query: SearchQuery = { text: understand(q), filters: [], also: true };
    const ids = (records: readonly { id: string }[] = []) => records.map(({ id }) => id).toSorted();
    const result = await index.search(query, ten, 'masked');
    expect([ids(result.records), ids(result.also)]).toEqual([inWords.toSorted(), also]);
    const scan = await index.scan(query);
    await scan.close();
    expect([result.total, (await index.countFacets(query)).total, scan.total]).toEqual(Array(3).fill(inWords.length));
    expect((await index.search({ ...query, filters: [{ ...inTheUs, any: ['FR'] }] }, ten, 'masked')).also).toEqual([]);
  });

  it('counts and exports the same records, each facet under the other filters', async () => {
    const query = asked('paying debts', [inTheUs]);
    const { total, counts } = await index.countFacets(query);
    expect(total).toBe(3);
    expect(counts.kind).toEqual([
      { value: 'podcast', count: 2 },
      { value: 'newsletter', count: 1 },
    ]);
    expect(counts.country.map(({ value }) => value).toSorted()).toEqual(['ES', 'GB', 'US']);
    const scan = await index.scan(query);
    expect(scan.total).toBe(3);
    const ids = (await Array.fromAsync(scan)).flat().map(({ id }) => id);
    expect(ids.toSorted()).toEqual(['loans', 'robots', 'sleep']);
  });
});

describe.each(testBackends)('similar records, $name', ({ open }) => {
  it('include those around a record, however many others are nearer in meaning', async () => {
    const backend = await open();
    onTestFinished(() => backend.close());
    const place = { country: 'US', region: 'New Hampshire', city: 'Concord' } as const;
    const description = 'Chess openings, endgames and tournaments.';
    await backend.load([
      madeRecord({ id: 'chess', name: 'Chess', description, ...place }),
      madeRecord({ id: 'same-region', name: 'Gardens', description: 'Growing roses.', ...place, city: 'Nashua' }),
      madeRecord({ id: 'same-city', name: 'Bakers', description: 'Baking bread.', ...place, region: null }),
      ...Array.from({ length: 120 }, (_, at) => madeRecord({ id: `${at}`, name: `Play ${at}`, description: 'Poker.' })),
    ]);
    const asked = { id: 'chess', page: 1, perPage: 50 };
    const { records } = await findSimilar({ ...backend, mergedIds: noMergedIds }, asked, anonymous, new Date());
    expect(records.map(({ id }) => id)).toEqual(expect.arrayContaining(['same-region', 'same-city']));
  });

  it('share place or type with a record whose texts have no known word', async () => {
    const backend = await open();
    onTestFinished(() => backend.close());
    const place = { country: 'US', region: 'Pennsylvania', city: 'Philadelphia', type: 'tv' } as const;
    await backend.load([
      madeRecord({ id: 'wpvi', name: 'WPVI', ...place }),
      madeRecord({ id: 'wphl', name: 'WPHL', ...place }),
      madeRecord({ id: 'ktrk', name: 'KTRK', country: 'MX', type: 'tv' }),
      madeRecord({ id: 'qxl', name: 'QXL', country: 'MX', type: 'radio' }),
    ]);
    const asked = { id: 'wpvi', page: 1, perPage: 50 };
    const { records } = await findSimilar({ ...backend, mergedIds: noMergedIds }, asked, anonymous, new Date());
    expect(records.map(({ id }) => id)).toEqual(['wphl', 'ktrk']);
  });
});
