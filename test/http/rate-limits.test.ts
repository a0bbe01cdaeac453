import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { generateApiKey } from '#accounts/api-key.ts';
import type { AppDeps } from '#http/app-deps.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { useOne } from '#testing/use.ts';
import { createService, type TestService, unlimited } from './test-service.ts';

describe('request limits', () => {
  const backend = useOne(openEmbeddedForTest);
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const limited = (given: Partial<AppDeps> = {}) =>
    createService(backend, { rateLimits: { ...unlimited, anonymous: 3, pro: 5, premium: 7 }, trustProxy: 1, ...given });
  const from = (service: TestService, address: string, path = '/api/v1/search') =>
    service.get(path).set('X-Forwarded-For', address);
  const limitsOf = ({ headers }: request.Response) => [
    headers['ratelimit-limit'],
    headers['ratelimit-remaining'],
    headers['ratelimit-reset'],
  ];

  it('count down on every answer, then refuse with 429 and say when to try again', async () => {
    const service = limited();
    expect(limitsOf(await from(service, '192.0.2.1'))).toEqual(['3', '2', '60']);
    expect(limitsOf(await from(service, '192.0.2.1', '/api/v1/search?page=0'))).toEqual(['3', '1', '60']);
    vi.setSystemTime(new Date('2026-11-21T12:00:20.500Z'));
    expect(limitsOf(await from(service, '192.0.2.1', '/api/v1/nothing'))).toEqual(['3', '0', '40']);

    const refused = await from(service, '192.0.2.1');
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe('rate_limited');
    expect(limitsOf(refused)).toEqual(['3', '0', '40']);
    expect(refused.headers['retry-after']).toBe('40');
  });

  it('say the same in the fields of the IETF draft, with the name of the limit', async () => {
    const service = limited();
    const draft = ({ headers }: request.Response) => [headers['ratelimit-policy'], headers.ratelimit];
    expect(draft(await from(service, '192.0.2.1'))).toEqual(['"anonymous";q=3;w=60', '"anonymous";r=2;t=60']);
    const key = await service.issueKey('pro');
    const keyed = await from(service, '192.0.2.1').set('Authorization', `Bearer ${key}`);
    expect(draft(keyed)).toEqual(['"pro";q=5;w=60', '"pro";r=4;t=60']);
    for (let count = 0; count < 3; count += 1) await from(service, '192.0.2.1');
    expect(draft(await from(service, '192.0.2.1'))).toEqual(['"anonymous";q=3;w=60', '"anonymous";r=0;t=60']);
    const order = await from(service, '192.0.2.1', '/api/v1/orders/x');
    expect(draft(order)[0]).toBe('"checkout";q=100000;w=60');
  });

  it('reset after a minute', async () => {
    const service = limited();
    for (let count = 0; count < 4; count += 1) await from(service, '192.0.2.1');
    expect((await from(service, '192.0.2.1')).status).toBe(429);
    vi.setSystemTime(new Date('2026-11-21T12:01:00.001Z'));
    expect(limitsOf(await from(service, '192.0.2.1'))).toEqual(['3', '2', '60']);
  });

  it.each([
    ['an hour back', '2026-11-21T11:00:00Z'],
    ['back from a hundred days ahead', '2026-08-13T12:00:00Z'],
  ])('begin again if the clock is set %s', async (_, time) => {
    const service = limited();
    for (let count = 0; count < 4; count += 1) await from(service, '192.0.2.1');
    vi.setSystemTime(new Date(time));
    expect(limitsOf(await service.post('/api/v1/webhooks/stripe').set('X-Forwarded-For', '192.0.2.1'))).toEqual([
      ...['3', '3', '60'],
    ]);
    expect(limitsOf(await from(service, '192.0.2.1'))).toEqual(['3', '2', '60']);
  });

  it('count addresses separately, but a whole IPv6 /64 together', async () => {
    const service = limited();
    expect(limitsOf(await from(service, '2001:db8:1:2::1'))[1]).toBe('2');
    expect(limitsOf(await from(service, '2001:0db8:0001:0002:ffff:ffff:ffff:ffff'))[1]).toBe('1');
    expect(limitsOf(await from(service, '2001:db8:1:3::1'))[1]).toBe('2');
    expect(limitsOf(await from(service, '192.0.2.1'))[1]).toBe('2');
    expect(limitsOf(await from(service, '::ffff:192.0.2.1'))[1]).toBe('1');
  });

  it.each([
    ['203.0.113.9:4711', '203.0.113.9:80', '203.0.113.9', '203.0.113.10:4711'],
    ['[2001:db8:1:2::1]:80', '[2001:db8:1:2::9]', '2001:db8:1:2::3', '[2001:db8:1:3::1]:80'],
    ['[::ffff:192.0.2.1]:80', '192.0.2.1:81', '::ffff:192.0.2.1', '192.0.2.2:80'],
  ])('count an address in X-Forwarded-For without its port: %s', async (address, samePlace, bare, otherPlace) => {
    const service = limited();
    expect(limitsOf(await from(service, address))[1]).toBe('2');
    expect(limitsOf(await from(service, samePlace))[1]).toBe('1');
    expect(limitsOf(await from(service, bare))[1]).toBe('0');
    expect(limitsOf(await from(service, otherPlace))[1]).toBe('2');
  });

  it.each(['unknown', '999.1.1.1', '203.0.113.9:port', 'a, , b'])(
    'count the nearest known address if X-Forwarded-For contains no address: %s',
    async (garbage) => {
      const service = limited();
      expect(limitsOf(await service.get('/api/v1/search'))[1]).toBe('2');
      expect(limitsOf(await from(service, garbage))[1]).toBe('1');
      expect(limitsOf(await from(service, '192.0.2.1'))[1]).toBe('2');

      const behindTwo = limited({ trustProxy: ['127.0.0.0/8', '::1', '::ffff:127.0.0.1', '10.0.0.4'] });
      expect(limitsOf(await from(behindTwo, '10.0.0.4'))[1]).toBe('2');
      expect(limitsOf(await from(behindTwo, `${garbage}, 10.0.0.4`))[1]).toBe('1');
    },
  );

  it('ignore X-Forwarded-For unless a proxy is trusted', async () => {
    const service = limited({ trustProxy: false });
    await from(service, '192.0.2.1');
    expect(limitsOf(await from(service, '192.0.2.2'))[1]).toBe('1');
  });

  it('count a key by its plan, wherever it is used from', async () => {
    const service = limited();
    const [pro, premium, expired] = [
      await service.issueKey('pro'),
      await service.issueKey('premium'),
      await service.issueKey('premium', -1),
    ];
    const keyed = (key: string, address: string) => from(service, address).set('Authorization', `Bearer ${key}`);
    expect(limitsOf(await keyed(pro, '192.0.2.1'))).toEqual(['5', '4', '60']);
    expect(limitsOf(await keyed(pro, '192.0.2.2'))).toEqual(['5', '3', '60']);
    expect(limitsOf(await keyed(premium, '192.0.2.1'))).toEqual(['7', '6', '60']);
    expect(limitsOf(await keyed(expired, '192.0.2.1'))).toEqual(['3', '2', '60']);
    expect(limitsOf(await from(service, '192.0.2.1'))).toEqual(['3', '2', '60']);
  });

  it('count 401 answers against the address, and let a good key go on beside them', async () => {
    const service = limited();
    const keyed = (key: string) => from(service, '192.0.2.1').set('Authorization', `Bearer ${key}`);
    expect(limitsOf(await keyed('no key'))).toEqual(['3', '2', '60']);
    expect(limitsOf(await keyed(generateApiKey()))).toEqual(['3', '1', '60']);
    expect(limitsOf(await from(service, '192.0.2.1', '/api/v1/me'))).toEqual(['3', '0', '60']);
    expect((await keyed(generateApiKey())).status).toBe(429);
    expect((await from(service, '192.0.2.1')).status).toBe(429);
    expect((await keyed(await service.issueKey('pro'))).status).toBe(200);
  });

  it('ask no store about a key with a wrong checksum', async () => {
    const findByHash = vi.spyOn(backend.keys, 'findByHash');
    try {
      const service = limited();
      const key = generateApiKey();
      const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
      const answer = await from(service, '192.0.2.1').set('Authorization', `Bearer ${mistyped}`);
      expect(answer.body.code).toBe('key_invalid');
      expect(findByHash).not.toHaveBeenCalled();
    } finally {
      findByHash.mockRestore();
    }
  });

  it('show the state on preflights without counting them', async () => {
    const service = limited();
    for (let count = 0; count < 5; count += 1) {
      const answer = await request(service.app).options('/api/v1/search').set('X-Forwarded-For', '192.0.2.1');
      expect(answer.status).toBe(204);
      expect(limitsOf(answer)).toEqual(['3', '3', '60']);
    }
  });

  it('do not apply to health checks', async () => {
    const service = limited();
    for (let count = 0; count < 5; count += 1) {
      const answer = await from(service, '192.0.2.1', '/healthz');
      expect(answer.status).toBe(200);
      expect(answer.headers['ratelimit-limit']).toBeUndefined();
    }
  });
});
