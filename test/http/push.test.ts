import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { LeadTool } from '#outbound/outbound-lead.ts';
import { suppressionKey } from '#records/suppression.ts';
import { openLeadTools } from '#src/lead-tools/open-tool.ts';
import { listen } from '#testing/listen.ts';
import { madeRecord } from '#testing/made-record.ts';
import { startInstantly } from '#testing/stand-ins/instantly-server.ts';
import { startSmartlead } from '#testing/stand-ins/smartlead-server.ts';
import type { ToolOptions, ToolStandIn } from '#testing/stand-ins/stand-in-server.ts';
import { createService, type TestService, testNow, useService } from './test-service.ts';

const apiKey = 'a-key-of-the-tool-4711';
const campaigns = { instantly: '7f1c2d3e-0000-4000-8000-123456789abc', smartlead: '4711' };
const manners = { timeoutMs: 5_000, retries: 4, firstPauseMs: 10 };

const outlets = Array.from({ length: 1_200 }, (_, index) =>
  madeRecord({
    id: `outlet-${String(index).padStart(4, '0')}`,
    name: `Outlet ${index}`,
    country: index < 250 ? 'GB' : 'FR',
    contact_name: 'Ulla von der Leyen',
    // Every tenth has none, every tenth that of the one before in other letters, every tenth an invalid one.
    ...(index % 10 !== 0 && {
      email: index % 10 === 2 ? `DESK${index - 1}@outlet.example` : `desk${index}@outlet.example`,
      email_status: index % 10 === 3 ? 'invalid' : 'valid',
    }),
  }),
);

