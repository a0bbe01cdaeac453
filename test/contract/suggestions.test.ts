import { describe, expect, it } from 'vitest';
import { anonymous } from '#accounts/stored-key.ts';
import { suggestSearches } from '#http/suggest-searches.ts';
import { everything } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { testBackends } from '#testing/backends.ts';
import { readCases } from '#testing/cases.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const radio = { kind: 'outlet', type: 'radio', description: null, url: null, email: null } as const;

/** Contract A16: facets of places, and what to ask instead of a search that finds nothing, wherever records are searched. */
describe.each(testBackends)('an empty answer and the facets of places, $name', ({ open }) => {
  const backend = useOne(open, async (backend) => {
    await backend.load([
      madeRecord({ ...radio, id: 'a', name: 'Alpenwelle', city: 'München', region: 'Bayern', country: 'DE' }),
      madeRecord({ ...radio, id: 'b', name: 'Isarfunk', city: 'Munich', region: 'BY', country: 'DE' }),
      madeRecord({ ...radio, id: 'c', name: 'Themsefunk', city: 'LONDON', region: 'England', country: 'GB' }),
      madeRecord({
        ...radio,
        id: 'd',
        name: 'Tower Talk',
        url: 'https://talk.example/tower',
        city: 'London',
        region: 'England',
        country: 'GB',
      }),
      madeRecord({
        ...radio,
        id: 'e',
        name: 'Border Talk',
        url: 'https://live.talk.example/border',
        city: 'London',
        region: 'Ontario',
        country: 'CA',
      }),
    ]);
  });

  it('counts a place once, whichever of its names and codes records have, as its filter finds it', async () => {
    const { counts, more } = await backend.index.countFacets(everything);
    expect(counts.city).toEqual([
      { value: 'London', count: 3 },
      { value: 'Munich', count: 2 },
    ]);
    expect(counts.region).toEqual([
      { value: 'Bayern', count: 2 },
      { value: 'England', count: 2 },
      { value: 'Ontario', count: 1 },
    ]);
    expect(more).toEqual({ region: 0, city: 0, tags: 0, beats: 0 });
    const text = understand('funk');
    const under = { field: 'city', any: ['munich'], none: [] } as const;
    expect((await backend.index.countFacets({ text, filters: [under] })).total).toBe(0);
    expect((await backend.index.countFacets({ text: null, filters: [under] })).counts.city).toEqual(counts.city);
  });

  it.each(readCases<[asked: string, suggested: object[]]>(new URL('suggested.tsv', import.meta.url)))(
    'suggests what finds something with one part of %s dropped or corrected',
    async (asked, suggested) => {
      const deps = { ...backend, index: backend.index, now: () => new Date() };
      expect(await suggestSearches(deps, new URLSearchParams(asked), anonymous)).toEqual(suggested);
    },
  );
});
