import request from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { suppressionKey } from '#records/suppression.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useService } from './test-service.ts';

const herald = { name: 'The Herald', country: 'US', city: 'Springfield', categories: ['politics'] as const };

describe('a record that was merged into another', () => {
  const { backend, service } = useService();
  beforeAll(async () => {
    await backend.load([
      madeRecord({ ...herald, id: 'kept:1/ä', categories: ['politics'], email: 'desk@herald.example' }),
      madeRecord({ ...herald, id: 'old', name: 'Herald Springfield', categories: [] }),
      madeRecord({ ...herald, id: 'older', name: 'Springfield Herald', categories: [] }),
      madeRecord({ ...herald, id: 'other', name: 'Evening Post', categories: ['politics'] }),
      madeRecord({ ...herald, id: 'hidden', name: 'Hidden', categories: [] }),
      madeRecord({ ...herald, id: 'was-hidden', name: 'Hidden', categories: [] }),
    ]);
    const started = { action: 'merge', operator: 'ada', startedAt: '2026-01-01T00:00:00.000Z', undoes: null } as const;
    await backend.changes.begin({ id: 'set', ...started });
    await backend.records.mergeDuplicates('old', ['older'], 'set');
    await backend.records.mergeDuplicates('kept:1/ä', ['old'], 'set');
    await backend.records.mergeDuplicates('hidden', ['was-hidden'], 'set');
    await backend.suppressions.add([
      { key: suppressionKey('record', 'hidden'), reason: null, addedAt: '2026-01-01T00:00:00.000Z' },
    ]);
    await backend.settle();
  });

  const keptPath = '/api/v1/records/kept%3A1%2F%C3%A4';
  const follow = (path: string) => request(service.app).get(path).redirects(1);

  it.each(['old', 'older'])('sends from %s to the kept one with the same parameters', async (id) => {
    const moved = await service.get(`/api/v1/records/${id}?fields=name`);
    expect(moved.status).toBe(308);
    expect(new URL(moved.headers.location ?? '', `http://x/api/v1/records/${id}`).pathname).toBe(keptPath);
    expect(moved.headers['cache-control']).toBe('private, no-cache');
    const answer = await follow(`/api/v1/records/${id}?fields=name`);
    expect(answer.body).toEqual({ id: 'kept:1/ä', name: 'The Herald' });
  });

  it('sends from its page to that of the kept one', async () => {
    const moved = await service.get('/media/older');
    expect({ status: moved.status, location: moved.headers.location }).toEqual({
      status: 308,
      location: 'kept%3A1%2F%C3%A4',
    });
  });

  it('sends to what is similar to the kept one', async () => {
    expect((await service.get('/api/v1/records/old/similar')).status).toBe(308);
    const answer = await follow('/api/v1/records/old/similar?per_page=5&fields=name');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual((await service.get(`${keptPath}/similar?per_page=5&fields=name`)).body);
    expect(answer.body.results).toEqual([{ id: 'other', name: 'Evening Post' }]);
  });

  it('is looked up under the id that was asked for', async () => {
    const { body } = await request(service.app)
      .post('/api/v1/records/lookup')
      .send({ ids: ['older', 'kept:1/ä', 'none', 'old'], fields: ['name'] });
    const record = { id: 'kept:1/ä', name: 'The Herald' };
    expect(body.results).toEqual([
      { asked: 'older', record, matches: 1 },
      { asked: 'kept:1/ä', record, matches: 1 },
      { asked: 'none', record: null, matches: 0 },
      { asked: 'old', record, matches: 1 },
    ]);
  });

  it('is found, counted and exported by its old id', async () => {
    const found = await service.get('/api/v1/search?id=old%7Colder%7Cother&fields=name');
    expect(found.body.results.map(({ id }: { id: string }) => id).toSorted()).toEqual(['kept:1/ä', 'other']);
    expect((await service.get('/api/v1/facets?id=older')).body.total).toBe(1);
    const key = await service.issueKey('premium');
    const exported = await service.get('/api/v1/export?format=csv&id=old&fields=name', key);
    expect(exported.text).toBe('id,name\r\nkept:1/ä,The Herald\r\n');
  });

  it('is not found where the kept one is hidden', async () => {
    expect((await service.get('/api/v1/records/was-hidden')).status).toBe(404);
    expect((await service.get('/api/v1/records/was-hidden/similar')).status).toBe(404);
    const { body } = await request(service.app)
      .post('/api/v1/records/lookup')
      .send({ ids: ['was-hidden'] });
    expect(body.results).toEqual([{ asked: 'was-hidden', record: null, matches: 0 }]);
  });
});
