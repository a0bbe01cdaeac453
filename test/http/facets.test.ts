import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestBackend, testBackends } from '#test/backends.ts';
import { media } from './media.ts';
import { createService, type TestService } from './test-service.ts';

describe.each(testBackends)('GET /facets, $name', ({ open }) => {
  let backend: TestBackend;
  let service: TestService;

  beforeAll(async () => {
    backend = await open();
    await backend.load(media);
    service = createService(backend);
  });
  afterAll(() => backend.close());

  it("counts the whole database, with the contract's lists in order", async () => {
    const { text, body } = await service.get('/api/v1/facets');
    expect(Object.keys(JSON.parse(text))).toEqual([
      'total',
      'countries',
      'kinds',
      'types',
      'categories',
      'continents',
      'coverages',
      'city_sizes',
      'languages',
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

  it('counts each list under all filters except its own', async () => {
    const { body } = await service.get('/api/v1/facets?kind=podcast&country=US');
    expect(body.total).toBe(1);
    expect(body.kinds.map(({ value }: { value: string }) => value)).toEqual(['outlet', 'podcast']);
    expect(body.countries).toEqual([{ value: 'US', label: 'United States', count: 1 }]);
    expect(body.languages).toEqual([{ value: 'en', label: 'English', count: 1 }]);
  });

  it.each(['?q=tech', '?q=radio miami', '?q=nothingatall', '?named=1', '?kind=!outlet&continent=europe', '?q=-radio'])(
    'counts the same records that search finds: %s',
    async (query) => {
      const [facets, search] = [
        await service.get(`/api/v1/facets${query}`),
        await service.get(`/api/v1/search${query}`),
      ];
      expect([facets.status, search.status]).toEqual([200, 200]);
      expect(facets.body.total).toBe(search.body.total);
    },
  );

  it('has no pages and no order', async () => {
    const { status, body } = await service.get('/api/v1/facets?page=1&sort=name');
    expect(status).toBe(400);
    expect(body.errors.map(({ name, code }: { name: string; code: string }) => [name, code])).toEqual([
      ['page', 'unknown_parameter'],
      ['sort', 'unknown_parameter'],
    ]);
  });
});
