import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plans } from '#accounts/plans.ts';
import { ConfigError, loadConfig } from '#src/settings/config.ts';
import { type Setting, secretSettings, settings } from '#src/settings/settings.ts';
import { readCases } from '#testing/cases.ts';
import { useFolder } from '#testing/use.ts';

function faultsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

const settingsHead = `# Settings

All of them are read from the environment, once, at start. Every wrong one is reported, each with what is right; nothing
starts until all are right. An empty value counts as absent.

**Secrets can be files.** Each setting below that has a second name ending in \`_FILE\` is a secret. Set that second name to
the path of a file that holds the value, as Docker's and Kubernetes' secrets do: \`KEY_PEPPER_FILE=/run/secrets/key-pepper\`.
Space and line ends around the value are ignored. An empty file is refused, as are both names.

| setting | default | meaning |
|---|---|---|`;

const pepper = 'p'.repeat(32);

describe('settings', () => {
  test('without any, the embedded backend serves on the loopback address, port 3000', () => {
    expect(loadConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: null,
      dataDir: './data',
      mongoUri: null,
      elasticsearch: null,
      indexAlias: 'masthead-records',
      indexLayout: { shards: 1, replicas: '0-1' },
      keyPepper: null,
      contactEmail: null,
      operator: { name: null, termsUrl: null, privacyUrl: null, refundDays: null },
      payments: { kind: 'sandbox', wasAskedFor: false },
      plans: plans.map((plan) => ({ ...plan, currency: 'USD' })),
      leadToolBases: { instantly: 'https://api.instantly.ai', smartlead: 'https://server.smartlead.ai/api/v1' },
      history: { days: 90, maxBytes: 1_000_000_000 },
      dnsServers: [],
      pushMaxLeads: 10_000,
      answersMeaning: true,
      embeddings: null,
      rateLimits: { anonymous: 120, pro: 600, premium: 1200, checkout: 20, checkout_key: 120 },
      returnOrigins: [],
      smtp: null,
      trustProxy: false,
      metrics: null,
      logLevel: 'info',
    });
  });

  test('every default is valid, and every setting has a description', () => {
    for (const [name, setting] of Object.entries<Setting>(settings)) {
      if (setting.default !== undefined) expect(faultsOf({ [name]: setting.default }), name).toEqual([]);
      expect(setting.doc, name).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('docs/settings.md is up to date (`vitest run test/settings/config.test.ts -u` rewrites it)', async () => {
    const rows = (table: Record<string, Setting>) =>
      Object.entries(table).map(
        ([name, setting]) =>
          `| \`${name}\`${setting.isSecret ? `<br>\`${name}_FILE\`` : ''} | ${setting.default === undefined ? '' : `\`${setting.default}\``} | ${setting.doc} |`,
      );
    await expect([settingsHead, ...rows(settings), ''].join('\n')).toMatchFileSnapshot('../../docs/settings.md');
  });

  test('an empty or blank value counts as absent', () => {
    const blank = Object.fromEntries(Object.keys(settings).map((name) => [name, '  ']));
    expect(loadConfig(blank)).toEqual(loadConfig({}));
  });

  test('all faults are reported at once, each with its name, what to use and what was found', () => {
    const faults = faultsOf({
      PORT: '70000',
      PUBLIC_URL: 'ftp://example.org',
      MONGODB_URI: 'postgres://example.org',
      INDEX_ALIAS: 'Upper',
      KEY_PEPPER: 'short',
      CONTACT_EMAIL: 'nobody',
      RATE_LIMIT_PRO: '-1',
      TRUST_PROXY: 'true',
      LOG_LEVEL: 'loud',
    });
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      ...['PORT', 'PUBLIC_URL', 'MONGODB_URI', 'INDEX_ALIAS', 'KEY_PEPPER', 'CONTACT_EMAIL', 'TRUST_PROXY'],
      ...['LOG_LEVEL', 'RATE_LIMIT_PRO', 'ELASTICSEARCH_URL'],
    ]);
    expect(faults[0]).toBe('PORT must be a port from 0 to 65535 (0 picks a free one), not "70000".');
  });

  test('no fault shows the value of a secret', () => {
    const secret = 'hunter2 hunter2';
    let secrets = 0;
    for (const [name, setting] of Object.entries<Setting>(settings)) {
      if (!setting.isSecret) continue;
      secrets += 1;
      const faults = faultsOf({ [name]: secret });
      expect(faults.join(), name).toContain(name);
      expect(faults.join(), name).not.toContain('hunter2');
    }
    expect(secrets).toBeGreaterThan(3);
    expect(faultsOf({ PUBLIC_URL: 'https://user:hunter2@example.org' }).join()).not.toContain('hunter2');
  });

  test.each(readCases<[name: string, value: string, isRight: boolean]>(new URL('values.tsv', import.meta.url)))(
    '%s=%s is valid: %s',
    (name, value, isRight) => {
      expect(faultsOf({ [name]: value }).length === 0).toBe(isRight);
    },
  );

  test('SMTP_URL is a mail server, and mails come from MAIL_FROM or CONTACT_EMAIL', () => {
    const read = (SMTP_URL: string, env: NodeJS.ProcessEnv = {}) =>
      loadConfig({ SMTP_URL, CONTACT_EMAIL: 'privacy@masthead.example', ...env }).smtp;
    const from = { name: 'Masthead', address: 'privacy@masthead.example' };
    expect(read('smtp://mail.example')).toEqual({ host: 'mail.example', port: 587, isSecure: false, auth: null, from });
    const named = { MAIL_FROM: 'plans@masthead.example', OPERATOR_NAME: 'Media Ltd' };
    expect(read('smtps://a%40b:p%3Aw@mail.example/', named)).toEqual({
      ...{ host: 'mail.example', port: 465, isSecure: true, auth: { user: 'a@b', pass: 'p:w' } },
      from: { name: 'Media Ltd', address: 'plans@masthead.example' },
    });
    expect(faultsOf({ SMTP_URL: 'smtp://mail.example:25' })[0]).toMatch(/^MAIL_FROM or CONTACT_EMAIL must be set/);
    for (const wrong of [
      'mail.example',
      'https://mail.example',
      'smtp://user@mail.example',
      'smtp://m.example/?x=1',
      'smtp://a:%@m.example',
    ]) {
      expect(faultsOf({ SMTP_URL: wrong, MAIL_FROM: 'a@b.example' }), wrong).toEqual([
        expect.stringMatching(/^SMTP_URL must be an smtp/),
      ]);
    }
  });

  test('MONGODB_URI and ELASTICSEARCH_URL must be set together, and need a KEY_PEPPER', () => {
    const engines = { MONGODB_URI: 'mongodb://db.example', ELASTICSEARCH_URL: 'http://search.example:9200' };
    expect(faultsOf({ ELASTICSEARCH_URL: engines.ELASTICSEARCH_URL })[0]).toMatch(
      /^MONGODB_URI must be set too, because ELASTICSEARCH_URL is set/,
    );
    expect(faultsOf(engines)[0]).toMatch(/^KEY_PEPPER must be set for the production backend/);
    expect(loadConfig({ ...engines, KEY_PEPPER: pepper })).toMatchObject({
      mongoUri: 'mongodb://db.example',
      elasticsearch: { nodes: ['http://search.example:9200'], auth: null },
      keyPepper: pepper,
    });
  });

  describe('of Elasticsearch', () => {
    const url = 'https://es1.example:9200,https://es2.example:9200';
    const credentials = { ELASTICSEARCH_USERNAME: 'user', ELASTICSEARCH_PASSWORD: 'hunter2' };
    const whole = (env: NodeJS.ProcessEnv) => ({ MONGODB_URI: 'mongodb://db.example', KEY_PEPPER: pepper, ...env });
    const read = (env: NodeJS.ProcessEnv) => loadConfig(whole(env)).elasticsearch;
    const faults = (env: NodeJS.ProcessEnv) => faultsOf(whole(env));

    test('name every node, with one user for all', () => {
      expect(read({ ELASTICSEARCH_URL: 'http://es1.example:9200/, http://es2.example/behind/' })).toEqual({
        nodes: ['http://es1.example:9200', 'http://es2.example/behind'],
        auth: null,
        ca: null,
      });
      expect(read({ ELASTICSEARCH_URL: url, ...credentials })?.auth).toEqual({ username: 'user', password: 'hunter2' });
      expect(read({ ELASTICSEARCH_URL: url, ELASTICSEARCH_API_KEY: 'abc==' })?.auth).toEqual({ apiKey: 'abc==' });
      expect(read({ ELASTICSEARCH_URL: url })?.auth).toBeNull();
      expect(faults({ ELASTICSEARCH_URL: 'http://a:hunter2@es1.example' })).toEqual([
        expect.stringMatching(
          /^ELASTICSEARCH_URL must be http\(s\) URLs without a password, separated by commas, such as /,
        ),
      ]);
      for (const wrong of [`${url},`, 'es1.example:9200', 'https://es1.example?x=1']) {
        expect(faults({ ELASTICSEARCH_URL: wrong })[0], wrong).toMatch(
          /^ELASTICSEARCH_URL must be http\(s\) URLs without a password/,
        );
      }
    });

    test.each<[string, NodeJS.ProcessEnv, RegExp]>([
      [
        'a password without a user',
        { ELASTICSEARCH_PASSWORD: 'hunter2' },
        /^ELASTICSEARCH_USERNAME must be set too, because ELASTICSEARCH_PASSWORD is set\.$/,
      ],
      [
        'a user without a password',
        { ELASTICSEARCH_USERNAME: 'user' },
        /^ELASTICSEARCH_PASSWORD must be set too, because ELASTICSEARCH_USERNAME is set\.$/,
      ],
      [
        'a CA file without a certificate',
        { ELASTICSEARCH_CA_FILE: 'package.json' },
        /^ELASTICSEARCH_CA_FILE must be the path of a readable PEM file with a certificate, not "package.json"\.$/,
      ],
    ])('reject %s, and show no secret', (_, env, fault) => {
      const found = faults({ ELASTICSEARCH_URL: url, ...env });
      expect(found).toEqual([expect.stringMatching(fault)]);
      expect(found.join()).not.toContain('hunter2');
    });

    test.each([
      ['INDEX_SHARDS', '6', true],
      ['INDEX_SHARDS', '0', false],
      ['INDEX_REPLICAS', '2', true],
      ['INDEX_REPLICAS', '0-all', true],
      ['INDEX_REPLICAS', 'all', false],
    ])('%s=%s is valid: %s', (name, value, isRight) => {
      expect(faultsOf({ [name]: value }).length === 0).toBe(isRight);
    });
  });

  const secrets = { STRIPE_SECRET_KEY: 'sk_test_123', STRIPE_WEBHOOK_SECRET: 'whsec_1234' };
  const stripe = (apiBase: string | null = null) => ({
    kind: 'stripe',
    secretKey: secrets.STRIPE_SECRET_KEY,
    webhookSecret: secrets.STRIPE_WEBHOOK_SECRET,
    apiBase,
    extras: { promotionCodes: false, invoices: false, automaticTax: false, portalUrl: null },
  });

  const implicit = { kind: 'sandbox', wasAskedFor: false };
  const askedFor = { kind: 'sandbox', wasAskedFor: true };
  const nobody = { kind: 'none' };

  test.each<[NodeJS.ProcessEnv, object]>([
    [{}, implicit],
    [{ HOST: '::1' }, implicit],
    [{ HOST: 'localhost', PUBLIC_URL: 'http://127.0.0.1:3000/media' }, implicit],
    [{ PUBLIC_URL: 'http://[::1]:3000' }, implicit],
    [{ PUBLIC_URL: 'http://masthead.localhost', TRUST_PROXY: 'False' }, implicit],
    [{ HOST: '0.0.0.0' }, nobody],
    [{ HOST: '0.0.0.0', PAYMENTS: 'sandbox' }, askedFor],
    [{ PAYMENTS: 'sandbox' }, askedFor],
    // Each of these indicates a reverse proxy in front of a loopback HOST.
    [{ PUBLIC_URL: 'https://masthead.example.org' }, nobody],
    [{ PUBLIC_URL: 'https://localhost.example.org' }, nobody],
    [{ PUBLIC_URL: 'http://192.168.1.5:3000' }, nobody],
    [{ TRUST_PROXY: '1' }, nobody],
    [{ TRUST_PROXY: 'loopback' }, nobody],
    [{ PUBLIC_URL: 'https://masthead.example.org', TRUST_PROXY: '1' }, nobody],
    [{ PUBLIC_URL: 'https://masthead.example.org', TRUST_PROXY: '1', PAYMENTS: 'sandbox' }, askedFor],
    [secrets, stripe()],
    [{ ...secrets, PAYMENTS: 'stripe', STRIPE_API_BASE: 'http://127.0.0.1:12111' }, stripe('http://127.0.0.1:12111')],
    [{ MONGODB_URI: 'mongodb://db.example', ELASTICSEARCH_URL: 'http://e.example', KEY_PEPPER: pepper }, nobody],
  ])('with %j payments are %j', (env, payments) => {
    expect(loadConfig(env).payments).toEqual(payments);
  });

  test("a sandbox is rejected next to Stripe's secrets", () => {
    const [fault, ...others] = faultsOf({ ...secrets, PAYMENTS: 'sandbox' });
    expect(others).toEqual([]);
    expect(fault).toBe(
      'PAYMENTS=sandbox, where nobody pays, cannot be combined with STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET. Set PAYMENTS=stripe, or remove the Stripe secrets.',
    );
    for (const [name, secret] of Object.entries(secrets)) {
      const [one = ''] = faultsOf({ [name]: secret, PAYMENTS: 'sandbox' });
      expect(one).toContain(name);
      expect(one).not.toContain(secret);
    }
  });

  test('Stripe needs both of its secrets', () => {
    expect(faultsOf({ STRIPE_SECRET_KEY: 'sk_test_123' })[0]).toMatch(/^STRIPE_WEBHOOK_SECRET must be set/);
    expect(faultsOf({ STRIPE_WEBHOOK_SECRET: 'whsec_1234' })[0]).toMatch(/^STRIPE_SECRET_KEY must be set/);
    expect(faultsOf({ PAYMENTS: 'stripe' })).toHaveLength(2);
    expect(faultsOf({ PAYMENTS: 'paypal' })[0]).toBe('PAYMENTS must be stripe or sandbox, not "paypal".');
    expect(faultsOf({ STRIPE_API_BASE: 'http://127.0.0.1:1/v1' })).toHaveLength(1);
    expect(faultsOf({ STRIPE_INVOICES: 'yes' })[0]).toMatch(/^STRIPE_INVOICES must be true or false/);
    expect(faultsOf({ CURRENCY: 'bitcoin', PRO_PRICE: '0' })).toHaveLength(2);
  });
});

describe('secrets from files', () => {
  const folder = useFolder();

  function fileWith(text: string): string {
    const path = join(folder, `secret-${Math.random()}`);
    writeFileSync(path, text);
    return path;
  }

  /** The ways to authenticate with Elasticsearch; only one may be used. */
  const signIns: readonly Record<string, string>[] = [
    { ELASTICSEARCH_URL: 'https://search.example', ELASTICSEARCH_API_KEY: 'aHVudGVyMg==' },
    { ELASTICSEARCH_URL: 'https://search.example', ELASTICSEARCH_PASSWORD: 'hunter2' },
  ];
  const isSecret = (name: string) => secretSettings.some((secret) => secret === name);
  /** Settings with right values of secrets, every secret at least once. */
  const environments: readonly Record<string, string>[] = signIns.map((signIn) => ({
    MONGODB_URI: 'mongodb://user:hunter2@db.example',
    ...signIn,
    ...('ELASTICSEARCH_PASSWORD' in signIn && { ELASTICSEARCH_USERNAME: 'user' }),
    KEY_PEPPER: 'hunter2'.repeat(5),
    STRIPE_SECRET_KEY: 'sk_test_hunter2',
    STRIPE_WEBHOOK_SECRET: 'whsec_hunter2',
    EMBEDDINGS_KEY: 'hunter2',
    SMTP_URL: 'smtps://user:hunter2@mail.example',
    MAIL_FROM: 'plans@masthead.example',
  }));

  test('every secret can come from one, with the same meaning as the variable', () => {
    const tried = new Set(environments.flatMap(Object.keys).filter(isSecret));
    expect([...tried].toSorted()).toEqual(secretSettings.toSorted());
    for (const values of environments) {
      const asFiles = Object.entries(values).map(([name, value]) =>
        isSecret(name) ? [`${name}_FILE`, fileWith(`${value}\r\n`)] : [name, value],
      );
      expect(loadConfig(Object.fromEntries(asFiles))).toEqual(loadConfig(values));
    }
  });

  test.each(secretSettings)('%s_FILE is rejected when unreadable or empty, and beside the variable', (name) => {
    const values = environments.find((known) => name in known) ?? {};
    const setting = `${name}_FILE`;
    const faultsWith = (path = '', inVariable = '') => faultsOf({ ...values, [name]: inVariable, [setting]: path });
    // A secret in place of its file's path is not repeated.
    expect(faultsWith(values[name])).toEqual([
      expect.stringMatching(/_FILE names an unreadable file \(ENOENT\)\. Use/),
    ]);
    expect(faultsWith(folder)[0]).toContain('(EISDIR)');
    expect(faultsWith(fileWith(' \n'))[0]).toMatch(/_FILE names an empty file\. /);
    expect(faultsWith(fileWith('hunter2'), values[name])[0]).toContain(`${name} and ${setting} are both set. `);
  });
});
