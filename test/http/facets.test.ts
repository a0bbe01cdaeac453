import { describe, expect, it } from 'vitest';
import { media } from '#testing/made-record.ts';
import { useService } from './test-service.ts';

describe('GET /facets', () => {
  const { service } = useService(media);

  it("counts the whole database, with the contract's lists in order", async () => {
    const { text, body } = await service.get('/api/v1/facets');
    expect(Object.keys(JSON.parse(text))).toEqual([
      ...['total', 'countries', 'kinds', 'types', 'categories', 'continents', 'coverages', 'city_sizes', 'languages'],
      ...['regions', 'cities', 'tags', 'more'],
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
    const step = `min_audience=30000&max_audience=99999`;
    const { body: all } = await service.get('/api/v1/facets?audiences=true');
    const inStep = all.audiences.find(({ min }: { min: number }) => min === 30_000);
    expect((await service.get(`/api/v1/search?${step}`)).body.total).toBe(inStep.count);
    expect((await service.get('/api/v1/search?audiences=1')).status).toBe(400);
  });

  it('has no pages and no order', async () => {
    const { status, body } = await service.get('/api/v1/facets?page=1&sort=name');
    expect(status).toBe(400);
    expect(body.errors.map(({ name, code }: { name: string; code: string }) => [name, code])).toEqual([
      ['page', 'unknown_parameter'],
      ['sort', 'unknown_parameter'],
    ]);
  });
});
