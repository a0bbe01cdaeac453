import { parse } from 'csv-parse/sync';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLeadTools } from '#src/start/open-lead-tools.ts';
import { openEmbeddedForTest, type TestBackend } from '#testing/backends.ts';
import { type InstantlyStandIn, startInstantly } from '#testing/stand-ins/instantly-server.ts';
import { media } from './media.ts';
import { createService, type TestService } from './test-service.ts';

const campaign = '7f1c2d3e-0000-4000-8000-123456789abc';
const everyKind = { kind: ['outlet', 'podcast', 'newsletter'] };

/** What each filter leaves of the media, in the order of their ids. */
const cases: readonly (readonly [filters: Record<string, string | string[]>, ids: readonly string[]])[] = [
  [{ updated_since: '2026-02-01' }, ['radio', 'times']],
  [{ updated_before: '2026-03-01' }, ['asahi/朝日', 'letter', 'pod', 'radio', 'silent']],
  [{ updated_since: '2026-02-01', updated_before: '2026-03-01T00:00:00Z' }, ['radio']],
  [{ verified_since: '2026-01-01' }, ['times']],
  [{ min_audience: '45000' }, ['pod', 'radio', 'times']],
  [{ max_audience: '45000' }, ['letter', 'radio']],
  [{ min_audience: '801', max_audience: '89999' }, ['radio']],
  [{ id: ['pod', 'times', 'absent'] }, ['pod', 'times']],
  [{ id: '!pod|!times', min_audience: '1' }, ['letter', 'radio']],
  [{ domain: ['harbour-times.example', 'https://www.radio-miramar.example/live'] }, ['radio', 'times']],
  [{ domain: 'x@founders-afloat.example', q: 'founders' }, ['pod']],
];

describe('filters by range, id and domain', () => {
  let backend: TestBackend;
  let service: TestService;
  let instantly: InstantlyStandIn;
  let premium: string;

  beforeAll(async () => {
    backend = await openEmbeddedForTest();
    const verified = { last_verified_at: '2026-01-01T00:00:00.000Z', email_status: 'valid' } as const;
    await backend.load(media.map((record) => (record.id === 'times' ? { ...record, ...verified } : record)));
    instantly = await startInstantly({ apiKey: 'tool-key', campaigns: [campaign] });
    const leadToolBases = { instantly: instantly.url, smartlead: instantly.url };
    service = createService(backend, { leadTools: openLeadTools({ leadToolBases }) });
    premium = await service.issueKey('premium');
  });
  afterAll(async () => {
    await instantly.close();
    await backend.close();
  });

  const queryOf = (filters: Record<string, string | string[]>) =>
    new URLSearchParams(
      Object.entries(filters).flatMap(([name, values]) => [values].flat().map((value) => [name, value])),
    );

  it.each(cases)('%j leaves the same in a search, in facets and in an export', async (filters, ids) => {
    const found = await service.get(`/api/v1/search?${queryOf(filters)}`);
    expect(found.body.results?.map(({ id }: { id: string }) => id).toSorted(), found.text).toEqual(ids);
    const facets = await service.get(`/api/v1/facets?${queryOf(filters)}`).expect(200);
    expect(facets.body.total).toBe(ids.length);
    const file = await service.get(`/api/v1/export?${queryOf({ ...everyKind, ...filters })}`, premium).expect(200);
    const rows: { id: string }[] = parse(file.text, { columns: true });
    expect(rows.map(({ id }) => id).toSorted()).toEqual(ids);
  });

  it.each(cases)('%j pushes the leads that an export has', async (filters) => {
    const given = { ...everyKind, ...filters };
    const file = await service.get(`/api/v1/export?${queryOf({ ...given, format: 'instantly' })}`, premium).expect(200);
    const rows: { email: string }[] = parse(file.text, { columns: true });
    const { body } = await request(service.app)
      .post('/api/v1/export/push')
      .set('Authorization', `Bearer ${premium}`)
      .send({ tool: 'instantly', api_key: 'tool-key', campaign_id: campaign, filters: given })
      .expect(200);
    expect(body).toMatchObject({ sent: rows.length });
  });

  it.each([
    ['country=Scotland', '"Scotland" is not a valid country. It is a valid region. Use region=Scotland.', undefined],
    ['kind=radio', '"radio" is not a valid kind. It is a valid type. Use type=radio.', undefined],
    ['category=sport', '"sport" is not a valid category.', 'sports'],
    ['country=Germny', '"Germny" is not a valid country.', 'Germany'],
  ])('%s says what was meant', async (query, message, nearest) => {
    const { body } = await service.get(`/api/v1/search?${query}`).expect(400);
    expect(body.errors[0].message).toContain(message);
    expect(body.errors[0].did_you_mean).toBe(nearest);
  });

  it('names what is wrong with a bound of a push as well', async () => {
    const { body } = await request(service.app)
      .post('/api/v1/export/push')
      .set('Authorization', `Bearer ${premium}`)
      .send({
        tool: 'instantly',
        api_key: 'tool-key',
        campaign_id: campaign,
        filters: { updated_since: '2025-02-29', min_audience: '2', max_audience: '1' },
      })
      .expect(400);
    expect(body.errors.map(({ name, code }: { name: string; code: string }) => [name, code]).toSorted()).toEqual([
      ['filters.min_audience', 'empty_range'],
      ['filters.updated_since', 'invalid_time'],
    ]);
  });

  it('keeps the bounds in the links to other pages', async () => {
    const { headers } = await service.get(
      '/api/v1/search?min_audience=1&updated_since=2026-01-01&id=times|pod&per_page=1',
    );
    const query = 'id=times%7Cpod&min_audience=1&updated_since=2026-01-01&per_page=1&page=2';
    expect(headers.link).toContain(`?${query}>; rel="next"`);
  });
});
