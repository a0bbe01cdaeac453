import { describe, expect, it } from 'vitest';
import { media } from '#testing/made-record.ts';
import { useService } from './test-service.ts';

describe('GET /facets', () => {
  const { service } = useService(media);

  it("counts the whole database, with the contract's lists in order", async () => {
    const { text, body } = await service.get('/api/v1/facets');
    expect(Object.keys(JSON.parse(text))).toEqual([
      ...['total', 'countries', 'kinds', 'types', 'categories', 'continents', 'coverages', 'city_sizes', 'languages'],
      ...['regions', 'cities', 'tags', 'beats', 'more'],
    ]);
    expect(body.total).toBe(6);
    expect(body.countries.slice(0, 2)).toEqual([
      { value: 'US', label: 'United States', count: 2 },
      { value: 'DE', label: 'Germany', count: 1 },
    ]);
    expect(text).toContain('{"value":"north_america","label":"North America","count":2}');
    expect(body.kinds).toEqual([
      { value: 'outlet', label: 'Outlet', count: 4 },
      { value: 'newsletter', label: 'Newsletter', count: 1 },
      { value: 'podcast', label: 'Podcast', count: 1 },
    ]);
  });

  it('counts by audience if it is asked to, under all filters but its bounds', async () => {
    const { body, text } = await service.get('/api/v1/facets?audiences=1&country=US&min_audience=40000&q=mriamar');
    expect(Object.keys(JSON.parse(text)).slice(-2)).toEqual(['audiences', 'corrected']);
    const { audiences } = body;
    expect(audiences.slice(0, 2)).toEqual([
      { min: 0, max: 99, count: 0 },
      { min: 100, max: 299, count: 0 },
    ]);
    expect(audiences.at(-1)).toEqual({ min: 30_000_000, max: null, count: 0 });
    expect(audiences.filter(({ count }: { count: number }) => count > 0)).toEqual([
      { min: 30_000, max: 99_999, count: 1 },
    ]);
    for (const query of ['', '?audiences=0']) {
      expect((await service.get(`/api/v1/facets${query}`)).body).not.toHaveProperty('audiences');
    }
    expect((await service.get('/api/v1/search?audiences=1')).status).toBe(400);
  });
});
