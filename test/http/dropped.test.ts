import { describe, expect, it } from 'vitest';
import { madeRecord } from '#testing/made-record.ts';
import { useService } from './test-service.ts';

const texas = { kind: 'outlet', type: 'newspaper', country: 'US', region: 'Texas', city: null } as const;
const records = [
  ...['one', 'two', 'three', 'four', 'five', 'six'].map((id) =>
    madeRecord({ ...texas, id, name: `Prairie Lantern ${id}`, email: `desk@${id}.example` }),
  ),
  madeRecord({ ...texas, id: 'rain', name: 'Rain Gauge', description: 'All about climate.', email: 'a@rain.example' }),
  madeRecord({ ...texas, id: 'show', kind: 'podcast', type: null, name: 'Rain Talk', description: 'Climate, weekly.' }),
  madeRecord({ id: 'norway', name: 'Fjord', country: 'NO', description: 'Kryptovaluta og crypto.', email: null }),
];
const topicInPlace = 'Crypto, in Texas';
const described = 'climate newspapers in texas';

/** Contract A19: an answer says what it dropped, and nothing that goes out has less than what was asked. */
describe('what a search dropped', () => {
  const { service, keys } = useService(records);
  const url = (path: string, parameters: Record<string, string>) =>
    `/api/v1/${path}?${new URLSearchParams(parameters)}`;

  it('is in search and facets as it was typed, and only there', async () => {
    const { body } = await service.get(url('search', { q: topicInPlace })).expect(200);
    expect(Object.keys(body).slice(-2)).toEqual(['corrected', 'dropped']);
    expect(body).toMatchObject({ total: 8, dropped: ['Crypto'] });
    const counted = (await service.get(url('facets', { q: topicInPlace }))).body;
    expect(Object.keys(counted).at(-1)).toBe('dropped');
    expect(counted).toMatchObject({ total: 8, dropped: ['Crypto'] });
    for (const q of ['climate in texas', 'newspapers in texas', '']) {
      expect((await service.get(url('search', { q }))).body).not.toHaveProperty('dropped');
    }
  });

  it.each([
    [topicInPlace, 0, 0],
    [described, 1, 0],
    ['climate in texas', 1, 1],
  ])('is in no export and no push of %s', async (q, rows, excluded) => {
    const file = await service.get(url('export', { q }), keys.premium).expect(200);
    expect([file.headers['x-total-count'], file.headers['x-excluded-count']]).toEqual([`${rows}`, `${excluded}`]);
    expect(file.text.trim().split('\r\n')).toHaveLength(1 + rows);
    const leads = await service.get(url('export', { q, format: 'instantly' }), keys.premium).expect(200);
    expect(leads.headers['x-total-count']).toBe(`${rows}`);
    const whole = (await service.get(url('search', { q, whole: '1' }))).body;
    expect(whole.total).toBe(rows + excluded);
    expect(whole).not.toHaveProperty('dropped');
  });

  it('is said by the tools for models', async () => {
    const call = async (name: string, args: object) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const accept = 'application/json, text/event-stream';
      const { body } = await service.post('/mcp').set('Accept', accept).send(message);
      return body.result.structuredContent;
    };
    expect(await call('search_media', { q: topicInPlace })).toMatchObject({ total: 8, dropped: ['Crypto'] });
    expect(await call('count_media', { q: topicInPlace, values: 1 })).toMatchObject({ dropped: ['Crypto'] });
  });

  it('is said by the page, with the way to what has all of it', async () => {
    const { text } = await service.get(`/?${new URLSearchParams({ q: topicInPlace })}`).expect(200);
    expect(text).toContain('Not all of these have “Crypto”.');
    expect(text).toContain('whole=1');
    const long = await service.get(`/?${new URLSearchParams({ q: 'Zephyr opera crypto knitting in Texas' })}`);
    expect(long.text).toContain('Not all of these have “Zephyr”, “opera”, “crypto”, and 2 more.');
    expect((await service.get(`/?${new URLSearchParams({ q: described, whole: '1' })}`)).text).not.toContain('Not all');
  });

  it('is no reason to leave out what is near in meaning, which stands beside the results and is masked as they are', async () => {
    const near = { q: 'global warming', region: 'Texas', fields: 'id,email' };
    const { body } = await service.get(url('search', near)).expect(200);
    expect(body).toMatchObject({ results: [], total: 0, masked: true });
    expect(body.also).toEqual(expect.arrayContaining([{ id: 'rain', email: '***@rain.example' }]));
    expect(Object.keys(body).indexOf('also')).toBe(Object.keys(body).indexOf('masked') + 1);
    const { also } = (await service.get(url('search', near), keys.premium)).body;
    expect(also).toEqual(expect.arrayContaining([{ id: 'rain', email: 'a@rain.example' }]));
    for (const other of [{ page: '2' }, { strict: '1' }, { match: 'meaning' }, { q: 'Rain Gauge' }]) {
      expect((await service.get(url('search', { ...near, ...other }))).body).not.toHaveProperty('also');
    }
    expect((await service.get(url('export', near), keys.premium)).headers['x-total-count']).toBe('0');
    expect((await service.get(`/?${new URLSearchParams({ q: near.q })}`)).text).toMatch(
      /Near in meaning:.*Rain Gauge/s,
    );
  });

  it('is what suggestions never need', async () => {
    const { body } = await service.get(url('search', { q: topicInPlace, kind: 'newsletter' })).expect(200);
    expect(body.total).toBe(0);
    for (const { q = '', filters = {}, total } of body.suggestions) {
      const suggested = (await service.get(url('search', { ...filters, q }))).body;
      expect(suggested).not.toHaveProperty('dropped');
      expect(suggested.total).toBe(total);
    }
  });
});
