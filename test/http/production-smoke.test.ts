import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLeadTools } from '#src/lead-tools/open-tool.ts';
import { createSandbox } from '#src/payments/sandbox.ts';
import { type ProductionTestBackend, productionBackends } from '#testing/backends.ts';
import { untilHeard } from '#testing/copy.ts';
import { media } from '#testing/made-record.ts';
import { MailServer } from '#testing/mail-server.ts';
import { startInstantly } from '#testing/stand-ins/instantly-server.ts';
import type { ToolStandIn } from '#testing/stand-ins/stand-in-server.ts';
import openapi from '../../docs/openapi.json' with { type: 'json' };
import { openTestMails } from './test-mails.ts';
import { createService, publicUrl, type TestService, testNow } from './test-service.ts';

const tool = { apiKey: 'a-key-of-the-tool-4711', campaign: '7f1c2d3e-0000-4000-8000-123456789abc' };

/* The words and statuses of the API are tested on the embedded backend; here each endpoint answers once from the engines. */
// A file without any test fails the run.
if (productionBackends.length === 0) it.skip('needs MongoDB and Elasticsearch');

describe.each(productionBackends)('each endpoint on $name', ({ open }) => {
  let backend: ProductionTestBackend;
  const mailServer = new MailServer();
  let tools: ToolStandIn;
  let service: TestService;
  let key: string;
  let sync: ReturnType<ProductionTestBackend['follow']>;
  const asked = new Set<string>();

  beforeAll(async () => {
    backend = await open();
    await backend.load(media);
    sync = backend.follow();
    await untilHeard(backend);
    tools = await startInstantly({ apiKey: tool.apiKey, campaigns: [tool.campaign] });
    const mails = openTestMails(backend, { smtpUrl: await mailServer.start(), publicUrl, now: () => testNow });
    service = createService(backend, {
      mails,
      payments: createSandbox(publicUrl),
      leadTools: openLeadTools({ leadToolBases: { instantly: tools.url, smartlead: tools.url } }),
      sharedCounter: backend.openRequestCounter?.() ?? null,
    });
    key = await service.issueKey('premium');
  });
  afterAll(async () => {
    await Promise.all([tools.close(), mailServer.stop()]);
    await sync.stop();
    await service.end();
    await backend.close();
  });

  /** Asks, and notes which operation of the interface answered. */
  async function ask(
    method: 'get' | 'post' | 'patch' | 'delete',
    path: string,
    body?: object,
    secret: string | null = key,
  ) {
    const [bare = ''] = path.split('?');
    const operation = Object.keys(openapi.paths).find((known) =>
      new RegExp(`^${known.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare),
    );
    asked.add(`${method} ${operation}`);
    const test = request(service.app)[method](path);
    if (secret !== null) test.set('Authorization', `Bearer ${secret}`);
    return body === undefined ? test : test.send(body);
  }

  it('searches, counts, looks up and compares, masked without a key', async () => {
    const found = await ask('get', '/api/v1/search?q=harbour+times&country=GB');
    expect(found.body).toMatchObject({
      total: 1,
      results: [{ id: 'times', email: 'adaquill7@harbour-times.example' }],
    });
    expect(found.headers).toMatchObject({ 'ratelimit-limit': '100000', 'cache-control': 'private, no-cache' });
    const masked = await ask('get', '/api/v1/search?q=harbour+times', undefined, null);
    expect(masked.body.results[0]).toMatchObject({ email: 'a***@harbour-times.example', email_source: null });
    const people = await ask('get', '/api/v1/contacts?q=quill+harbour+times&country=GB');
    expect(people.body).toMatchObject({
      total: 1,
      results: [{ contact: { name: 'Ada Quill' }, record: { id: 'times' } }],
    });
    const facets = await ask('get', '/api/v1/facets?audiences=1');
    expect(facets.body.total).toBe(media.length);
    expect(facets.body.kinds.map(({ count }: { count: number }) => count)).toContain(
      media.filter(({ kind }) => kind === 'outlet').length,
    );
    expect((await ask('get', '/api/v1/records/times')).body.name).toBe('The Harbour Times');
    expect((await ask('get', '/api/v1/records/nobody')).body.code).toBe('not_found');
    expect((await ask('get', '/api/v1/records/times/similar')).status).toBe(200);
    const looked = await ask('post', '/api/v1/records/lookup', { ids: ['times'], domains: ['radio-miramar.example'] });
    expect(looked.body.results.map(({ record }: { record: { id: string } }) => record.id)).toEqual(['times', 'radio']);
  });

  it.each(['csv', 'ndjson', 'xlsx', 'instantly'])('exports as %s what it counts', async (format) => {
    const answer = await ask('get', `/api/v1/export?kind=outlet&format=${format}`);
    const expected = media.filter(
      ({ kind, email, email_status }) =>
        kind === 'outlet' && (format !== 'instantly' || (email !== null && email_status !== 'invalid')),
    );
    expect([answer.status, answer.headers['x-total-count']]).toEqual([200, String(expected.length)]);
    if (format === 'csv') expect(answer.text.trim().split('\r\n')).toHaveLength(expected.length + 1);
  });

  it('says what changed since an export', async () => {
    const { headers } = await ask('get', '/api/v1/export?kind=outlet');
    const changes = await ask('get', `/api/v1/changes?after=${headers['x-changes-cursor']}`);
    expect(changes.body).toEqual({ changes: [], next: headers['x-changes-cursor'], has_more: false });
  });

  it('pushes to a tool', async () => {
    const body = { tool: 'instantly', api_key: tool.apiKey, campaign_id: tool.campaign, filters: { kind: 'outlet' } };
    const answer = await ask('post', '/api/v1/export/push', body);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.sent).toBeGreaterThan(0);
    expect(answer.body.added).toBe(answer.body.sent);
  });

  it('sells a plan, hands out its key once, and follows the rotated key', async () => {
    const plans = await ask('get', '/api/v1/plans', undefined, null);
    expect(plans.body.plans).toHaveLength(2);
    const headers = { 'Idempotency-Key': randomUUID() };
    asked.add('post /api/v1/checkout');
    const checkout = () =>
      service.post('/api/v1/checkout').set(headers).send({ tier: 'pro', email: 'ada@shop.example' });
    const { order_id, claim_token } = (await checkout()).body;
    expect((await checkout()).body.order_id).toBe(order_id);
    expect((await service.post(`/sandbox/${order_id}/pay`)).status).toBe(303);
    const path = `/api/v1/orders/${order_id}?claim_token=${claim_token}`;
    const claims = await Promise.all([1, 2, 3].map(() => ask('get', path, undefined, null)));
    const keys = claims.flatMap(({ body }) => body.api_key ?? []);
    expect(keys).toHaveLength(1);
    expect((await ask('get', '/api/v1/me', undefined, keys[0])).body).toMatchObject({ plan: 'pro', order_id });
    const [{ codes } = { codes: [] }] = await mailServer.received(1);
    const ofPages = { Origin: publicUrl, 'Sec-Fetch-Site': 'same-origin' };
    const toPages = (path: string, body: object) => service.post(`/api/v1/session/${path}`).set(ofPages).send(body);
    expect((await toPages('redeem', { code: codes.at(-1) })).body.session).toMatchObject({ current: true });
    asked.add('post /api/v1/session/mail');
    await toPages('mail', { email: 'ADA@shop.example' });
    expect((await mailServer.received(2))[1]).toMatchObject({ to: 'ada@shop.example' });
    const rotated = await ask('post', '/api/v1/me/key/rotate', { overlap_hours: 0 }, keys[0]);
    expect((await ask('get', '/api/v1/me', undefined, keys[0])).status).toBe(401);
    expect((await ask('get', '/api/v1/me', undefined, rotated.body.api_key)).body.status).toBe('active');
    expect((await ask('get', '/api/v1/me/usage', undefined, rotated.body.api_key)).body.days).toHaveLength(30);
    expect((await ask('get', '/api/v1/me/orders', undefined, rotated.body.api_key)).body.orders).toMatchObject([
      { order_id },
    ]);
    const made = await ask('post', '/api/v1/me/keys', { name: 'Notebook', scopes: ['search'] }, rotated.body.api_key);
    expect((await ask('get', '/api/v1/lists', undefined, made.body.api_key)).body.code).toBe('scope_required');
    expect((await ask('get', '/api/v1/me/keys', undefined, rotated.body.api_key)).body.keys).toHaveLength(1);
    await ask('delete', `/api/v1/me/keys/${made.body.id}`, undefined, rotated.body.api_key);
    expect((await ask('get', '/api/v1/me', undefined, made.body.api_key)).status).toBe(401);
  });

  it('keeps lists and searches of an account, and sessions of pages', async () => {
    const { id } = (await ask('post', '/api/v1/lists', { name: 'Spring' })).body;
    const added = await ask('post', `/api/v1/lists/${id}/records`, { add: [{ id: 'times', status: 'to_contact' }] });
    expect(added.body).toMatchObject({ id, count: 1 });
    expect((await ask('get', `/api/v1/search?list=${id}`)).body.results).toMatchObject([{ id: 'times' }]);
    expect((await ask('patch', `/api/v1/lists/${id}`, { name: 'Autumn' })).body.name).toBe('Autumn');
    expect((await ask('get', `/api/v1/lists/${id}`)).body.results).toMatchObject([{ record: { id: 'times' } }]);
    expect((await ask('get', '/api/v1/lists')).body.lists).toMatchObject([{ id, count: 1 }]);
    expect((await ask('delete', `/api/v1/lists/${id}`)).body).toEqual({ deleted: true });

    const saved = (await ask('post', '/api/v1/searches', { name: 'All', filters: {} })).body;
    const { feed_url: feed } = (await ask('post', `/api/v1/searches/${saved.id}/feed-token`)).body;
    expect((await ask('get', feed.replace(publicUrl, ''), undefined, null)).text).toContain('<title>All</title>');
    expect((await ask('get', '/api/v1/searches')).body.searches).toMatchObject([{ id: saved.id }]);
    expect((await ask('delete', `/api/v1/searches/${saved.id}`)).body).toEqual({ deleted: true });

    const ofPages = { Origin: publicUrl, 'Sec-Fetch-Site': 'same-origin' };
    for (const [method, path] of [
      ['post', '/api/v1/session'],
      ['post', '/api/v1/session/code'],
      ['post', '/api/v1/session/redeem'],
      ['get', '/api/v1/me/sessions'],
      ['delete', '/api/v1/me/sessions/{id}'],
      ['delete', '/api/v1/session'],
    ])
      asked.add(`${method} ${path}`);
    const pages = request(service.app);
    const signIn = () => pages.post('/api/v1/session').set(ofPages).send({ api_key: key });
    const cookies = (await Promise.all([signIn(), signIn()])).map(({ headers }) => {
      return String(headers['set-cookie']).split(';', 1)[0] ?? '';
    });
    const [first = '', second = ''] = cookies;
    const list = (Cookie: string) => pages.get('/api/v1/me/sessions').set({ ...ofPages, Cookie });
    const { sessions } = (await list(first)).body;
    expect(sessions).toHaveLength(2);
    const other = sessions.find(({ current }: { current: boolean }) => !current);
    expect((await pages.delete(`/api/v1/me/sessions/${other.id}`).set({ ...ofPages, Cookie: first })).status).toBe(200);
    expect((await list(second)).status).toBe(401);
    const { code } = (await pages.post('/api/v1/session/code').set({ ...ofPages, Cookie: first })).body;
    expect((await pages.post('/api/v1/session/redeem').set(ofPages).send({ code })).status).toBe(200);
    expect((await pages.delete('/api/v1/session').set({ ...ofPages, Cookie: first })).status).toBe(200);
    expect((await list(first)).status).toBe(401);
  });

  it('has answered every operation of the interface, but for the webhook that the sandbox has not', async () => {
    for (const path of ['/api/v1', '/healthz', '/readyz'])
      await expect.poll(async () => (await ask('get', path)).status).toBe(200);
    const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(operations.filter((operation) => !asked.has(operation))).toEqual(['post /api/v1/webhooks/stripe']);
  });
});
