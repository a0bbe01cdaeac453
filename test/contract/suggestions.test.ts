import { describe, expect, it } from 'vitest';
import { anonymous } from '#accounts/stored-key.ts';
import { suggestSearches } from '#http/suggest-searches.ts';
import { everything } from '#search/search-query.ts';
import { understand } from '#search/understand.ts';
import { testBackends } from '#testing/backends.ts';
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

  it.each([
    ['city=Lodnon', [{ filters: { city: 'London' }, drops: 'city', total: 3 }]],
    ['city=Bavaria', [{ filters: { region: 'Bavaria' }, drops: 'city', total: 2 }]],
    [
      'q=isarfunk&country=GB&per_page=5',
      [
        { q: 'isarfunk', drops: 'country', total: 1 },
        { filters: { country: 'GB' }, drops: 'q', total: 2 },
      ],
    ],
    [
      'q=talk in munich&has_email=0',
      [
        { q: 'in munich', filters: { has_email: '0' }, drops: 'talk', total: 2 },
        { q: 'talk', filters: { has_email: '0' }, drops: 'in munich', total: 2 },
        { filters: { has_email: '0' }, drops: 'q', total: 5 },
      ],
    ],
    ['q=https://talk.example/absent', [{ q: 'talk.example', drops: 'https://talk.example/absent', total: 2 }]],
    ['q="talk tower"', [{ q: 'talk tower', drops: '"', total: 1 }]],
    ['q=Alpenvvele', [{ q: 'alpenwelle', drops: 'Alpenvvele', total: 1 }]],
    [
      'q=isarfvnnkk&country=DE',
      [
        { q: 'isarfunk', filters: { country: 'DE' }, drops: 'isarfvnnkk', total: 1 },
        { filters: { country: 'DE' }, drops: 'q', total: 2 },
      ],
    ],
    [
      'q=stations with wombats quarrelling nightly around munich&has_email=0',
      [
        {
          q: 'stations around munich',
          filters: { has_email: '0' },
          drops: 'with wombats quarrelling nightly',
          total: 2,
        },
        { filters: { has_email: '0' }, drops: 'q', total: 5 },
      ],
    ],
    ['q=qqqqzzzz', []],
  ])('suggests what finds something with one part of %s dropped or corrected', async (asked, suggested) => {
    const deps = { ...backend, index: backend.index, now: () => new Date() };
    expect(await suggestSearches(deps, new URLSearchParams(asked), anonymous)).toEqual(suggested);
  });
});
