import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectRenewed, makeOldStore } from '../../test/support/old-store.ts';
import { type ServiceProcess, startService } from '../../test/support/run-service.ts';

const records = 2_000;

interface Found {
  total: number;
  results: { email: string | null; city: string | null }[];
}

describe('a service on the embedded store of an earlier version', () => {
  let parent: string;
  let dataDir: string;
  const running = new Set<ServiceProcess>();

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'masthead-upgrade-'));
    dataDir = join(parent, 'data');
    await makeOldStore(dataDir, records);
  });
  afterEach(async () => {
    for (const service of running) service.process.kill('SIGKILL');
    await Promise.all([...running].map(({ ended }) => ended));
    await rm(parent, { recursive: true });
  });

  async function start(): Promise<ServiceProcess> {
    const service = await startService({ MASTHEAD_DATA_DIR: dataDir, RATE_LIMIT_ANONYMOUS: '1000000' });
    running.add(service);
    void service.ended.then(() => running.delete(service));
    return service;
  }

  const search = async ({ url }: ServiceProcess, query: string) =>
    (await (await fetch(`${url}/api/v1/search?${query}`)).json()) as Found;

  it('rebuilds its index while it serves, and meanwhile shows no mask made by another rule', async () => {
    const service = await start();
    await service.logs("was built by other rules than this version's: rebuilding it");
    let isRenewed = false;
    const renewed = service.logs('rebuilt the search index').then(() => {
      isRenewed = true;
    });
    while (!isRenewed) {
      const { total, results } = await search(service, 'has_email=1&per_page=100');
      expect(total).toBeGreaterThan(0);
      for (const { email } of results) expect(email ?? 'a***@none.example').toMatch(/^.?\*{3}@/);
    }
    await renewed;
    const { results } = await search(service, 'has_email=1&per_page=100');
    for (const { email } of results) expect(email).toMatch(/^.?\*{3}@/);
    const city = (await search(service, 'per_page=100')).results.find((record) => record.city !== null)?.city ?? '';
    expect((await search(service, `city=${encodeURIComponent(city)}`)).total).toBeGreaterThan(0);
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    await expectRenewed(dataDir, records);

    const again = await start();
    again.process.kill('SIGTERM');
    expect(await again.ended).toBe(0);
    expect(again.stderr()).not.toContain('other rules');
  });

  it('rebuilds its index at the next start if it is stopped or killed meanwhile', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const service = await start();
      await service.logs('rebuilding it');
      service.process.kill(signal);
      expect(await service.ended).toBe(signal === 'SIGTERM' ? 0 : 'SIGKILL');
      expect(service.stderr()).not.toContain('was not rebuilt');
    }
    const service = await start();
    await service.logs('rebuilt the search index');
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    await expectRenewed(dataDir, records);
  });
});
