import { Readable } from 'node:stream';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PaymentEvent } from '#accounts/payment-event.ts';
import { type PlanDefinition, plans } from '#accounts/plans.ts';
import type { ExportFormat } from '#outbound/export-records.ts';
import { customColumns } from '#outbound/lead-tool.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { fileFormats, listFormats } from '#src/encodings/formats.ts';
import { leadTools } from '#src/lead-tools/lead-tools.ts';
import { firstCount } from '#src/lead-tools/read-counts.ts';
import type { ToolDefinition } from '#src/lead-tools/tool-definition.ts';
import type { ProviderDefinition } from '#src/payments/provider-definition.ts';
import { providers } from '#src/payments/providers.ts';
import { Problem } from '#src/problem.ts';
import { ConfigError, listSettings, loadConfig } from '#src/settings/config.ts';
import { createLogger } from '#src/start/create-logger.ts';
import { openLeadTools } from '#src/start/open-lead-tools.ts';
import { loadPayments } from '#src/start/open-payments.ts';
import { openEmbeddedForTest, type TestBackend } from '#test/backends.ts';
import { media } from '#test/http/media.ts';
import { createService, publicUrl, type TestService } from '#test/http/test-service.ts';
import { type StandInServer, startStandIn, type ToolRequest } from '#testing/stand-ins/stand-in-server.ts';

/*
 * One more row in each registry, and nothing else: it has settings, is read from requests, has its rights, is presented,
 * described in OpenAPI and offered by the explorer. What an engineer writes for a new variant is what stands here.
 */

/** A larger plan than Pro without the push, listed after Premium. */
const team: PlanDefinition = {
  tier: 'team',
  title: 'Team',
  price: 19_900,
  days: 90,
  requestsPerMinute: 2400,
  rights: ['export_all'],
};

/** Not a workbook, but bytes that no text format would write. */
const ods: ExportFormat = {
  name: 'ods',
  title: 'OpenDocument',
  doc: 'the fields of csv, as a workbook',
  contentType: 'application/vnd.oasis.opendocument.spreadsheet',
  extension: 'ods',
  right: 'export_all',
  needsAddress: false,
  isCompressed: true,
  example: 'PK…',
  choices: [],
  write: (batches) => [Readable.from(writeNames(batches))],
};

async function* writeNames(batches: AsyncIterable<readonly MediaRecord[]>): AsyncGenerator<Buffer> {
  yield Buffer.from([0x50, 0x4b]);
  for await (const batch of batches) yield Buffer.from(batch.map(({ id }) => `\0${id}`).join(''));
}

const reply: ToolDefinition = {
  name: 'reply',
  title: 'Reply',
  columns: [['Email', 'email'], ['Company', 'companyName'], ...customColumns],
  push: {
    base: { setting: 'REPLY_API_BASE', default: 'https://api.reply.example', doc: "Where Reply's API is." },
    campaignId: { pattern: /^seq-\d+$/, right: 'the id of a sequence, such as seq-12' },
    batchSize: 50,
    limits: [{ limit: 100, interval: 1_000 }],
    request: (leads, { apiKey, campaignId }) => ({
      path: `/people/${campaignId}`,
      headers: { 'X-Api-Key': apiKey },
      body: { people: leads.map(({ email }) => email) },
    }),
    counterNames: ['created'],
    count: (body) => ({
      added: firstCount(body, ['created']),
      duplicates: 0,
      invalid: 0,
      blocked: 0,
      skipped: 0,
      failed: 0,
    }),
    isFull: () => false,
  },
};

const paidEvent: PaymentEvent = {
  id: 'evt_1',
  effect: 'paid',
  orderId: null,
  checkout: { reference: 'txn_1', currency: 'USD', subtotal: team.price, unpaid: 0 },
  payment: 'pay_1',
  customer: null,
  at: '2026-11-21T12:00:00.000Z',
};

const paddle: ProviderDefinition = {
  name: 'paddle',
  title: 'Paddle',
  settings: [
    {
      name: 'PADDLE_API_KEY',
      doc: 'API key of the Paddle account.',
      secret: true,
      schema: z.string().regex(/^pdl_\w+$/, 'an API key of Paddle, such as pdl_live_…'),
    },
    { name: 'PADDLE_SELLER', default: '1', doc: 'Number of the seller.', schema: z.string() },
  ],
  secretPattern: /\bpdl_\w+/g,
  async load({ PADDLE_API_KEY, PADDLE_SELLER }) {
    return (returnUrl) => ({
      isSandbox: false,
      portalUrl: null,
      async open({ planTitle, days }) {
        const url = `https://pay.example/${PADDLE_SELLER}?item=${planTitle}-${days}&back=${returnUrl}`;
        return { url, reference: 'txn_1' };
      },
      look: async () => [],
      webhook: {
        name: 'paddle',
        title: 'Paddle',
        signatureHeader: 'Paddle-Signature',
        eventTypes: ['transaction.completed'],
        read(_body, signature) {
          if (signature !== PADDLE_API_KEY) throw new Problem('invalid_request', 'Not signed by Paddle.');
          return paidEvent;
        },
      },
    });
  },
};

