import { describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { firstPage } from '#search/search-query.ts';
import { understand } from '#search/understand.ts';
import { testBackends } from '#testing/backends.ts';
import { readCases } from '#testing/cases.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const media: readonly (Partial<MediaRecord> & { id: string })[] = [
  // Stations: the better known ones have less of what is typed.
  { id: 'qzzk', name: 'KZZK', type: 'radio', description: 'Adult hits on 98.1 from Low Falls' },
  { id: 'other-frequency', name: 'KNTU 98.1 FM', type: 'radio', audience: 90_000 },
  { id: 'other-letter', name: 'KZZX', type: 'radio', description: 'Country on 98.1', audience: 90_000 },
  // A network, and media that only share its host or its letters.
  { id: 'qbc-news', name: 'QBC World News', kind: 'podcast' },
  { id: 'qbc-radio', name: 'Mornings on QBC', kind: 'podcast' },
  {
    id: 'page',
    name: '99 Buttons',
    kind: 'podcast',
    url: 'https://www.qbc.example/buttons',
    description: 'Loom',
    audience: 90_000,
  },
  {
    id: 'mailbox',
    name: 'Kettle Talk',
    kind: 'podcast',
    email: 'host@qbc.example',
    description: 'Loom',
    audience: 90_000,
  },
  { id: 'initials', name: 'Quay Business Courier', audience: 90_000 },
  { id: 'root', name: 'The Wherry', url: 'https://www.wherrypress.example/' },
  // A kind and a topic.
  { id: 'asked', name: 'Calm Hours', kind: 'podcast', description: 'A show about lacemaking at sea' },
  {
    id: 'other-kind',
    name: 'Bobbin Quarterly',
    type: 'magazine',
    description: 'Lacemaking by loom at sea',
    audience: 90_000,
  },
  // A name that ends where a place was typed.
  { id: 'radio-in', name: 'Radio IN', type: 'radio', country: 'RS', audience: 90_000 },
  { id: 'little-radio', name: 'Radio Ovre', type: 'radio', audience: 10 },
  { id: 'isar', name: 'Gong Isar', type: 'radio', description: 'Songs from Tolmeze' },
  { id: 'digits', name: 'Wherry Radio 52', type: 'radio' },
  // A language that is said, one that only the text tells, and the word for it.
  { id: 'said', name: 'Kaffekvart', kind: 'podcast', language: 'sv' },
  {
    id: 'told',
    name: 'Torsten',
    kind: 'podcast',
    description: 'Vi talar om allt som är gott och inte för dyrt',
    audience: 90_000,
  },
  { id: 'word', name: 'Swedish Chefs', kind: 'podcast', description: 'Cooking with the stars', audience: 90_000 },
  // A topic that is said, the word for it, and one that other words tell.
  { id: 'food', name: 'Lunchtime', kind: 'newsletter', categories: ['food'] },
  { id: 'food-word', name: 'Noon Letter', kind: 'newsletter', description: 'On food' },
  { id: 'food-told', name: 'Recipes at Six', kind: 'newsletter', audience: 90_000 },
  // Two of the words of a question, and one.
  { id: 'knots', name: 'Knot Hour', kind: 'podcast', description: 'Macrame and cordage for sailors' },
  { id: 'sails', name: 'Sail On', kind: 'podcast', description: 'Sailors on cordage', audience: 90_000 },
  // More than the service itself ranks, with a word that is the city of one.
  { id: 'in-city', name: 'Dusk', city: 'Lanterns' },
  ...Array.from({ length: 40 }, (_, place) => ({
    id: `lit-${place}`,
    name: `Lit ${place}`,
    description: 'Lanterns',
    audience: 90_000,
  })),
];

describe.each(testBackends)('the order of search results, $name', ({ open }) => {
  const backend = useOne(open, (backend) =>
    backend.load(media.map((medium) => madeRecord({ kind: 'outlet', ...medium }))),
  );

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
    const found = await backend.index.search({ text: understand('KZZK radio'), filters: [] }, firstPage(20), 'masked');
    expect(found.records.map(({ id }) => id)).not.toContain('other-letter');
  });
});
