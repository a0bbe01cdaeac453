import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSample } from '#sample/load-sample.ts';
import { openBackends } from '#src/start/open-backends.ts';
import { verifyIndex } from '#src/syncing/verify-index.ts';
import { runCommand, type ServiceProcess, startService } from '#testing/run-service.ts';

const records = 2_000;

interface Found {
  total: number;
  results: { email: string | null; city: string | null }[];
}

/* A store as an earlier version leaves it: a column that came later is empty, and masks are made by another rule. */
describe('an embedded store after an upgrade', () => {
  let parent: string;
  let settings: Record<string, string>;
  const running = new Set<ServiceProcess>();

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'masthead-upgrade-'));
    settings = { MASTHEAD_DATA_DIR: join(parent, 'data'), RATE_LIMIT_ANONYMOUS: '1000000' };
    const backends = await openBackends({ dataDir: join(parent, 'data') });
    await loadSample(backends.records, records);
    await backends.close();
    const database = new DatabaseSync(join(parent, 'data', 'masthead.db'));
    database.exec(`
      UPDATE documents SET city = NULL;
      UPDATE records SET body = json_set(body, '$.email', substr(email, 1, 2) || '***' || substr(email, instr(email, '@')))
        WHERE email IS NOT NULL;
      UPDATE index_generations SET form = NULL`);
    database.close();
  });
  afterEach(async () => {
    for (const service of running) service.process.kill('SIGKILL');
    await Promise.all([...running].map(({ ended }) => ended));
    await rm(parent, { recursive: true });
  });

  async function start(): Promise<ServiceProcess> {
    const service = await startService(settings);
    running.add(service);
    void service.ended.then(() => running.delete(service));
    return service;
  }

  const search = async ({ url }: ServiceProcess, query: string) =>
    (await (await fetch(`${url}/api/v1/search?${query}`)).json()) as Found;

  /** That the index is what this version makes of every record. */
  async function expectRenewed(): Promise<void> {
    const backends = await openBackends({ dataDir: join(parent, 'data') });
    try {
      expect((await backends.upkeep.generations.findServed())?.isCurrent).toBe(true);
      expect(await verifyIndex(backends.upkeep, { repairs: false })).toMatchObject({
        compared: records,
        missing: 0,
        extra: 0,
        stale: 0,
      });
      expect(await backends.audit.list(1)).toMatchObject([
        { action: 'reindex', outcome: expect.stringContaining(`: ${records} indexed, 0 dead letters`) },
      ]);
    } finally {
      await backends.close();
    }
  }

  it('is indexed again beside the service, which meanwhile shows no mask of another rule', async () => {
    const service = await start();
    await service.logs("was built by other rules than this version's: building a new one");
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
    await expectRenewed();

    const again = await start();
    again.process.kill('SIGTERM');
    expect(await again.ended).toBe(0);
    expect(again.stderr()).not.toContain('other rules');
  }, 180_000);

  it('is indexed again at the next start where the service is stopped or killed meanwhile', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const service = await start();
      await service.logs('building a new one');
      service.process.kill(signal);
      expect(await service.ended).toBe(signal === 'SIGTERM' ? 0 : 'SIGKILL');
      expect(service.stderr()).not.toContain('was not rebuilt');
    }
    const service = await start();
    await service.logs('rebuilt the search index');
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    await expectRenewed();
  }, 180_000);

  it('is indexed again by `sync`, too', async () => {
    const { code, stderr, stdout } = await runCommand(['src/indexer.ts', 'sync'], settings);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/built by other rules .*: building a new one\./),
    });
    expect(stdout).toContain('There is nothing to do');
    await expectRenewed();
  }, 180_000);

  it('says in status and verify what it lacks, and what to run', async () => {
    const status = await runCommand(['src/indexer.ts', 'status'], settings);
    expect(status.stdout).toMatch(/^Form: +another than this version writes: npm run indexer -- reindex/m);
    expect(JSON.parse((await runCommand(['src/indexer.ts', 'status', '--json'], settings)).stdout)).toMatchObject({
      is_current: false,
    });
    const verify = await runCommand(['src/indexer.ts', 'verify'], settings);
    expect(verify).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/built by other rules .*npm run indexer -- reindex$/m),
    });
  }, 180_000);
});
