import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { MailServer } from '#testing/mail-server.ts';
import { servePages } from './page-service.ts';
import { it } from './pages-test.ts';

describe('the plans and the claim of a key, in a real browser', () => {
  it('say how to buy without JavaScript, where no form would do anything', async ({ visit }) => {
    const { page } = await visit({ javaScriptEnabled: false });
    await page.goto('/plans');
    expect(await page.getByRole('button', { name: 'Buy Pro' }).isVisible()).toBe(false);
    expect(await page.getByText('Buying a plan needs JavaScript, or the API.').first().isVisible()).toBe(true);
  });

  it('sell a plan in the sandbox and show its key once', async ({ visitor }) => {
    await visitor.page.goto('/plans');
    await visitor.page.getByRole('button', { name: 'Buy Pro' }).click();
    await visitor.sees('Test payment');
    const orderId = new URL(visitor.page.url()).pathname.split('/').at(-1);
    // The page that waits sees the payment by itself, within its five seconds.
    const waiting = await visitor.context.newPage();
    await waiting.goto(`/claim?order_id=${orderId}`);
    await waiting.getByText('Waiting for your payment.').waitFor();
    await visitor.page.getByRole('button', { name: 'Pay (test)' }).click();
    await visitor.page.getByRole('link', { name: 'Get your key' }).waitFor();
    const key = (await waiting.locator('.key-card code').textContent()) ?? '';
    expect(key).toMatch(/^mh_\w{38}$/);
    expect(visitor.requested.filter((url) => url.includes(key))).toEqual([]);
    expect(await waiting.evaluate('localStorage.getItem("masthead-orders")')).toBe('{}');

    await waiting.getByText('This browser is signed in').waitFor();
    const stored = await waiting.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie');
    expect(stored).not.toContain(key);
    const download = waiting.waitForEvent('download');
    await waiting.getByRole('button', { name: 'Download' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toBe(`${key}\n`);

    await waiting.getByRole('link', { name: 'Search with full addresses' }).click();
    await waiting.getByText('desk0@hafenblatt-0.example').waitFor();
    await visitor.page.getByRole('link', { name: 'Get your key' }).click();
    await visitor.sees(/cannot claim the key of this order/);
    expect(visitor.page.url()).not.toContain('claim_token');
  });

  it('lead a buyer whose tab ended to the key in at most two clicks, before it was claimed and after', async ({
    visit,
  }) => {
    const { context, page, ...visitor } = await visit();
    await page.goto('/plans');
    await page.getByRole('button', { name: 'Buy Premium' }).click();
    await page.getByRole('button', { name: 'Pay (test)' }).click();
    await page.close();
    const back = await context.newPage();
    for (const path of ['docs', 'media/paper-0', 'plans']) {
      await back.goto(`/${path}`);
      await back.getByText(/Your key is waiting for you: Premium, \$99, Nov 21, 2026, paid/).waitFor();
    }
    await back.getByRole('link', { name: 'Get your key' }).click();
    const shown = await back.locator('.key-card code').textContent();
    await back.getByText('This browser is signed in').waitFor();
    await back.close();

    const later = await context.newPage();
    await later.goto('/');
    await later.getByRole('link', { name: 'Premium' }).click();
    await later.getByText(/Premium, \$99, Nov 21, 2026, paid/).waitFor();
    expect(await later.getByText('is waiting for you').count()).toBe(0);
    await later.getByRole('button', { name: 'Replace key' }).click();
    const another = (await later.locator('.key-card code').textContent()) ?? '';
    expect(another).toMatch(/^mh_\w{38}$/);
    expect(another).not.toBe(shown);
    const headers = { Authorization: `Bearer ${another}` };
    expect((await later.request.get('/api/v1/me', { headers })).status()).toBe(200);
    expect(visitor.requested.filter((url) => url.includes('claim_token') && !url.includes('/api/v1/orders/'))).toEqual(
      [],
    );
  });

  it('lead from a mail to the key, and sign another browser in by a mail, only by the press of a button', async ({
    visit,
  }) => {
    const mailServer = new MailServer();
    const service = await servePages({}, await mailServer.start());
    const { context, page, ...buyer } = await visit();
    await page.goto(`${service.url}/plans`);
    await page.getByLabel('Email for the receipt').first().fill('ada@shop.example');
    await page.getByRole('button', { name: 'Buy Pro' }).click();
    await page.getByRole('button', { name: 'Pay (test)' }).click();
    const [{ codes } = { codes: [] }] = await mailServer.received(1);

    const other = await visit({ viewport: { width: 360, height: 800 } });
    const phone = other.page;
    // As a scanner of mails opens a link.
    for (let times = 0; times < 2; times += 1) await phone.goto(`${service.url}/account?${times}#code=${codes[0]}`);
    await phone.getByLabel('Email of the receipt').waitFor();
    expect([await other.findBarriers(), await other.findWide()]).toEqual([[], []]);
    await phone.getByRole('button', { name: 'Continue' }).click();
    await phone.locator('.key-card').waitFor();
    await page.goto(`${service.url}/account#code=${codes[1]}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('this browser').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByLabel('Email of the receipt').fill('Ada@Shop.example');
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await page.getByText(/an email is on its way/).waitFor();
    const mails = await mailServer.received(2);
    await page.goto(`${service.url}/account#code=${mails[1]?.codes[0]}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('this browser').waitFor();
    for (const code of mails.flatMap((mail) => mail.codes)) {
      expect(
        [...buyer.requested, ...other.requested].filter((url) => url.includes(code) && !url.includes(`#code=`)),
      ).toEqual([]);
      expect(page.url()).not.toContain(code);
    }
    await service.close();
    await mailServer.stop();
  });

  it('renew the key of the tab, and say so before and after the payment', async ({ service, visitor }) => {
    const key = await service.issueKey('pro', 10);
    await visitor.signIn('/', key);
    await visitor.page.goto('/plans');
    await visitor.sees('This renews your key: the same key then works for 30 more days.');
    await visitor.sees('Your key stays the same.');
    await visitor.page.getByRole('button', { name: 'Renew Pro' }).click();
    await visitor.page.getByRole('button', { name: 'Pay (test)' }).click();
    await visitor.page.getByRole('link', { name: 'See your renewal' }).click();
    await visitor.sees(new RegExp(`${key.slice(0, 11)}… is renewed until`));
    expect(await visitor.findBarriers()).toEqual([]);
    expect(visitor.requested.filter((url) => url.includes(key))).toEqual([]);
  });

  it('forget a key that was revoked, and sell a new one at the next press', async ({ service, visitor }) => {
    const key = await service.issueKey('pro', 10);
    await visitor.signIn('/', key);
    await visitor.page.goto('/plans');
    await visitor.page.getByRole('button', { name: 'Renew Pro' }).waitFor();
    await service.revoke(key);
    await visitor.page.getByRole('button', { name: 'Renew Pro' }).click();
    await visitor.sees('This key is not accepted');
    expect(await visitor.page.evaluate("sessionStorage.getItem('masthead-key')")).toBe(null);
    await visitor.page.getByRole('button', { name: 'Buy Pro' }).click();
    await visitor.sees('Test payment');
  });

  it('keep what claims an order that failed, for a payment that may still come', async ({ visitor }) => {
    await visitor.page.goto('/plans');
    await visitor.page.getByRole('button', { name: 'Buy Pro' }).click();
    await visitor.sees('Test payment');
    const orderId = new URL(visitor.page.url()).pathname.split('/').at(-1) ?? '';
    await visitor.page.getByRole('button', { name: 'Fail the payment' }).click();
    // Who did not come back from the payment opens the page without the number of the order.
    await visitor.page.goto('/claim');
    await visitor.page.getByRole('link', { name: 'Pro, $49, Nov 21, 2026, payment failed' }).click();
    await visitor.sees('The payment did not go through.');
    expect(await visitor.page.evaluate('localStorage.getItem("masthead-orders")')).toContain(orderId);
  });
});
