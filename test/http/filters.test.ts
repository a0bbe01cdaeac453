import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { media } from '#testing/made-record.ts';
import { useService } from './test-service.ts';

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
  const verified = { last_verified_at: '2026-01-01T00:00:00.000Z', email_status: 'valid' } as const;
  const { service, keys } = useService(
    media.map((record) => (record.id === 'times' ? { ...record, ...verified } : record)),
  );

  const queryOf = (filters: Record<string, string | string[]>) =>
    new URLSearchParams(
      Object.entries(filters).flatMap(([name, values]) => [values].flat().map((value) => [name, value])),
    );

  it.each(cases)('%j leaves the same in a search, in facets and in an export', async (filters, ids) => {
    const found = await service.get(`/api/v1/search?${queryOf(filters)}`);
    expect(found.body.results?.map(({ id }: { id: string }) => id).toSorted(), found.text).toEqual(ids);
    const facets = await service.get(`/api/v1/facets?${queryOf(filters)}`).expect(200);
    expect(facets.body.total).toBe(ids.length);
    const file = await service.get(`/api/v1/export?${queryOf({ ...everyKind, ...filters })}`, keys.premium).expect(200);
    const rows: { id: string }[] = parse(file.text, { columns: true });
    expect(rows.map(({ id }) => id).toSorted()).toEqual(ids);
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
});
