import { beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '#accounts/api-key.ts';
import { media } from '#testing/made-record.ts';
import { daysAfter } from '#text/days.ts';
import { createService, testNow, unlimited, useService } from './test-service.ts';

/* The access table of the contract (A2), each cell that exists, and the order of its checks. */
describe('who sees what', () => {
  const { backend, service, keys } = useService(media);
  let revoked: string;
  beforeAll(async () => {
    revoked = await service.issueKey('premium');
    await service.revoke(revoked);
  });

  const emailOf = async (path: string, key?: string) => {
    const { body, status } = await service.get(path, key);
    expect(status).toBe(200);
    const record = body.results?.[0] ?? body;
    return { email: record.email, source: record.email_source };
  };
  const masked = { email: 'a***@harbour-times.example', source: null };
  const whole = {
    email: 'adaquill7@harbour-times.example',
    source: 'https://harbour-times.example/imprint-secret-page',
  };

  it.each(['/api/v1/search?city=leeds', '/api/v1/records/times'])(
    'masks %s without a plan that runs, and shows all of it with one',
    async (path) => {
      for (const key of [undefined, keys.expired]) expect(await emailOf(path, key)).toEqual(masked);
      for (const key of [keys.pro, keys.premium]) expect(await emailOf(path, key)).toEqual(whole);
    },
  );

  it('masks a one-character local part completely', async () => {
    expect((await emailOf('/api/v1/records/pod')).email).toBe('***@founders-afloat.example');
  });

  it('counts the same facets for everybody', async () => {
    const answers = await Promise.all(
      [undefined, keys.expired, keys.pro, keys.premium].map((key) => service.get('/api/v1/facets', key)),
    );
    for (const answer of answers) expect(answer.status).toBe(200);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('tells the holder of a key what it gives, even once its plan has expired', async () => {
    const running = await service.get('/api/v1/me', keys.pro);
    expect(running.text).toBe(
      JSON.stringify({
        plan: 'pro',
        status: 'active',
        expires_at: '2026-12-21T12:00:00.000Z',
        key_prefix: keys.pro.slice(0, 11),
        order_id: null,
        billing_portal_url: null,
      }),
    );
    expect((await service.get('/api/v1/me', keys.expired)).body).toMatchObject({ plan: 'premium', status: 'expired' });
  });

  describe.each([
    '/api/v1/search',
    '/api/v1/facets',
    '/api/v1/records/times',
    '/api/v1/export',
    '/api/v1/plans',
    '/api/v1/me',
  ])('%s', (path) => {
    it.each([
      ['an unknown key', () => `Bearer ${generateApiKey()}`],
      ['a revoked key', () => `Bearer ${revoked}`],
      ['a key with a letter changed', () => `Bearer ${keys.pro.slice(0, -1)}${keys.pro.endsWith('0') ? '1' : '0'}`],
      ['a key that is none', () => 'Bearer secret'],
      ['a bare scheme', () => 'Bearer'],
      ['another scheme', () => `Basic ${Buffer.from(`${keys.pro}:`).toString('base64')}`],
      ['a key without a scheme', () => keys.pro],
      ['an empty header', () => ''],
      ['two keys', () => `Bearer ${keys.pro} ${keys.premium}`],
    ])('refuses %s with 401, never as a caller without a key', async (_, header) => {
      const answer = await service.get(path).set('Authorization', header());
      expect(answer.status).toBe(401);
      expect(answer.body.code).toBe('key_invalid');
      expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
      expect(answer.text).not.toContain(keys.pro);
    });
  });

  it.each(['X-API-Key', 'apikey'])('says where the key belongs if it is in %s, unless it is there', async (name) => {
    for (const path of ['/api/v1/search', '/api/v1/me', '/api/v1/plans']) {
      const wrong = await service.get(path).set(name, keys.pro);
      expect([wrong.status, wrong.body.code]).toEqual([401, 'key_invalid']);
      expect(wrong.body.detail).toBe(`Send the key in the header \`Authorization: Bearer <key>\`, not in ${name}.`);
    }
    expect((await service.get('/api/v1/search', keys.pro).set(name, 'x')).body.masked).toBe(false);
    expect((await service.get('/api/v1/search').set(name, ' ')).body.masked).toBe(true);
  });

  it.each(['bearer', 'BEARER', 'BeArEr'])('accepts the scheme in any case: %s', async (scheme) => {
    const answer = await service.get('/api/v1/me').set('Authorization', `${scheme}  ${keys.pro}`);
    expect(answer.status).toBe(200);
  });

  it('never accepts a key from the URL, and does not repeat it', async () => {
    const answer = await service.get(`/api/v1/search?api_key=${keys.pro}`);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].message).toMatch(/Authorization: Bearer/);
    expect(answer.text).not.toContain(keys.pro);
  });

  it('masks from the moment the plan ends', async () => {
    const key = await service.issueKey('pro', 1);
    const expiry = testNow.getTime() + 24 * 60 * 60 * 1000;
    const before = createService(backend, { now: () => new Date(expiry - 1) });
    const after = createService(backend, { now: () => new Date(expiry) });
    expect((await before.get('/api/v1/search', key)).body.masked).toBe(false);
    expect((await after.get('/api/v1/search', key)).body.masked).toBe(true);
  });

  it('names the end of a plan in its last seven days', async () => {
    for (const [days, expected] of [[8], [7, daysAfter(testNow, 7)], [0]] as const) {
      const { headers } = await service.get('/api/v1/search?page=0', await service.issueKey('pro', days));
      expect(headers['x-plan-expires-at']).toBe(expected);
    }
  });

  it('checks 404 and 405, then 429, then 401, then 400', async () => {
    const strict = createService(backend, { rateLimits: { ...unlimited, anonymous: 1 } });
    const bad = { Authorization: 'Bearer no key' };
    expect((await strict.get('/api/v1/search?page=0').set(bad)).status).toBe(401);
    expect((await strict.get('/api/v1/search?page=0').set(bad)).status).toBe(429);
    expect((await strict.get('/api/v1/nothing?page=0').set(bad)).status).toBe(404);
    expect((await strict.get('/api/v1/me?page=0', keys.pro)).status).toBe(400);
    for (const path of ['/api/v1/me?page=0', '/api/v1/export?format=none']) {
      expect((await service.get(path)).status, path).toBe(401);
    }
  });
});
