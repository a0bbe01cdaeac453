import request from 'supertest';
import { afterAll, describe, expect, it } from 'vitest';
import { issueKey } from '#accounts/keys.ts';
import type { Mails } from '#accounts/mails.ts';
import { createSandbox } from '#src/payments/sandbox.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { MailServer } from '#testing/mail-server.ts';
import { until } from '#testing/until.ts';
import { late, useOne } from '#testing/use.ts';
import { shopAt } from './shop.ts';
import { openTestMails } from './test-mails.ts';
import { createService, pepper, publicUrl, type TestService, testNow, unlimited } from './test-service.ts';

const own = { 'Sec-Fetch-Site': 'same-origin', Origin: publicUrl };
const minute = 60_000;

describe('mails to buyers', () => {
  const server = new MailServer();
  let now = testNow;
  const later = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  let mails: Mails;
  let made: TestService;
  const service = late(() => made);
  const backend = useOne(openEmbeddedForTest, async (opened) => {
    const onWarning = (line: string) => void made.logged.push(line);
    mails = openTestMails(opened, { smtpUrl: await server.start(), publicUrl, now: () => now, onWarning });
    made = createService(opened, { payments: createSandbox(publicUrl), mails, now: () => now });
  });
  afterAll(() => server.stop());

  const shop = shopAt(() => service);
  const buy = async (email: string) => {
    const checkout = await shop.start({ tier: 'pro', email });
    await shop.act(checkout, 'pay');
    return checkout;
  };
  const post = (path: string, body: object) => request(service.app).post(`/api/v1/session/${path}`).set(own).send(body);
  const redeem = async (code = '') => (await post('redeem', { code })).body;
  const ask = async (email: string) => (await post('mail', { email })).body;
  /** The mails that came after those before, once there are this many. */
  const mailsAfter = async (before: number, count = 1) => (await server.received(before + count)).slice(before);

  it('bring a link that claims the paid order and one that then signs in, once, each for a quarter of an hour', async () => {
    expect((await request(service.app).get('/plans')).text).toContain('to sign in come to this address');
    const before = server.mails.length;
    const checkout = await buy('ada@shop.example');
    await shop.act(checkout, 'pay');
    const [mail] = await mailsAfter(before);
    expect(mail).toMatchObject({ from: 'plans@masthead.example', to: 'ada@shop.example' });
    expect(mail?.text).toContain(`${publicUrl}/account#code=`);
    const [claim, signIn] = mail?.codes ?? [];
    const { order } = await redeem(claim);
    expect(order).toEqual({ order_id: checkout.order_id, claim_token: checkout.claim_token });
    expect((await shop.read(order)).body.api_key).toMatch(/^mh_/);
    expect((await redeem(claim)).code).toBe('code_invalid');
    const answer = await post('redeem', { code: signIn });
    expect(service.shapeOf('POST /api/v1/session/redeem').safeParse(answer.body).error).toBeUndefined();
    const cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? '';
    const me = await request(service.app).get('/api/v1/me').set(own).set('Cookie', cookie);
    expect(me.body).toMatchObject({ plan: 'pro', order_id: checkout.order_id });

    later(5 * minute);
    await ask('ADA@shop.example');
    const tooLate = (await mailsAfter(before, 2))[1]?.codes[0];
    later(15 * minute);
    expect((await redeem(tooLate)).code).toBe('code_invalid');
    // Of two payments of one order, one mail.
    expect(server.mails).toHaveLength(before + 2);
  });

  it('with links that somebody asks for go to buyers and holders alone, in five minutes once, and no answer tells', async () => {
    const before = server.mails.length;
    const issued = { tier: 'premium', days: 30, email: 'Holder@desk.example' } as const;
    await issueKey({ ...backend, operator: 'test' }, pepper, issued, now);
    const answers = [];
    for (const email of ['stranger@desk.example', 'holder@desk.example', 'holder@desk.example'])
      answers.push(await ask(email));
    expect(answers).toEqual(answers.map(() => ({ accepted: true })));
    const [mail] = await mailsAfter(before);
    expect(mail?.to).toBe('Holder@desk.example');
    expect((await redeem(mail?.codes[0])).session).toMatchObject({ current: true });
    later(5 * minute);
    await ask('holder@desk.example');
    await mailsAfter(before, 2);
    expect(server.mails.slice(before).map(({ to }) => to)).toEqual(['Holder@desk.example', 'Holder@desk.example']);
    expect((await ask('no address')).code).toBe('invalid_request');
    const silent = createService(backend);
    const refused = await request(silent.app).post('/api/v1/session/mail').set(own).send({ email: 'a@desk.example' });
    expect(refused.body.code).toBe('not_found');
    const limited = createService(backend, { mails, rateLimits: { ...unlimited, checkout: 0 } });
    expect(
      (await request(limited.app).post('/api/v1/session/mail').set(own).send({ email: 'a@desk.example' })).status,
    ).toBe(429);
  });

  it('wait for a mail server that is busy, for a day, without failing a purchase; one that refuses the address is not asked again', async () => {
    const before = server.mails.length;
    server.isBusy = true;
    const checkout = await buy('grace@shop.example');
    expect((await shop.read(checkout)).body.api_key).toMatch(/^mh_/);
    await until(() => server.refused > 0 && service.logged.some((line) => line.includes('tried again')));
    server.isBusy = false;
    await mails.sendDue();
    expect(server.mails).toHaveLength(before);
    later(minute);
    await Promise.all([mails.sendDue(), mails.sendDue()]);
    const [mail] = await mailsAfter(before);
    // The order was claimed meanwhile: there is one link, which signs in.
    expect((await redeem(mail?.codes[0])).session).toMatchObject({ current: true });

    await buy('nobody@shop.example');
    await until(() => service.logged.some((line) => line.includes('given up')));
    server.isBusy = true;
    await buy('late@shop.example');
    await until(() => service.logged.filter((line) => line.includes('tried again')).length > 1);
    server.isBusy = false;
    later(25 * 60 * minute);
    await mails.sendDue();
    expect(server.mails).toHaveLength(before + 1);
    const log = service.logged.join('\n');
    for (const secret of ['ada@', 'grace@', 'nobody@', 'holder@desk', ...server.mails.flatMap(({ codes }) => codes)]) {
      expect(log).not.toContain(secret);
    }
    for (const code of server.mails.flatMap(({ codes }) => codes)) expect(await backend.holdsText(code)).toBe(false);
  });
});
