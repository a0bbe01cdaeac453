import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

describe('the page of a key, in a real browser', () => {
  it('stop showing a new key when it is forgotten', async ({ service, visitor }) => {
    const { page } = visitor;
    const other = await service.issueKey('premium');
    await page.goto(`${service.url}/account`);
    await visitor.enterKey(await service.issueKey('pro'));
    await visitor.replaceKey();
    await page.locator('.key-card').waitFor();
    await page.getByRole('button', { name: 'Forget key' }).click();
    await page.getByRole('button', { name: 'Forget it all the same' }).click();
    await visitor.sees(/Enter your key above/);
    expect(await page.locator('.key-card').count()).toBe(0);
    expect(await visitor.asksBeforeLeaving()).toBe(false);
    await visitor.enterKey(other);
    await visitor.sees(`${other.slice(0, 11)}…`);
    expect(await page.locator('.key-card').count()).toBe(0);
  });

  it('show a new key that comes late, and leave the tab the one that was entered meanwhile', async ({
    service,
    visitor,
  }) => {
    const { page } = visitor;
    const other = await service.issueKey('premium');
    const release = await visitor.holdBack('me/key/rotate');
    await page.goto(`${service.url}/account`);
    await visitor.enterKey(await service.issueKey('pro'));
    await visitor.replaceKey();
    await page.getByRole('button', { name: 'Forget key' }).click();
    await visitor.enterKey(other);
    release();
    await visitor.sees(/This tab uses another key by now/);
    expect(await page.locator('.key-card code').textContent()).toMatch(/^mh_\w{38}$/);
    expect(await page.evaluate("sessionStorage.getItem('masthead-key')")).toBe(other);
  });

  it('say why the plan is not known, and ask again by themselves', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/account`);
    await visitor.enterKey(await service.issueKey('pro'));
    await page.route(/\/api\/v1\/me$/, (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '2' }, json: { code: 'rate_limited', detail: '' } }),
    );
    await page.reload();
    await page.getByRole('main').getByText('Too many requests in a minute').waitFor();
    await visitor.sees(/This page tries again in 2 seconds/);
    await page.getByRole('button', { name: 'Try again now' }).waitFor();
    expect(await visitor.findBarriers()).toEqual([]);
    const refuseAgain = { status: 429, headers: { 'Retry-After': '3' }, json: { code: 'rate_limited', detail: '' } };
    await page.unroute(/\/api\/v1\/me$/);
    await page.route(/\/api\/v1\/me$/, (route) => route.fulfill(refuseAgain));
    await visitor.sees(/This page tries again in 3 seconds/);
    await page.unroute(/\/api\/v1\/me$/);
    await page.getByRole('button', { name: 'Replace key' }).waitFor();
    expect(await page.getByText('Too many requests').count()).toBe(0);
  });

  it('keep the key for themselves where the browser refuses storage', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } })`);
    await page.goto(`${service.url}/account`);
    await visitor.sees(/Enter your key above/);
    await visitor.enterKey(await service.issueKey('pro'));
    await page.getByRole('button', { name: 'Replace key' }).waitFor();
    await page.getByRole('button', { name: 'Forget key' }).click();
    await visitor.sees(/Enter your key above/);
  });

  it('do not let the browser look up the spelling of keys and orders', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/claim`);
    await visitor.enterKey(await service.issueKey('pro'));
    await page.getByRole('button', { name: 'Forget key' }).click();
    await page.getByText('I have a key').click();
    for (const field of ['#key', '#order']) {
      expect(await page.evaluate(`document.querySelector('${field}').spellcheck`)).toBe(false);
    }
  });
});
