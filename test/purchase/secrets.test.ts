import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { makeDataFolder } from '#testing/embedded-store.ts';
import { readFolder } from '#testing/folder-files.ts';
import { MailServer } from '#testing/mail-server.ts';
import { startService } from '#testing/processes.ts';
import { StripeStandIn } from '#testing/stand-ins/stripe-stand-in.ts';
import { useFolder, useOne } from '#testing/use.ts';

const standIn = new StripeStandIn(() => new Date());
const mailServer = new MailServer();
const pepper = 'a pepper of 32 characters, or more';
const folder = useFolder();
const service = useOne(async () => {
  await makeDataFolder(folder);
  return startService({
    MASTHEAD_DATA_DIR: folder,
    KEY_PEPPER: pepper,
    LOG_LEVEL: 'trace',
    STRIPE_API_BASE: await standIn.start(),
    STRIPE_SECRET_KEY: standIn.secretKey,
    STRIPE_WEBHOOK_SECRET: standIn.webhookSecret,
    RATE_LIMIT_CHECKOUT: '1000',
    SMTP_URL: await mailServer.start(),
    MAIL_FROM: 'plans@masthead.example',
  });
});
afterAll(() => Promise.all([standIn.stop(), mailServer.stop()]));

const api = (path: string, request: RequestInit = {}) => fetch(`${service.url}${path}`, request);

it('a whole purchase, with everything that can go wrong, leaves no secret in anything that is written', async () => {
  const idempotencyKey = randomUUID();
  const answers: string[] = [];
  const answer = async (path: string, request: RequestInit = {}) => {
    const text = await (await api(path, request)).text();
    answers.push(text);
    return text === '' ? {} : JSON.parse(text);
  };
  const checkout = (body: object) =>
    answer('/api/v1/checkout', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
      body: JSON.stringify(body),
    });
  const send = ({ body, signature }: { body: string; signature: string }) =>
    answer('/api/v1/webhooks/stripe', { method: 'POST', headers: { 'Stripe-Signature': signature }, body });

  standIn.faults.push('reset');
  const buyer = { tier: 'pro', email: 'ada.lovelace@shop.example' };
  const { order_id: orderId, claim_token: claimToken } = await checkout(buyer);
  const order = `/api/v1/orders/${orderId}?claim_token=${claimToken}`;
  await checkout({ tier: 'premium' });
  standIn.faults.push('error');
  await answer(order);
  const paid = standIn.pay(orderId);
  await send({ body: paid.body, signature: standIn.signatureOf(paid.body, new Date(), 'whsec_of_somebody_else') });
  await send(paid);
  // Written before the key is claimed: it has both links.
  const [mail] = await mailServer.received(1);
  const { api_key: apiKey } = await answer(order);
  expect(apiKey).toMatch(/^mh_/);
  await answer(order);
  await answer(`${order}&claimtoken=${claimToken}`);
  await answer(`/api/v1/orders/ord_unknown?claim_token=${claimToken}`);
  await answer('/api/v1/me', { headers: { Authorization: `Bearer ${apiKey}` } });
  await answer('/api/v1/me', { headers: { Authorization: `Bearer ${apiKey.slice(0, -1)}x` } });
  await answer(`/api/v1/search?key=${apiKey}`);
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name: 'Notebook', scopes: ['search'] });
  const { api_key: furtherKey } = await answer('/api/v1/me/keys', { method: 'POST', headers, body });
  expect(furtherKey).toMatch(/^mh_/);
  await answer('/api/v1/export', { headers: { Authorization: `Bearer ${furtherKey}` } });
  await answer(`/api/v1/search?key=${furtherKey}`, { headers: { Authorization: `Bearer ${furtherKey}x` } });
  const search = JSON.stringify({ name: 'Leeds', filters: { city: 'Leeds' } });
  const { feed_url: feed } = await answer('/api/v1/searches', { method: 'POST', headers, body: search });
  const { pathname, searchParams } = new URL(feed);
  const feedToken = searchParams.get('token') ?? '';
  expect(await (await api(`${pathname}?token=${feedToken}`)).text()).toContain('<title>Leeds</title>');
  for (const query of [`tokn=${feedToken}`, `token=${feedToken}x`]) await answer(`${pathname}?${query}`);
  const ofPages = { 'Sec-Fetch-Site': 'same-origin', Origin: service.url, ...headers };
  const post = (path: string, body: object) =>
    answer(`/api/v1/session/${path}`, { method: 'POST', headers: ofPages, body: JSON.stringify(body) });
  const { code } = await post('code', {});
  await answer(`/api/v1/search?code=${code}`);
  await post('redeem', { code });
  await post('redeem', { code });
  const [claimCode = '', signInCode = ''] = mail?.codes ?? [];
  await post('redeem', { code: claimCode });
  await post('mail', { email: 'nobody@shop.example' });
  await post('mail', { email: buyer.email });
  await mailServer.received(2);
  await send(standIn.refund(orderId, 'in full'));
  service.process.kill('SIGTERM');
  await service.ended;

  const written = [...(await readFolder(folder)).values()].map((bytes) => bytes.toString('latin1'));
  const log = service.stdout() + service.stderr();
  expect(log).toContain('/api/v1/orders/:id');
  expect(written.join('')).toContain(orderId);
  const secrets = { apiKey, furtherKey, claimToken, feedToken, idempotencyKey, pepper, ...standIn.secrets };
  const mailed = { signInCode, claimCode, code, bareCode: code.replace('-', ''), password: mailServer.user.password };
  for (const [name, secret] of Object.entries({ ...secrets, ...mailed })) {
    expect(secret, name).not.toBe('');
    expect(log.includes(secret), `${name} in the log`).toBe(false);
    expect(
      written.some((text) => text.includes(secret)),
      `${name} in a file`,
    ).toBe(false);
  }
  expect(log).not.toContain('ada.lovelace');
  // The only answers that may contain one are the first, with the token, and the one with the key.
  expect(answers.filter((text) => text.includes(claimToken))).toHaveLength(1);
  expect(answers.filter((text) => text.includes(feedToken))).toHaveLength(1);
  for (const key of [apiKey, furtherKey]) expect(answers.filter((text) => text.includes(key))).toHaveLength(1);
});
