import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Filter, type SearchQuery, type Sort, withWholeText } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { testBackends } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const pick = <Item>(items: readonly Item[], place: number) => items[place % items.length] as Item;
const names = ['Harbour Times', 'Radio Miramar', 'The Gazette', 'Tech Weekly', 'El Diario', 'Evening Star', 'Le Matin'];
const cities = ['London', 'Miami', 'Leeds', 'Munich', 'Paris'];
const countries = ['GB', 'US', 'GB', 'DE', 'FR'];
const records = Array.from({ length: 120 }, (_, place) =>
  madeRecord({
    id: `record-${String(place).padStart(3, '0')}`,
    kind: 'outlet',
    type: pick(['newspaper', 'radio', 'tv', 'magazine'], place),
    name: `${pick(names, place)} ${pick(cities, place >> 1)}`,
    city: pick(cities, place),
    country: pick(countries, place),
    description: pick(['All about food and wine.', 'News of the harbour.', 'Chess and music.', null], place >> 2),
    audience: place % 3 === 0 ? null : place * 100,
    email: place % 4 === 0 ? `desk@record-${place}.example` : null,
    url: null,
  }),
);
/** Of a mistyped name: the one that is meant, another with two typos, and a better known record, which comes before both. */
const likeExcelsior = [
  madeRecord({ id: 'meant', name: 'Excelsior' }),
  madeRecord({ id: 'far', name: 'Excelsio' }),
  madeRecord({ id: 'known', name: 'Sun Sailor', city: 'Excelsior', audience: 900_000, email: 'desk@sailor.example' }),
];
const londonderry = madeRecord({ id: 'londonderry', name: 'Londonderry Sentinel' });
const words = fc.constantFrom(
  ...['harbour', 'times', 'radio', 'newspapers', 'in', 'london', 'miami', 'uk', 'wine', 'chess', 'gazete'],
  ...['weekli', 'germany', 'harb', 'of the', 'best', 'star', '-music', '"evening star"', 'tv', 'about', 'food'],
  ...['munich', 'xylophone', 'el', 'diario', 'matin', '故事'],
);
const filterSets: Filter[][] = [
  [],
  [{ field: 'country', any: ['GB', 'DE'], none: [] }],
  [{ field: 'type', any: [], none: ['radio'] }, { present: 'email' }],
  [{ range: 'audience', bound: 'from', value: 3_000 }],
  [{ field: 'city', any: ['no such city'], none: [] }],
];
const asked = fc.record({
  q: fc.option(
    fc.array(words, { minLength: 1, maxLength: 5 }).map((typed) => typed.join(' ')),
    { nil: null, freq: 20 },
  ),
  filters: fc.constantFrom(...filterSets),
  limit: fc.constantFrom(7, 50, 100),
  key: fc.constantFrom<Sort['key']>('relevance', 'relevance', 'name', 'audience', 'updated'),
  reversed: fc.boolean(),
  isWhole: fc.boolean(),
});

/** Contract A3 and A19: search and facets see the same records for the same text, and exports those that have all of it. */
describe.each(testBackends)('one set for one text, $name', ({ name, open }) => {
  const backend = useOne(open, (backend) => backend.load([...records, ...likeExcelsior, londonderry]));

  it('is on pages of any length and order, in the totals, in the facets and in exports of random texts', async () => {
    // Fewer of an engine that takes longer.
    const numRuns = name === 'embedded' ? 150 : 20;
    for (const { q, filters, limit, isWhole, ...sort } of fc.sample(asked, { numRuns, seed: 40 })) {
      const typed: SearchQuery = { text: q === null ? null : understand(q), filters };
      const query = isWhole ? withWholeText(typed) : typed;
      const scanned = (await Array.fromAsync(await backend.index.scan(query))).flat().map(({ id }) => id);
      const paged: string[] = [];
      const first = await backend.index.search(query, { sort, offset: 0, limit: 1 }, 'masked');
      do {
        const page = { sort, offset: paged.length, limit };
        const { records, ...how } = await backend.index.search(query, page, 'masked');
        expect({ ...how, records: [] }, q ?? '').toEqual({ ...first, records: [] });
        expect(records.length > 0 || how.total === 0, q ?? '').toBe(true);
        paged.push(...records.map(({ id }) => id));
      } while (paged.length < first.total);
      expect(new Set(paged).size, q ?? '').toBe(first.total);
      expect(new Set(scanned).difference(new Set(paged)), q ?? '').toEqual(new Set());
      expect(first.dropped.length === 0, q ?? '').toBe(scanned.length === first.total);
      if (isWhole) expect(first.dropped, q ?? '').toEqual([]);
      const { total, counts, dropped } = await backend.index.countFacets(query);
      expect({ total, dropped }, q ?? '').toEqual({ total: first.total, dropped: first.dropped });
      expect(counts.kind, q ?? '').toEqual(total === 0 ? [] : [{ value: 'outlet', count: total }]);
    }
  });

  it('is on a page although a name begins with the name of the place that was typed', async () => {
    const query = { text: understand('london'), filters: [] };
    const page = { sort: { key: 'relevance', reversed: false }, offset: 0, limit: 100 } as const;
    const { records: found, total } = await backend.index.search(query, page, 'masked');
    expect(total).toBeGreaterThan(30);
    expect(found).toHaveLength(total);
    expect(found.map(({ id }) => id)).not.toContain('londonderry');
  });

  it('does not depend on which record comes first', async () => {
    const query = { text: understand('Excelisor'), filters: [] };
    const page = { sort: { key: 'relevance', reversed: false }, offset: 0, limit: 7 } as const;
    const { records } = await backend.index.search(query, page, 'masked');
    expect(records.map(({ id }) => id)).toEqual(['meant', 'known']);
    expect((await backend.index.countFacets(query)).total).toBe(2);
  });
});
