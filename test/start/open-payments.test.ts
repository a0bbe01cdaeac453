import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '#src/settings/config.ts';
import { createLogger } from '#src/start/create-logger.ts';
import { loadPayments } from '#src/start/open-payments.ts';
import { makeDataFolder } from '#testing/embedded-store.ts';
import { startService } from '#testing/processes.ts';
import { useFolder, useOne } from '#testing/use.ts';
import { talk } from '../hostile/raw-client.ts';

/** What these settings open, and the lines logged at level warn. */
async function open(env: NodeJS.ProcessEnv) {
  const warnings: string[] = [];
  const log = createLogger('warn', { write: (line) => void warnings.push(line) });
  const openPayments = await loadPayments(loadConfig(env), log);
  return { ...openPayments('http://127.0.0.1:3000'), warnings };
}

describe('the sandbox', () => {
  it('that is on by default serves only this machine, without a warning', async () => {
    expect(await open({})).toMatchObject({
      payments: { isSandbox: true },
      servesLoopbackHostsOnly: true,
      warnings: [],
    });
  });

  it('that was turned on serves every host, and warns at every start', async () => {
    for (const env of [{ PAYMENTS: 'sandbox' }, { PAYMENTS: 'sandbox', HOST: '0.0.0.0' }]) {
      const { warnings, ...opened } = await open(env);
      expect(opened).toMatchObject({ payments: { isSandbox: true }, servesLoopbackHostsOnly: false });
      expect(warnings).toEqual([expect.stringContaining('nobody pays')]);
    }
  });

  it('does not exist behind a reverse proxy, with a warning', async () => {
    const { warnings, ...opened } = await open({ PUBLIC_URL: 'https://masthead.example.org', TRUST_PROXY: '1' });
    expect(opened).toEqual({ payments: null, servesLoopbackHostsOnly: false });
    expect(warnings).toEqual([expect.stringContaining('plans are not for sale')]);
  });
});

describe('a service started without any setting', () => {
  const folder = useFolder();
  const service = useOne(async () => {
    const dataDir = join(folder, 'data');
    await makeDataFolder(dataDir);
    return startService({ MASTHEAD_DATA_DIR: dataDir });
  });

  it.each([
    ['localhost', 200],
    ['rebind.example', 421],
  ])('answers a request to %s with %i', async (host, status) => {
    const request = `GET /api/v1/export HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const plans = request.replace('export', 'plans');
    expect((await talk(service.url, plans)).statuses).toEqual([status]);
    expect((await talk(service.url, request)).statuses).toEqual([status === 200 ? 401 : status]);
  });
});
