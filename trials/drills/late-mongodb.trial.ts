import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasEngines, openOnEngines } from '../../test/support/backends.ts';
import { type BreakableProxy, startBreakableProxy } from '../../test/support/engines/breakable-proxy.ts';
import type { Production } from '../../test/support/open-production.ts';
import { type ServiceProcess, startService } from '../../test/support/processes.ts';
import { runHere } from '../../test/support/run-here.ts';

describe.skipIf(!hasEngines)('a service that starts before MongoDB is up', () => {
  let production: Production;
  let proxy: BreakableProxy;
  let service: ServiceProcess;
  let key: string;

  /** Starts the service. Returns a function that asks with the key and returns the status of the answer. */
  async function start(given: Record<string, string> = {}): Promise<() => Promise<number>> {
    const settings = { ...production.settings, MONGODB_URI: proxy.url, RATE_LIMIT_ANONYMOUS: '1000000' };
    service = await startService({ ...settings, ...given });
    return async () =>
      (await fetch(`${service.url}/api/v1/me`, { headers: { Authorization: `Bearer ${key}` } })).status;
  }

  beforeEach(async () => {
    production = await openOnEngines();
    await production.reindex(true);
    const issue = ['admin/main.ts', 'keys', 'issue', '--tier', 'pro', '--days', '1'];
    key = (await runHere(issue, production.settings)).stdout.trim();
    proxy = await startBreakableProxy(production.settings.MONGODB_URI ?? '');
    await proxy.cut();
  });
  afterEach(async () => {
    service.process.kill('SIGKILL');
    await service.ended;
    await proxy.close();
    await production.close();
  });

  it('uses its pepper once that is confirmed, and answers 503 until then', async () => {
    const me = await start();
    expect(await me()).toBe(503);
    await proxy.mend();
    const first = await vi.waitUntil(async () => [await me()].find((status) => status !== 503), { timeout: 60_000 });
    expect(first).toBe(200);
  });

  it('exits, and accepts nobody with the wrong pepper, if its pepper turns out to be another', async () => {
    const me = await start({ KEY_PEPPER: 'z'.repeat(40) });
    expect(await me()).toBe(503);
    await proxy.mend();
    const statuses = new Set<number>();
    while (service.process.exitCode === null) statuses.add(await me().catch(() => 503));
    expect(await service.ended).toBe(1);
    expect(service.stderr()).toMatch(/KEY_PEPPER is not the key pepper that this store has used since/);
    // Until the process ends, it must not accept any key.
    expect([401, 503]).toEqual(expect.arrayContaining([...statuses]));
  });
});
