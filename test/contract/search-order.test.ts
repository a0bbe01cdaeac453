import { describe, expect, it } from 'vitest';
import { firstPage } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { testBackends } from '#testing/backends.ts';
import { readCases } from '#testing/cases.ts';
import { madeRecord, readMedia } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const media = [
  ...readMedia(new URL('search-order.media.tsv', import.meta.url)),
  ...Array.from({ length: 40 }, (_, place) =>
    madeRecord({ id: `lit-${place}`, name: `Lit ${place}`, description: 'Lanterns', audience: 90_000 }),
  ),
];

describe.each(testBackends)('the order of search results, $name', ({ open }) => {
  const backend = useOne(open, (backend) => backend.load(media));

  it.each(readCases<[rule: string, typed: string, first: string[]]>(new URL('search-order.tsv', import.meta.url)))(
    '%s: %s',
    async (_, typed, first) => {
      const found = await backend.index.search({ text: understand(typed), filters: [] }, firstPage(20), 'masked');
      expect(found.records.map(({ id }) => id).slice(0, first.length)).toEqual(first);
    },
  );

  it.each([
    ['language', 'sv', 'said', 'swedish podcasts'],
    ['categories', 'food', 'food', 'food newsletters'],
  ] as const)('what is guessed is in no filter and no facet: %s', async (field, value, id, typed) => {
    const filters = [{ field, any: [value], none: [] }];
    const found = await backend.index.search({ text: null, filters }, firstPage(20), 'masked');
    expect(found.records.map((record) => [record.id, [record[field]].flat()])).toEqual([[id, [value]]]);
    const { counts } = await backend.index.countFacets({ text: understand(typed), filters: [] });
    expect(counts[field]).toEqual([{ value, count: 1 }]);
  });

  it('a call sign in capitals finds no station with another letter', async () => {
    const page = await backend.index.search({ text: understand('KZZK country'), filters: [] }, firstPage(9), 'masked');
    expect(page.records.map(({ id }) => id)).not.toContain('other-letter');
  });
});