describe('POST /export/push', () => {
  const {
    backend,
    service: issuer,
    keys,
  } = useService([...outlets, madeRecord({ id: 'pod', kind: 'podcast', email: 'cast@pod.example' })]);
  const servers: ToolStandIn[] = [];

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  type Options = Partial<ToolOptions>;

  /** A service whose tools are stand-ins, and a way to push through it. */
  async function start(options: Options = {}, pushMaxLeads = 10_000) {
    const instantly = await startInstantly({ apiKey, campaigns: [campaigns.instantly], ...options });
    const smartlead = await startSmartlead({ apiKey, campaigns: [campaigns.smartlead], ...options });
    servers.push(instantly, smartlead);
    const leadToolBases = { instantly: instantly.url, smartlead: smartlead.url };
    const service = createService(backend, { leadTools: openLeadTools({ leadToolBases }, manners), pushMaxLeads });
    const push = (body: object | string, { key = keys.premium, idempotencyKey = '' } = {}) => {
      const test = service.post('/api/v1/export/push', key);
      if (idempotencyKey !== '') test.set('Idempotency-Key', idempotencyKey);
      return test.set('Content-Type', 'application/json').send(body);
    };
    return { instantly, smartlead, service, push };
  }
  const bodyFor = (tool: keyof typeof campaigns, filters: object = {}) => ({
    tool,
    api_key: apiKey,
    campaign_id: campaigns[tool],
    filters,
  });
  const addsUp = (body: Record<string, number>) => {
    const { sent = 0, added = 0, duplicates = 0, invalid = 0, blocked = 0, skipped = 0, failed = 0 } = body;
    expect(sent).toBe(added + duplicates + invalid + blocked + skipped + failed);
  };

  it('sends what an export with the same filters contains, each address once, and reports it', async () => {
    const { instantly, push } = await start();
    const { body } = await push(bodyFor('instantly')).expect(200);
    expect(Object.entries(body).slice(0, -1)).toEqual(
      Object.entries({
        ...{ tool: 'instantly', campaign_id: campaigns.instantly, matched: 1_200, without_email: 240, repeated: 120 },
        ...{ sent: 840, added: 840, duplicates: 0, invalid: 0, blocked: 0, skipped: 0, failed: 0 },
      }),
    );
    expect(body.details).toMatchObject({ total_sent: 840, leads_uploaded: 840 });
    const sent = instantly.campaigns.get(campaigns.instantly);
    expect(sent?.get('desk1@outlet.example')).toMatchObject({
      email: 'desk1@outlet.example',
      last_name: 'von der Leyen',
    });
    expect(sent?.has('desk3@outlet.example')).toBe(false);
  });

  it('accepts filters as texts, truth values, numbers and lists, and q', async () => {
    const { smartlead, push } = await start();
    const { body } = await push(bodyFor('smartlead', { country: ['GB', '!FR'], kind: 'outlet' })).expect(200);
    expect(body).toMatchObject({ matched: 250, sent: 175, added: 175 });
    expect(smartlead.requests).toBe(2);
    const podcast = await push(bodyFor('smartlead', { kind: ['podcast'], email_status: '', q: ' ' })).expect(200);
    expect(podcast.body).toMatchObject({ matched: 1, sent: 1, added: 1 });
    const typed = { country: ['GB'], named: true, strict: false, min_audience: 0, has_email: 1, city: null };
    const none = await push(bodyFor('smartlead', typed)).expect(200);
    expect(none.body).toMatchObject({ matched: 0 });
    const { min_audience: _, ...others } = typed;
    expect((await push(bodyFor('smartlead', others)).expect(200)).body).toMatchObject({ matched: 225, sent: 175 });
    const nothing = await push(bodyFor('smartlead', { country: 'JP' })).expect(200);
    expect(nothing.body).toMatchObject({ matched: 0, sent: 0, details: {} });
  });

  it("counts what was sent among the use of the key, and a repeat's answer not again", async () => {
    const { service, push } = await start();
    const key = await issuer.issueKey('premium');
    const body = bodyFor('instantly', { country: 'GB' });
    const idempotencyKey = '0b6f3c1e-9d0a-4c57-8a54-3e6f1d2c9b77';
    for (let count = 0; count < 2; count += 1) await push(body, { key, idempotencyKey }).expect(200);
    const { days } = (await service.get('/api/v1/me/usage', key)).body;
    expect(days.at(-1)).toMatchObject({ requests: 3, pushed_leads: 175 });
  });

  it('requires Premium, and checks the plan before the body', async () => {
    const { push } = await start();
    await issuer.post('/api/v1/export/push').send('{').expect(401);
    const pro = await issuer.issueKey('pro');
    expect((await push('{', { key: pro }).expect(403)).body).toMatchObject({
      code: 'plan_required',
      required_plan: 'premium',
    });
    const expired = await issuer.issueKey('premium', -1);
    expect((await push('{', { key: expired }).expect(403)).body).toMatchObject({ code: 'plan_expired' });
    await issuer.get('/api/v1/export/push', keys.premium).expect(405).expect('Allow', /POST/);
  });

  it('names every invalid field and filter, and shows no key', async () => {
    const { push } = await start();
    const wrong = await push({
      tool: 'instently',
      api_key: 'with space and secret',
      campaign_id: 5,
      filtres: {},
      filters: { contry: 'US', kind: 'blog', named: { is: true }, country: [['US']] },
    }).expect(400);
    const found = new Map(
      wrong.body.errors.map(({ name, did_you_mean }: Record<string, string>) => [name, did_you_mean]),
    );
    expect([...found.keys()].toSorted()).toEqual([
      ...['api_key', 'campaign_id', 'filters.contry', 'filters.country', 'filters.kind', 'filters.named'],
      ...['filtres', 'tool'],
    ]);
    expect([found.get('tool'), found.get('filters.contry')]).toEqual(['instantly', 'country']);
    expect(JSON.stringify(wrong.body)).not.toContain('secret');
    for (const [tool, campaign_id] of [
      ['instantly', '4711'],
      ['smartlead', campaigns.instantly],
      ['smartlead', '../1'],
    ]) {
      const { body } = await push({ tool, api_key: apiKey, campaign_id }).expect(400);
      expect(body.errors).toEqual([expect.objectContaining({ in: 'body', name: 'campaign_id' })]);
    }
    await push('{').expect(400);
    await push('[]').expect(400);
    await push({ ...bodyFor('instantly'), filters: { q: ['a', 'b'] } }).expect(400);
    await push({ ...bodyFor('instantly'), filters: { page: '2' } }).expect(400);
    for (const filters of ['US', ['US'], 7, null]) {
      const { body } = await push({ ...bodyFor('instantly'), filters }).expect(400);
      expect(body.errors).toEqual([expect.objectContaining({ name: 'filters', code: 'invalid' })]);
    }
    await push(JSON.stringify({ ...bodyFor('instantly'), pad: 'x'.repeat(70_000) })).expect(413);
  });

  describe('as a dry run', () => {
    it('answers the counts it would have, calls nothing and keeps nothing', async () => {
      const { instantly, service, push } = await start();
      const key = await issuer.issueKey('premium');
      const idempotencyKey = crypto.randomUUID();
      const { api_key, ...request } = bodyFor('instantly', { country: 'GB' });
      const logged = await backend.pushes.list();
      const { body } = await push({ ...request, dry_run: true }, { key, idempotencyKey }).expect(200);
      expect(Object.entries(body)).toEqual(
        Object.entries({
          ...{ tool: 'instantly', campaign_id: campaigns.instantly, matched: 250, without_email: 50, repeated: 25 },
          ...{ sent: 175, added: 0, duplicates: 0, invalid: 0, blocked: 0, skipped: 0, failed: 0 },
          ...{ details: {}, dry_run: true },
        }),
      );
      expect(instantly.requests).toBe(0);
      expect(await backend.pushes.list()).toEqual(logged);
      const { days } = (await service.get('/api/v1/me/usage', key)).body;
      expect(days.at(-1)).toMatchObject({ pushed_leads: 0 });
      const real = await push({ ...request, api_key, dry_run: false }, { key, idempotencyKey }).expect(200);
      const { matched, without_email, repeated, sent } = body;
      expect(real.body).toMatchObject({ matched, without_email, repeated, sent, added: sent });
      expect(real.body).not.toHaveProperty('dry_run');
    });

    it('reports what would refuse the push', async () => {
      const { push } = await start({}, 839);
      const { api_key: _, ...request } = bodyFor('instantly');
      expect((await push({ ...request, dry_run: true }).expect(422)).body.code).toBe('too_many_leads');
      const wrong = await push({ ...request, campaign_id: '4711', dry_run: true }).expect(400);
      expect(wrong.body.errors).toMatchObject([{ name: 'campaign_id' }]);
      const real = await push({ ...request, dry_run: null, filters: { contry: 'US' } }).expect(400);
      expect(real.body.errors).toMatchObject([{ name: 'api_key', code: 'missing' }, { name: 'filters.contry' }]);
      await push({ ...request, dry_run: 'true' }).expect(400);
      const pro = await issuer.issueKey('pro');
      await push({ ...request, dry_run: true }, { key: pro }).expect(403);
    });
  });

  it('sends nothing if there are too many leads', async () => {
    const { instantly, push } = await start({}, 839);
    const { body } = await push(bodyFor('instantly')).expect(422);
    expect(body.code).toBe('too_many_leads');
    expect(body.detail).toContain('839');
    expect(instantly.requests).toBe(0);
    const enough = await start({}, 840);
    await enough.push(bodyFor('instantly')).expect(200);
  });

  it('reads each batch when it is sent: what is suppressed or deleted meanwhile is left out', async () => {
    const { smartlead } = await start();
    const [tool] = openLeadTools({ leadToolBases: { smartlead: smartlead.url } }, manners);
    if (tool === undefined) throw new Error('Smartlead is not among the tools');
    const suppressions = [
      // Went out with the first batch; in the second; not among the leads.
      suppressionKey('record', 'outlet-0001'),
      suppressionKey('address', 'Desk245@Outlet.example'),
      suppressionKey('record', 'outlet-0247'),
      suppressionKey('record', 'outlet-0900'),
    ].map((key) => ({ key, reason: null, addedAt: testNow.toISOString() }));
    const [removed] = outlets.slice(244);
    if (!removed) throw new Error('there are too few outlets');
    const firstOfAll: LeadTool = {
      ...tool,
      async add(leads, target) {
        const answer = await tool.add(leads, target);
        if (leads[0]?.id !== 'outlet-0001') return answer;
        await backend.suppressions.add(suppressions);
        await backend.records.remove([removed.id]);
        return answer;
      },
    };
    const service = createService(backend, { leadTools: [firstOfAll] });
    try {
      const { body } = await service
        .post('/api/v1/export/push', keys.premium)
        .send(bodyFor('smartlead', { country: 'GB' }))
        .expect(200);
      expect(body).toMatchObject({ matched: 250, without_email: 53, repeated: 25, sent: 172, added: 172 });
      addsUp(body);
      const sent = smartlead.campaigns.get(campaigns.smartlead);
      expect(sent?.has('desk1@outlet.example')).toBe(true);
      expect(sent?.has('desk245@outlet.example')).toBe(false);
      expect(sent?.has('desk247@outlet.example')).toBe(false);
      expect(sent?.has('desk244@outlet.example')).toBe(false);
    } finally {
      await backend.suppressions.remove(suppressions.map(({ key }) => key));
      await backend.load([removed]);
    }
  });

  describe('at once', () => {
    /** Services whose pushes wait at the tool until the gate opens. */
    async function startGated(pushMaxAtOnce = 20) {
      const { smartlead } = await start();
      const [tool] = openLeadTools({ leadToolBases: { smartlead: smartlead.url } }, manners);
      if (tool === undefined) throw new Error('Smartlead is not among the tools');
      const gate = Promise.withResolvers<void>();
      const state = { waiting: 0 };
      const gated: LeadTool = {
        ...tool,
        async add(leads, target) {
          state.waiting += 1;
          await gate.promise;
          return tool.add(leads, target);
        },
      };
      const leadTools = [gated];
      const startProcess = () => createService(backend, { leadTools, pushMaxAtOnce });
      const push = (service: TestService, key: string, idempotencyKey = '') => {
        const test = service.post('/api/v1/export/push', key);
        if (idempotencyKey !== '') test.set('Idempotency-Key', idempotencyKey);
        return test.send(bodyFor('smartlead', { country: 'GB' })).then((answer) => answer);
      };
      const untilWaiting = (count: number) => expect.poll(() => state.waiting).toBe(count);
      return { smartlead, gate, startProcess, push, untilWaiting };
    }
    const countLogged = async () => (await backend.pushes.list()).length;

    it('two run per key over all processes, and a third gets 429, sends nothing and is not logged', async () => {
      const { smartlead, gate, startProcess, push, untilWaiting } = await startGated();
      const [here, there] = [startProcess(), startProcess()];
      const [key, other] = [await issuer.issueKey('premium'), await issuer.issueKey('premium')];
      const running = [push(here, key), push(there, key)];
      await untilWaiting(2);
      const logged = await countLogged();
      const idempotencyKey = crypto.randomUUID();
      for (const service of [here, there]) {
        const refused = await push(service, key, idempotencyKey);
        expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
        expect(refused.body.detail).toMatch(/^This key already runs 2 pushes/);
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      }
      expect((await push(here, key)).status).toBe(429);
      // Those with an Idempotency-Key are logged for repeats that wait for them.
      expect(await countLogged()).toBe(logged + 2);
      expect(smartlead.requests).toBe(0);
      await here.get('/api/v1/export?country=GB', key).expect(200);

      running.push(push(here, other));
      await untilWaiting(3);
      gate.resolve();
      for (const { status, body } of await Promise.all(running)) {
        expect(status).toBe(200);
        addsUp(body);
      }
      // After the answer a client may push again, also with the Idempotency-Key of a refused push.
      expect((await push(there, key, idempotencyKey)).status).toBe(200);
      expect((await push(here, key)).status).toBe(200);
    });

    it('the setting limits how many run in a process, for all keys', async () => {
      const { gate, startProcess, push, untilWaiting } = await startGated(1);
      const [here, there] = [startProcess(), startProcess()];
      const keys = [await issuer.issueKey('premium'), await issuer.issueKey('premium')] as const;
      const running = [push(here, keys[0])];
      await untilWaiting(1);
      const refused = await push(here, keys[1]);
      expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
      expect(refused.body.detail).toMatch(/^The service already runs as many pushes as it can/);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      running.push(push(there, keys[1]));
      await untilWaiting(2);
      gate.resolve();
      for (const { status } of await Promise.all(running)) expect(status).toBe(200);
      expect((await push(here, keys[1])).status).toBe(200);
    });
  });

  it('reports how far it came if the tool fails midway', async () => {
    const { push, service } = await start({ always: 'broken' });
    const { body } = await push(bodyFor('smartlead', { country: 'GB' })).expect(502);
    expect([service.logged.some((line) => line.includes(body.detail)), service.faults()]).toEqual([true, []]);
    expect(body).toMatchObject({ code: 'tool_failed', matched: 250, sent: 100, failed: 100, added: 0 });
    addsUp(body);
    const full = await start({ room: 120 });
    const limited = await full.push(bodyFor('smartlead', { country: 'GB' })).expect(502);
    expect(limited.body).toMatchObject({ code: 'tool_failed', sent: 175, added: 120, failed: 55 });
    expect(limited.body.details).toMatchObject({ upload_count: 175, lead_import_stopped_count: 55 });
  });

  it('gives the same answer to the same request with one Idempotency-Key, even while it runs', async () => {
    const { instantly, push } = await start();
    const idempotencyKey = crypto.randomUUID();
    const first = bodyFor('instantly', { country: 'GB' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => push(first, { idempotencyKey })));
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toEqual(answers[0]?.body);
    }
    expect(instantly.requests).toBe(1);
    // A replaced key does not make it another request.
    await push({ ...first, api_key: 'another-key' }, { idempotencyKey }).expect(200);
    const conflict = await push(bodyFor('instantly', { country: 'FR' }), { idempotencyKey }).expect(409);
    expect(conflict.body.code).toBe('idempotency_conflict');
    const other = await issuer.issueKey('premium');
    await push(bodyFor('instantly', { country: 'FR' }), { idempotencyKey, key: other }).expect(200);
    await push(first, { idempotencyKey: 'short' }).expect(400);
  });

  it('can be requested again with the same Idempotency-Key if nothing was sent', async () => {
    const { push } = await start();
    const idempotencyKey = crypto.randomUUID();
    const body = bodyFor('smartlead', { country: 'GB' });
    await push({ ...body, api_key: 'mistyped' }, { idempotencyKey }).expect(422);
    expect((await push(body, { idempotencyKey }).expect(200)).body).toMatchObject({ added: 175 });
  });

  it('says so if a push with the same Idempotency-Key was cut off with its process', async () => {
    const { push } = await start();
    const idempotencyKey = crypto.randomUUID();
    const before = new Set((await backend.pushes.list()).map(({ id }) => id));
    const answered = await push(bodyFor('smartlead', { country: 'GB' }), { idempotencyKey }).expect(200);
    const logged = (await backend.pushes.list()).find(({ id }) => !before.has(id));
    if (logged === undefined) throw new Error('no push was logged');
    const running = { ...logged, status: 'running', updatedAt: '2026-11-21T11:00:00.000Z' } as const;
    await backend.pushes.change(logged.id, () => running);
    const { body } = await push(bodyFor('smartlead', { country: 'GB' }), { idempotencyKey }).expect(502);
    expect(body).toMatchObject({ code: 'tool_failed', sent: answered.body.sent });
    expect(body.detail).toMatch(/^This service stopped during the push/);
    await backend.pushes.change(logged.id, () => logged);
  });

  it('continues when its caller disconnects, and is in the push log', async () => {
    const { service, instantly } = await start();
    const server = await listen(service.app);
    const headers = { Authorization: `Bearer ${keys.premium}`, 'Content-Type': 'application/json' };
    const leaving = request(`${server.url}/api/v1/export/push`, { method: 'POST', headers });
    leaving.on('error', () => {});
    leaving.end(JSON.stringify(bodyFor('instantly')));
    await expect.poll(() => instantly.requests).toBeGreaterThan(0);
    leaving.destroy();
    await expect.poll(() => instantly.campaigns.get(campaigns.instantly)?.size).toBe(840);
    await server.close();
    const logged = async () => (await backend.pushes.list({ limit: 50 })).find(({ counts }) => counts.sent === 840);
    await expect.poll(logged).toMatchObject({
      status: 'done',
      tool: 'instantly',
      campaignId: campaigns.instantly,
      keyPrefix: keys.premium.slice(0, 11),
    });
  });

  it('never stores the key of the tool', async () => {
    const { service, push } = await start({ first: ['broken', 'reset', 'tooMany'] });
    await push(bodyFor('smartlead', { country: 'GB' }), { idempotencyKey: crypto.randomUUID() }).expect(200);
    await push({ ...bodyFor('smartlead'), campaign_id: '99' }).expect(422);
    expect(service.logged.length).toBeGreaterThan(0);
    expect(service.logged.join('')).not.toContain(apiKey);
    expect(service.logged.join('')).not.toMatch(/@outlet\.example/);
    expect(JSON.stringify(await backend.pushes.list())).not.toContain(apiKey);
    expect(await backend.holdsText('desk1@outlet.example')).toBe(true);
    expect(await backend.holdsText(apiKey)).toBe(false);
  });
});
