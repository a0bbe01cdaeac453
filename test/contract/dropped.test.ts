import { describe, expect, it } from 'vitest';
import { firstPage, type SearchQuery, withWholeText } from '#search/search-query.ts';
import { countMatches } from '#search/search-records.ts';
import { typedParts } from '#search/understanding/typed-parts.ts';
import { understand } from '#search/understanding/understand.ts';
import { testBackends } from '#testing/backends.ts';
import { readCases } from '#testing/cases.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const places = {
  texas: { country: 'US', region: 'Texas' },
  ohio: { country: 'US', region: 'Ohio' },
  brazil: { country: 'BR', region: null },
  germany: { country: 'DE', region: null },
};
/** Each topic with the place of its only medium; null if it has none. `chefs` and `gold` are near `chess` and `golf`. */
const topics = {
  climate: 'germany',
  crypto: 'texas',
  sports: 'ohio',
  farming: 'brazil',
  chess: 'germany',
  golf: 'ohio',
  aviation: 'texas',
  immigration: 'germany',
  wine: 'brazil',
  saxophones: null,
} as const;
const near = { chefs: 'texas', gold: 'brazil' } as const;
const silent = { city: null, description: null, url: null, email: null, contact_name: null } as const;
const records = [
  ...Object.entries(places).flatMap(([place, where]) =>
    Array.from({ length: 12 }, (_, n) =>
      madeRecord({
        ...silent,
        ...where,
        id: `${place}-${n}`,
        kind: 'outlet',
        type: n % 2 === 0 ? 'newspaper' : 'radio',
        name: `Daybreak ${place === 'ohio' ? 'Buckeye' : 'Beacon'} ${n}`,
        audience: 1_000 + n,
      }),
    ),
  ),
  ...[...Object.entries(topics), ...Object.entries(near)].flatMap(([topic, place]) =>
    place === null
      ? []
      : madeRecord({
          ...silent,
          ...places[place],
          id: `about-${topic}`,
          kind: 'outlet',
          type: 'newspaper',
          name: `Lantern ${Object.keys(topics).indexOf(topic)}`,
          description: `All about ${topic}.`,
        }),
  ),
];
const forms = [
  (topic: string, place: string) => `${topic} in ${place}`,
  (topic: string, place: string) => `${topic} newspapers in ${place}`,
];
const asked = Object.keys(topics).flatMap((topic, row) =>
  Object.keys(places).map((place, column) => ({ topic, place, q: forms[(row + column) % 2]?.(topic, place) ?? '' })),
);

/** Contract A19: what was asked is never silently dropped. */
describe.each(testBackends)('a topic beside a place, $name', ({ open }) => {
  const backend = useOne(open, (backend) => backend.load(records));
  const queryOf = (q: string, filters: SearchQuery['filters'] = []): SearchQuery => ({
    text: understand(q),
    filters,
  });
  const search = (query: SearchQuery) => backend.index.search(query, firstPage(10), 'masked');
  const droppedOf = async (q: string) => typedParts(q, (await search(queryOf(q))).dropped);
  /** The ids that an export has. */
  const exported = async (query: SearchQuery) => {
    const scan = await backend.index.scan(query);
    const ids = (await Array.fromAsync(scan)).flat().map(({ id }) => id);
    expect(scan.total).toBe(ids.length);
    return ids.toSorted();
  };

  it('is on the first page of forty searches or named as dropped, and in all that an export has', async () => {
    expect(asked).toHaveLength(40);
    for (const { q, topic, place } of asked) {
      const query = queryOf(q);
      const found = await search(query);
      const about = topics[topic as keyof typeof topics] === place ? [`about-${topic}`] : [];
      expect(found.total, q).toBeGreaterThan(0);
      expect(found.records.slice(0, about.length).map(({ id }) => id)).toEqual(about);
      expect(found.dropped, q).toEqual(found.total > about.length ? [[topic]] : []);
      expect((await backend.index.countFacets(query)).dropped, q).toEqual(found.dropped);
      expect(await exported(query), q).toEqual(about);
      expect(await countMatches(backend.index, query), q).toBe(about.length);
    }
  });

  it.each(readCases<[q: string, dropped: string[]]>(new URL('dropped.tsv', import.meta.url)))(
    'names as it was typed what records lack of %s: %j',
    async (q, dropped) => {
      expect(await droppedOf(q)).toEqual(dropped);
    },
  );

  it('of a long text is in an export beside all other rare words, though not beside common ones', async () => {
    const query = queryOf('newspapers with daybreak, beacon, lantern and aviation in texas');
    expect(await search(query)).toMatchObject({ total: 17, dropped: [['lantern'], ['aviation'], ['texas']] });
    expect(await exported(query)).toEqual(['about-aviation']);
  });

  it('counts as dropped only what records lack that pass the filters', async () => {
    const q = 'sports newspapers in texas';
    const inOhio = queryOf(q, [{ field: 'region', any: ['Ohio'], none: [] }]);
    expect((await search(queryOf(q))).dropped).toEqual([['sports']]);
    expect(await search(inOhio)).toMatchObject({ total: 0, dropped: [] });
    expect((await backend.index.countFacets(inOhio)).dropped).toEqual([]);
  });

  it('is in every record of a search for whole texts, which drops nothing', async () => {
    for (const [q, ids] of [
      ['climate in texas', []],
      ['crypto newspapers in texas', ['about-crypto']],
      ['aviaton in texas', ['about-aviation']],
    ] as const) {
      const whole = withWholeText(queryOf(q));
      const found = await search(whole);
      expect(found).toMatchObject({ total: ids.length, dropped: [] });
      expect(found.records.map(({ id }) => id)).toEqual(ids);
      expect((await backend.index.countFacets(whole)).total).toBe(ids.length);
    }
  });
});
