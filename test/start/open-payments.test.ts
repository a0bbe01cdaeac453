import { describe, expect, it } from 'vitest';
import { loadConfig } from '#src/settings/config.ts';
import { createLogger } from '#src/start/create-logger.ts';
import { loadPayments } from '#src/start/open-payments.ts';

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
