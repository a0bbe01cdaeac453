import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTextQuery } from '#search/parse-text-query.ts';
import type { SearchQuery } from '#search/search-query.ts';
import { type TestBackend, testBackends } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';

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
    url: null,
  }),
);
const words = fc.constantFrom(
  ...[
    'harbour',
    'times',
    'radio',
    'newspapers',
    'in',
    'london',
    'miami',
    'uk',
    'wine',
    'chess',
    'gazete',
    'weekli',
    'germany',
  ],
  ...[
    'the',
    'best',
    'star',
    '-music',
    '"evening star"',
    'tv',
    'about',
    'food',
    'munich',
    'xylophone',
    'el',
    'diario',
    'matin',
  ],
);
const queries = fc.array(words, { minLength: 1, maxLength: 5 }).map((typed) => typed.join(' '));

/** Contract A3: search, facets and exports see the same records for the same text. */
describe.each(testBackends)('one set for one text, $name', ({ name, open }) => {
  let backend: TestBackend;
  beforeAll(async () => {
    backend = await open();
    await backend.load(records);
  });
  afterAll(() => backend.close());

  it('is on the pages, in the totals, in the facets and in exports of random texts', async () => {
    // 250 queries; fewer of an engine that takes longer.
    const numRuns = name === 'embedded' ? 125 : 25;
    const asked = fc.sample(queries, { numRuns, seed: 40 }).flatMap((q): [string, SearchQuery][] => [
      [q, { text: parseTextQuery(q), filters: [] }],
      [q, { text: parseTextQuery(q), filters: [{ field: 'country', any: ['GB'], none: [] }] }],
    ]);
    for (const [q, query] of asked) {
      const scanned: string[] = [];
      for await (const batch of await backend.index.scan(query)) scanned.push(...batch.map(({ id }) => id));
      const paged: string[] = [];
      for (const offset of [0, 50, 100]) {
        const page = { sort: { key: 'relevance', reversed: false }, offset, limit: 50 } as const;
        const { records, total } = await backend.index.search(query, page, 'masked');
        expect(total, q).toBe(scanned.length);
        paged.push(...records.map(({ id }) => id));
      }
      expect(paged.toSorted(), q).toEqual(scanned.toSorted());
      const { total, counts } = await backend.index.countFacets(query);
      expect(total, q).toBe(scanned.length);
      expect(counts.kind, q).toEqual(total === 0 ? [] : [{ value: 'outlet', count: total }]);
    }
  });
});
