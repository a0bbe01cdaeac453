import request from 'supertest';
import { describe, expect, it, vi } from 'vitest';
import { generateApiKey } from '#accounts/api-key.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { startBreakableProxy } from '#testing/engines/breakable-proxy.ts';
import { engines } from '#testing/engines.ts';
import { newTestDatabase } from '#testing/mongo-database.ts';
import { useOne } from '#testing/use.ts';
import { createService, type TestService } from './test-service.ts';

const url = engines.mongodb;
/** So long that a service never counts alone, even on a busy machine. */
const patient = 20_000;

/* Two services that share nothing but a MongoDB, as two processes do. */
describe.skipIf(url === null)('request limits that several processes share', () => {
  const proxy = useOne(() => startBreakableProxy(url ?? ''));
  const database = useOne(() => newTestDatabase(proxy.url));
  const backend = useOne(openEmbeddedForTest);
  let limit = 5;

  /** A separate service that distinguishes addresses by X-Forwarded-For. */
  async function openService(timeoutMs?: number): Promise<TestService> {
    const store = await database.open();
    await store.whenPrepared();
    return createService(backend, {
      sharedCounter: store.openRequestCounter(timeoutMs),
      trustProxy: 1,
      rateLimits: { anonymous: limit, pro: 1_000, premium: 1_000, checkout: limit },
    });
  }
  const ask = (service: TestService, address: string, path = '/api/v1/plans', key?: string) => {
    const asked = request(service.app).get(path).set('X-Forwarded-For', address);
    return key === undefined ? asked : asked.set('Authorization', `Bearer ${key}`);
  };

  it('count exactly, for one address over both', async () => {
    const services = [await openService(patient), await openService(patient)];
    const answers = await Promise.all(
      services.flatMap((service) => Array.from({ length: 10 }, () => ask(service, '192.0.2.1'))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(limit);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - limit);
    for (const service of services) {
      const { status, headers } = await ask(service, '192.0.2.1');
      expect([status, headers['ratelimit-remaining']]).toEqual([429, '0']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect((await ask(service, '192.0.2.2')).status).toBe(200);
    }
  });

  it('begin again if the clock is set back', async () => {
    const services = [await openService(patient), await openService(patient)] as const;
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      for (let count = 0; count < limit + 1; count += 1) await ask(services[0], '192.0.2.7');
      expect((await ask(services[0], '192.0.2.7')).status).toBe(429);
      vi.setSystemTime(Date.now() - 3_600_000);
      for (const service of services) expect((await ask(service, '192.0.2.7')).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  it('count invented keys over both', async () => {
    const services = [await openService(patient), await openService(patient)];
    const statuses: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      for (const service of services) {
        statuses.push((await ask(service, '192.0.2.3', '/api/v1/me', generateApiKey())).status);
      }
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429, 429]);
  });

  it('admit at most an eighth too many for each further process, however fast the requests', async () => {
    limit = 80;
    const services = [await openService(patient), await openService(patient)];
    const statuses: number[] = [];
    const askAll = async (service: TestService) => {
      for (let count = 0; count < 100; count += 1) statuses.push((await ask(service, '192.0.2.6')).status);
    };
    await Promise.all(services.map(askAll));
    const served = statuses.filter((status) => status === 200);
    expect(served.length).toBeGreaterThanOrEqual(limit);
    expect(served.length).toBeLessThanOrEqual(limit + limit / 8);
    for (const service of services) expect((await ask(service, '192.0.2.6')).status).toBe(429);
  });

  it('reach every process soon, including requests that the first did not wait for', async () => {
    limit = 80;
    const [first, second] = [await openService(patient), await openService(patient)];
    for (let count = 1; count <= 6; count += 1) {
      expect((await ask(first, '192.0.2.7')).headers['ratelimit-remaining']).toBe(String(limit - count));
    }
    const look = () => request(second.app).options('/api/v1/plans').set('X-Forwarded-For', '192.0.2.7');
    await expect.poll(async () => (await look()).headers['ratelimit-remaining']).toBe(String(limit - 6));
    expect((await ask(second, '192.0.2.7')).headers['ratelimit-remaining']).toBe(String(limit - 7));
  });

  it('are counted by each process alone while the store is down', async () => {
    limit = 50;
    const service = await openService();
    const left = async () => Number((await ask(service, '192.0.2.4')).headers['ratelimit-remaining']);
    expect(await left()).toBe(49);
    await proxy.cut();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(service, '192.0.2.4')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(await left()).toBeLessThanOrEqual(30);

    await proxy.mend();
    // Counts of the store go on, and another process sees them.
    const other = await openService();
    const leftBy = async (by: TestService) => Number((await ask(by, '192.0.2.5')).headers['ratelimit-remaining']);
    await expect.poll(async () => (await leftBy(service)) - (await leftBy(other))).toBeGreaterThan(0);
  });
});
