import { describe, expect, it } from 'vitest';
import { productionBackends } from '#testing/backends.ts';
import { MailServer } from '#testing/mail-server.ts';
import { ownPrefix } from '#testing/mongo-database.ts';
import { runHere } from '#testing/run-here.ts';
import { useOne } from '#testing/use.ts';

/** A port on which nothing listens. */
const nobody = '127.0.0.1:1';
const pepper = 'a pepper for tests only, 32 or more';

interface Check {
  check: string;
  is_ok: boolean;
  message: string;
}

const check = async (settings: Record<string, string>) => {
  const { code, stdout, stderr } = await runHere(['admin/main.ts', 'check', '--json'], settings);
  const checks: Check[] = JSON.parse(stdout);
  return { code, stderr, checks: Object.fromEntries(checks.map((one) => [one.check, one])) };
};

describe('admin check', () => {
  it('lists every fault of the settings with what to do, and tries nothing', async () => {
    const { code, checks } = await check({ STRIPE_SECRET_KEY: 'pk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_12345' });
    expect(code).toBe(1);
    expect(checks).toEqual({
      settings: {
        check: 'settings',
        is_ok: false,
        message: expect.stringMatching(/^STRIPE_SECRET_KEY must be a secret/),
      },
    });
    const { stdout, code: failed } = await runHere(['admin/main.ts', 'check'], { PORT: 'x', TRUST_PROXI: '1' });
    expect([failed, stdout]).toEqual([1, expect.stringMatching(/^FAULT settings: PORT must be .*\n$/)]);
  });

  it('says which settings are misspelt', async () => {
    const { code, checks } = await check({ MASTHEAD_DATA_DIR: '/nowhere', METRIC_PORT: '9464' });
    expect(code).toBe(1);
    expect(checks.settings?.message).toBe('METRIC_PORT is not a setting and has no effect. Did you mean METRICS_PORT?');
    expect(checks.store).toEqual({ check: 'store', is_ok: true, message: 'the first start makes it in /nowhere' });
  });

  it('signs in at the mail server, and says what keeps it out without the password', async () => {
    const server = new MailServer();
    const url = await server.start();
    const tried = async (url: string) => (await check({ SMTP_URL: url, MAIL_FROM: 'desk@x.example' })).checks.mail;
    expect(await tried(url)).toMatchObject({ is_ok: true });
    expect(await tried(url.replace(server.user.password, 'a-wrong-one'))).toEqual({
      ...{ check: 'mail', is_ok: false },
      message: 'The mail server refuses the user or the password of SMTP_URL.',
    });
    await server.stop();
    expect((await tried(`smtp://${nobody}`))?.message).toMatch(/^The mail server does not answer at 127\.0\.0\.1:1 /);
    expect(server.mails).toEqual([]);
  });

  it('says of each engine that it does not answer', async () => {
    const { code, checks } = await check({
      MONGODB_URI: `mongodb://${nobody}/m`,
      ELASTICSEARCH_URL: `http://${nobody}`,
      KEY_PEPPER: pepper,
      PAYMENTS: 'sandbox',
    });
    expect(code).toBe(1);
    expect(checks.settings?.is_ok).toBe(true);
    expect(checks.MongoDB?.message).toMatch(/^MongoDB does not answer at 127\.0\.0\.1:1 \(connection refused\)/);
    expect(checks.Elasticsearch?.message).toMatch(/^Elasticsearch does not answer at /);
  });
});

describe.each(productionBackends)('admin check, $name', ({ open }) => {
  const backend = useOne(open);

  it('finds both engines and the index, and says where there is none', async () => {
    const good = await check({ ...backend.settings, PAYMENTS: 'sandbox' });
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(Object.keys(good.checks)).toEqual(['MongoDB', 'Elasticsearch', 'upgrade', 'settings']);
    const { code, checks } = await check({ ...backend.settings, PAYMENTS: 'sandbox', INDEX_ALIAS: 'of-nobody' });
    expect(code).toBe(1);
    expect(checks.Elasticsearch?.message).toMatch(
      /^this version has no index yet \(of-nobody-f\d+\)\. To build it: .* reindex$/,
    );
  });

  it('takes the index that an upgrade builds for no fault while that of the earlier version serves', async () => {
    const alias = `${ownPrefix}earlier`;
    const index = `${alias}-f1-20251121t130000000z`;
    await backend.engine.indices.create({ index });
    const { code, checks } = await check({ ...backend.settings, PAYMENTS: 'sandbox', INDEX_ALIAS: alias });
    await backend.engine.indices.delete({ index });
    expect(code).toBe(0);
    expect(checks.Elasticsearch?.message).toBe(`it answers, and has ${index} of another version`);
    expect(checks.upgrade?.message).toMatch(
      /an upgrade is due: (.*; )?`npm run indexer -- reindex` builds an index beside/,
    );
  });
});
