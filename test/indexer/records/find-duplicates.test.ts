import { describe, expect, it } from 'vitest';
import { findDuplicates } from '#indexer/records/find-duplicates.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { madeRecord } from '#testing/made-record.ts';

type Given = Partial<MediaRecord> & { id: string };

const herald: Given = {
  id: 'full',
  name: 'The Herald',
  type: 'newspaper',
  country: 'US',
  region: 'Illinois',
  city: 'Springfield',
  url: 'https://www.herald.example/',
  phone: '+1 555 0100',
};
const nowhere = { country: null, region: null, city: null };

async function groupsOf(given: readonly Given[]) {
  async function* batches() {
    yield given.map(madeRecord);
  }
  const { groups, ...found } = await findDuplicates(batches());
  return {
    ...found,
    groups: groups.map(({ keep, drop }) => [keep.id, ...drop.map(({ record }) => record.id)]),
    all: groups,
  };
}

describe('a search for duplicates', () => {
  it('groups the records of one medium, the fullest first, and says why each of the others is one', async () => {
    const { all, searched } = await groupsOf([
      { ...herald, id: 'copy', name: 'HERALD SPRINGFIELD', url: 'http://herald.example', phone: null },
      herald,
      { ...herald, id: 'other', name: 'Post', url: 'https://post.example/' },
    ]);
    expect(searched).toBe(3);
    expect(all).toEqual([
      {
        keep: expect.objectContaining({ id: 'full', name: 'The Herald', city: 'Springfield' }),
        drop: [
          {
            record: expect.objectContaining({ id: 'copy', url: 'http://herald.example' }),
            like: 'full',
            score: 100,
            reasons: ['same name but for the city', 'same page', 'same city'],
            against: [],
          },
        ],
      },
    ]);
  });

  it('puts the latest verified first among equally full records', async () => {
    const { groups } = await groupsOf([
      { ...herald, id: 'a', last_verified_at: '2025-01-01T00:00:00.000Z' },
      { ...herald, id: 'b', last_verified_at: '2026-01-01T00:00:00.000Z' },
    ]);
    expect(groups).toEqual([['b', 'a']]);
  });

  it('ties no unrelated records together through one that says little', async () => {
    const { groups } = await groupsOf([
      { ...herald, id: 'illinois', url: null },
      { ...herald, id: 'ohio', region: 'Ohio', url: null },
      { ...herald, id: 'vague', region: null, url: null },
    ]);
    expect(groups).toEqual([['illinois', 'vague']]);
  });

  it('keeps the editions of a chain apart', async () => {
    const cities = ['Salem', 'Athens', 'Troy', 'Rome'];
    const { groups } = await groupsOf(
      cities.map((city) => ({
        ...herald,
        id: city,
        name: `${city} Patch`,
        city,
        url: `https://patch.example/${city}`,
      })),
    );
    expect(groups).toEqual([]);
  });

  it('finds duplicates among very many records of one site or name', async () => {
    const titles = Array.from({ length: 150 }, (_, place) => ({
      ...herald,
      ...nowhere,
      id: `title${place}`,
      name: `Daily ${String.fromCharCode(97 + (place % 26), 97 + Math.floor(place / 26))}gram`,
      url: `https://platform.example/${place}`,
    }));
    const { groups, leftOut } = await groupsOf([
      ...titles,
      { ...herald, id: 'here', name: 'Daily News', url: 'https://platform.example/news/' },
      { ...herald, id: 'again', name: 'The Daily News', url: 'http://www.platform.example/news', phone: null },
    ]);
    expect(groups).toEqual([['here', 'again']]);
    expect(leftOut).toMatchObject({ site: { keys: 1, records: 152 } });
  });

  it('finds nothing among no records', async () => {
    expect(await groupsOf([])).toMatchObject({ searched: 0, groups: [] });
  });
});