const variants = {
  plans: [...plans, team],
  leadTools: [...leadTools, reply],
  providers: [...providers, paddle],
};
const secret = 'pdl_live_secret';

function faultsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(env, variants);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('with one more row in each registry', () => {
  let backend: TestBackend;
  let service: TestService;
  let tool: StandInServer;
  const asked: ToolRequest[] = [];
  const keys = { pro: '', premium: '', team: '' };
  // biome-ignore lint/suspicious/noExplicitAny: the document as a client reads it
  let openapi: any;

  beforeAll(async () => {
    backend = await openEmbeddedForTest();
    await backend.load(media);
    tool = await startStandIn((call) => {
      asked.push(call);
      return { status: 200, body: { created: (call.body as { people: string[] }).people.length } };
    }, {});
    const config = loadConfig({ PADDLE_API_KEY: secret, REPLY_API_BASE: tool.url, TEAM_DAYS: '60' }, variants);
    const log = createLogger('silent', { write: () => {} });
    service = createService(backend, {
      ...(await loadPayments(config, log))(publicUrl),
      plans: config.plans,
      rateLimits: config.rateLimits,
      formats: listFormats(variants.leadTools, [...fileFormats, ods]),
      leadTools: openLeadTools(config, undefined, variants.leadTools),
    });
    for (const tier of ['pro', 'premium', 'team'] as const) keys[tier] = await service.issueKey(tier);
    openapi = (await service.get('/openapi.json')).body;
  });
  afterAll(async () => {
    await tool.close();
    await backend.close();
  });

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    request(service.app).post(path).set(headers).send(body);
  const exportAs = (format: string, key: string) => service.get(`/api/v1/export?kind=podcast&format=${format}`, key);
  const pageFormats = async () => {
    const { text } = await service.get('/');
    return JSON.parse(/id="data">(.*?)<\/script>/.exec(text)?.[1] ?? '{}').formats;
  };

  describe('a plan', () => {
    it('has its settings, which are checked like all others', () => {
      expect(Object.keys(listSettings(variants))).toEqual(
        expect.arrayContaining(['TEAM_PRICE', 'TEAM_DAYS', 'RATE_LIMIT_TEAM']),
      );
      const env = { TEAM_PRICE: '12300', RATE_LIMIT_TEAM: '77' };
      const { plans: sold, rateLimits } = loadConfig(env, variants);
      expect(sold.at(-1)).toMatchObject({ tier: 'team', price: 12_300, days: 90, currency: 'USD' });
      expect(rateLimits).toMatchObject({ team: 77, pro: 600 });
      expect(faultsOf({ TEAM_DAYS: '0' })).toEqual([expect.stringMatching(/^TEAM_DAYS must be a number of days/)]);
    });

    it('is offered with what its rights give', async () => {
      const { body } = await service.get('/api/v1/plans');
      expect(body.plans.map(({ tier }: { tier: string }) => tier)).toEqual(['pro', 'premium', 'team']);
      expect(body.plans[2]).toEqual({
        tier: 'team',
        price: 19_900,
        currency: 'USD',
        days: 60,
        includes: [
          'full email addresses in search',
          'outlets, podcasts and newsletters as CSV, NDJSON, Excel and OpenDocument and for Instantly, Smartlead, lemlist and Reply',
          '2400 requests a minute',
        ],
      });
    });

    it('is sold under its own title, and is one of those that a wrong tier is told of', async () => {
      const bought = await post('/api/v1/checkout', { tier: 'team' }).expect(200);
      expect(bought.body.checkout_url).toContain('item=Team-60');
      const wrong = await post('/api/v1/checkout', { tier: 'teem' }).expect(400);
      expect(wrong.body.errors[0]).toMatchObject({ allowed: ['pro', 'premium', 'team'], did_you_mean: 'team' });
    });

    it('has its rights and no more, and its own limit', async () => {
      const exported = await exportAs('lemlist', keys.team).expect(200);
      expect(exported.headers['ratelimit-limit']).toBe('2400');
      const pushed = await post('/api/v1/export/push', {}, { Authorization: `Bearer ${keys.team}` }).expect(403);
      expect(pushed.body).toMatchObject({
        code: 'plan_required',
        required_plan: 'premium',
        detail: 'This needs a Premium plan. A Team plan exports everything.',
      });
      const me = await service.get('/api/v1/me', keys.team).expect(200);
      expect(me.body).toMatchObject({ plan: 'team', status: 'active' });
    });

    it('is in the description of the interface', () => {
      const tiers = ['pro', 'premium', 'team'];
      const { schemas } = openapi.components;
      expect(schemas.Account.properties.plan.enum).toEqual(tiers);
      expect(schemas.Order.properties.tier.enum).toEqual(tiers);
      expect(schemas.Plan.properties.tier.enum).toEqual(tiers);
      expect(schemas.Problem.properties.required_plan.enum).toEqual(tiers);
      const body = openapi.paths['/api/v1/checkout'].post.requestBody.content['application/json'].schema;
      expect(body.properties.tier.enum).toEqual(tiers);
      expect(openapi.paths['/api/v1/export'].get.description).toContain('Premium and Team everything.');
      expect(openapi.paths['/api/v1/export/push'].post.description).toMatch(/^Premium only\./);
    });
  });

  it('a key whose plan is no longer among the rows gives no export, and an error that says so', async () => {
    const { body } = await service.get('/api/v1/export', await service.issueKey('gold')).expect(403);
    expect(body).toMatchObject({ code: 'plan_required', required_plan: 'pro' });
  });

  describe('an export format', () => {
    it('is written by its own code, under its own type and name', async () => {
      const file = await exportAs('ODS', keys.premium)
        .buffer(true)
        .parse((res, done) => {
          const chunks: Buffer[] = [];
          res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => done(null, Buffer.concat(chunks)));
        })
        .expect(200);
      expect(file.headers['content-type']).toBe(ods.contentType);
      expect(file.headers['content-disposition']).toMatch(/filename="masthead-podcasts-[\d-]+\.ods"/);
      expect(file.body.subarray(0, 2).toString()).toBe('PK');
      const ids = file.body.subarray(3).toString().split('\0');
      expect(ids).toHaveLength(Number(file.headers['x-total-count']));
    });

    it('holds records without an address where it does not need one', async () => {
      const all = await service.get('/api/v1/export?format=csv', keys.premium);
      const mailed = await service.get('/api/v1/export?format=instantly', keys.premium);
      const own = await service.get('/api/v1/export?format=ods', keys.premium);
      expect(own.headers['x-total-count']).toBe(all.headers['x-total-count']);
      expect(Number(mailed.headers['x-total-count'])).toBeLessThan(Number(all.headers['x-total-count']));
    });

    it('asks for its right, and is one of those that a wrong format is told of', async () => {
      const refused = await service.get('/api/v1/export?format=ods', keys.pro).expect(403);
      expect(refused.body).toMatchObject({ code: 'plan_required', required_plan: 'premium' });
      const wrong = await exportAs('osd', keys.premium).expect(400);
      expect(wrong.body.errors[0]).toMatchObject({
        did_you_mean: 'ods',
        allowed: ['csv', 'ndjson', 'xlsx', 'ods', 'instantly', 'smartlead', 'lemlist', 'reply'],
      });
    });

    it('is in the description of the interface and on the page', async () => {
      const { get } = openapi.paths['/api/v1/export'];
      const format = get.parameters.find(({ name }: { name: string }) => name === 'format');
      expect(format.schema.anyOf[0].enum).toContain('ods');
      expect(format.description).toContain('ods: the fields of csv, as a workbook.');
      const types = fileFormats.map(({ contentType }) => contentType.split(';', 1)[0]);
      expect(Object.keys(get.responses[200].content)).toEqual([...types, ods.contentType]);
      expect(await pageFormats()).toContainEqual({ name: 'ods', title: 'OpenDocument' });
    });
  });

  describe('an outbound tool', () => {
    const pushed = (body: object) =>
      post(
        '/api/v1/export/push',
        { tool: 'reply', api_key: 'tool-key', campaign_id: 'seq-12', filters: { kind: 'outlet' }, ...body },
        { Authorization: `Bearer ${keys.premium}` },
      );

    it('has its setting, with its default', () => {
      expect(loadConfig({}, variants).leadToolBases).toMatchObject({ reply: 'https://api.reply.example' });
      expect(faultsOf({ REPLY_API_BASE: 'ftp://x.example' })).toEqual([
        'REPLY_API_BASE must be an http(s) URL, such as https://api.reply.example, not "ftp://x.example".',
      ]);
    });

    it('is pushed to by its own requests, and its answer is read', async () => {
      const { body } = await pushed({}).expect(200);
      expect(asked.at(-1)?.url.pathname).toBe('/people/seq-12');
      expect(asked.at(-1)?.headers['x-api-key']).toBe('tool-key');
      expect(body).toMatchObject({ tool: 'reply', campaign_id: 'seq-12', details: { created: body.sent } });
      expect(body.added).toBe(body.sent);
      expect(body.sent).toBeGreaterThan(0);
    });

    it('says what its campaigns are called, and is one of those that a wrong tool is told of', async () => {
      const campaign = await pushed({ campaign_id: '12' }).expect(400);
      expect(campaign.body.errors[0].message).toBe('For reply, use the id of a sequence, such as seq-12.');
      const wrong = await pushed({ tool: 'replay' }).expect(400);
      expect(wrong.body.errors[0]).toMatchObject({
        allowed: ['instantly', 'smartlead', 'reply'],
        did_you_mean: 'reply',
      });
    });

    it('is an export format with its own columns', async () => {
      const { text } = await service.get('/api/v1/export?format=reply', keys.premium).expect(200);
      expect(text).toMatch(/^Email,Company,kind,outlet_type,/);
      expect(text).toContain('adaquill7@harbour-times.example,The Harbour Times,outlet,');
    });

    it('is in the description of the interface, on the page and in what plans include', async () => {
      const { schema } = openapi.paths['/api/v1/export/push'].post.requestBody.content['application/json'];
      expect(schema.properties.tool.enum).toEqual(['instantly', 'smartlead', 'reply']);
      expect(openapi.components.schemas.Push.properties.tool.enum).toContain('reply');
      expect(await pageFormats()).toContainEqual({ name: 'reply', title: 'Reply' });
      const { body } = await service.get('/api/v1/plans');
      expect(body.plans[1].includes).toContain('pushing leads to Instantly, Smartlead and Reply campaigns');
    });
  });

  describe('a payment provider', () => {
    it('is chosen by its secret or by name, and asks for its secret', () => {
      for (const env of [{ PADDLE_API_KEY: secret }, { PADDLE_API_KEY: secret, PAYMENTS: 'paddle' }]) {
        expect(loadConfig(env, variants).payments).toEqual({
          kind: 'provider',
          provider: paddle,
          values: { PADDLE_API_KEY: secret, PADDLE_SELLER: '1' },
        });
      }
      expect(faultsOf({ PAYMENTS: 'paddle' })).toEqual([
        'PADDLE_API_KEY must be set for payments with Paddle. To try the service without Paddle, set PAYMENTS=sandbox and no Paddle secret.',
      ]);
      expect(faultsOf({ PAYMENTS: 'paypal' })).toEqual(['PAYMENTS must be stripe, paddle or sandbox, not "paypal".']);
      expect(faultsOf({ PAYMENTS: 'sandbox', PADDLE_API_KEY: secret })).toEqual([
        'PAYMENTS=sandbox, where nobody pays, cannot be combined with PADDLE_API_KEY. Set PAYMENTS=paddle, or remove the Paddle secrets.',
      ]);
    });

    it('takes its secret from a file', () => {
      expect(faultsOf({ PADDLE_API_KEY_FILE: '/nowhere/key' })[0]).toMatch(
        /^PADDLE_API_KEY_FILE names an unreadable file/,
      );
    });

    it('stands beside another only where PAYMENTS says which of them is meant', () => {
      const both = { PADDLE_API_KEY: secret, STRIPE_SECRET_KEY: 'sk_test_123', STRIPE_WEBHOOK_SECRET: 'whsec_1234' };
      expect(faultsOf(both)).toEqual([
        'The Stripe and Paddle secrets are both set. Set PAYMENTS=stripe or PAYMENTS=paddle to choose a provider.',
      ]);
      expect(loadConfig({ ...both, PAYMENTS: 'paddle' }, variants).payments).toMatchObject({ provider: paddle });
    });

    it('shows its secrets in no fault and no log line', () => {
      expect(faultsOf({ PADDLE_API_KEY: 'hunter2' })).toEqual([
        'PADDLE_API_KEY must be an API key of Paddle, such as pdl_live_….',
      ]);
      const lines: string[] = [];
      createLogger('info', { write: (line) => void lines.push(line) }, variants.providers).info(`refused ${secret}`);
      expect(lines.join()).toContain('refused [secret]');
    });

    it('is listened to under its own path, and there alone', async () => {
      const path = '/api/v1/webhooks/paddle';
      await post(path, {}).expect(400);
      const signed = await post(path, {}, { 'Paddle-Signature': secret }).expect(200);
      expect(signed.body.outcome).toMatch(/^(handled|held)$/);
      await post('/api/v1/webhooks/stripe', {}).expect(404);
      expect(openapi.paths['/api/v1/webhooks/stripe']).toBeUndefined();
      expect(openapi.paths[path].post).toMatchObject({
        operationId: 'receivePaddleEvent',
        summary: 'Receive payment events from Paddle',
        parameters: [{ name: 'Paddle-Signature', in: 'header' }],
      });
    });
  });
});
