import { describe, expect, it } from 'vitest';
import { audienceSteps } from '#search/facet-groups.ts';
import { everything, type Filter, firstPage, type SearchQuery } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { testBackends } from '#testing/backends.ts';
import { fiveMedia } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const page = firstPage(100);

describe.each(testBackends)('facets, $name', ({ open }) => {
  const backend = useOne(open, (backend) => backend.load(fiveMedia));

  const told = (counted: readonly { value: string; count: number }[]) =>
    counted.map(({ value, count }) => `${value} ${count}`).join(', ');

  async function ids(query: Partial<SearchQuery>): Promise<string[]> {
    const found = await backend.index.search({ ...everything, ...query }, page, 'masked');
    return found.records.map(({ id }) => id);
  }

  it('counts every facet over the whole database, largest first, then by value', async () => {
    const { total, counts } = await backend.index.countFacets(everything);
    expect(total).toBe(5);
    expect(told(counts.country)).toBe('BE 1, CH 1, GB 1, US 1');
    expect(told(counts.kind)).toBe('outlet 3, newsletter 1, podcast 1');
    expect(told(counts.categories)).toBe('general_news 2, music 2, comedy 1, politics 1, technology 1');
    expect(told(counts.continent)).toBe('europe 3, north_america 1');
    expect(Object.keys(counts).join(' ')).toBe(
      'country kind type categories continent coverage city_size language region city tags beats',
    );
  });

  it('counts each facet under all filters except its own', async () => {
    const filters: Filter[] = [
      { field: 'kind', any: ['outlet'], none: [] },
      { field: 'type', any: ['newspaper'], none: [] },
    ];
    const { total, counts } = await backend.index.countFacets({ text: null, filters });
    expect(total).toBe(2);
    expect(told(counts.type)).toBe('newspaper 2, radio 1');
    expect(told(counts.kind)).toBe('outlet 2');
    expect(told(counts.language)).toBe('en 1, fr 1');
  });

  it('counts facets under ranges and named records', async () => {
    const filters: Filter[] = [
      { range: 'audience', bound: 'from', value: 600 },
      { identity: 'id', any: ['times', 'radio', 'echo'], none: [] },
    ];
    for (const text of [null, understand('radio')]) {
      const { total, counts } = await backend.index.countFacets({ text, filters });
      const found = await ids({ text, filters });
      expect(total).toBe(found.length);
      expect(told(counts.country)).toBe(text ? 'CH 1' : 'CH 1, GB 1');
    }
  });

  it('counts the steps of the audience under all filters but its own bounds, and leaves out what is unknown', async () => {
    const perStep = async (query: SearchQuery) => {
      const { audiences } = await backend.index.countFacets(query, { audiences: true });
      expect(audiences).toHaveLength(audienceSteps.length);
      return audiences;
    };
    const counted = async (query: SearchQuery) => {
      const { records: found } = await backend.index.search(query, page, 'masked');
      const steps = audienceSteps.map((min, step) => {
        const end = audienceSteps[step + 1] ?? Number.POSITIVE_INFINITY;
        return found.filter(({ audience }) => audience !== null && audience >= min && audience < end).length;
      });
      expect(await perStep(query)).toEqual(steps);
      return steps.reduce((sum, count) => sum + count, 0);
    };
    expect(await counted(everything)).toBe(fiveMedia.filter(({ audience }) => audience !== null).length);
    expect(await counted({ text: null, filters: [{ field: 'type', any: ['newspaper'], none: [] }] })).toBeGreaterThan(
      1,
    );
    expect(await counted({ text: understand('zürihc'), filters: [] })).toBe(1);
    expect(await counted({ text: understand('-radio'), filters: [{ present: 'email' }] })).toBeGreaterThan(0);
    expect(await counted({ text: understand('xqzwvk'), filters: [] })).toBe(0);
    const bounds: Filter[] = [
      { range: 'audience', bound: 'from', value: 600 },
      { range: 'audience', bound: 'to', value: 800 },
    ];
    for (const text of [null, understand('radio')])
      expect(await perStep({ text, filters: bounds })).toEqual(await perStep({ text, filters: [] }));
  });

  it('gives each facet value the count that a search filtered by it gives', async () => {
    for (const text of [null, understand('newspaper'), understand('zürihc')]) {
      const { total, counts } = await backend.index.countFacets({ text, filters: [] });
      expect(total).toBeGreaterThan(0);
      for (const field of ['country', 'kind', 'type', 'categories', 'language'] as const) {
        for (const { value, count } of counts[field]) {
          expect(await ids({ text, filters: [{ field, any: [value], none: [] }] })).toHaveLength(count);
        }
      }
    }
  });
});
