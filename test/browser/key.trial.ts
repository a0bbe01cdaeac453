import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

describe('the page of a key, in a real browser', () => {
  it('say what the key gives and how much it was used', async ({ page, service, visitor }) => {
    const key = await service.issueKey('premium', 10);
    await page.goto('/account');
    await visitor.sees(/Sign in above to see your plan and its use/);
    expect(await visitor.findBarriers()).toEqual([]);
    await visitor.enterKey(key);
    await visitor.sees(`${key.slice(0, 11)}…`);
    await visitor.sees('Dec 1, 2026');
    // The page itself asked with the key.
    await visitor.sees(/[1-9] requests?$/m);
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByRole('link', { name: 'Renew Premium' }).click();
    await page.getByRole('button', { name: 'Renew Premium' }).waitFor();
    await page.getByRole('link', { name: 'Your key and its use' }).click();
    await visitor.sees('Dec 1, 2026');
    expect(visitor.requested.filter((url) => url.includes(key))).toEqual([]);
  });

  it('keep a browser signed in: every tab, until it is signed out, by a cookie that no script reads', async ({
    service,
    visitor,
  }) => {
    const { page, context } = visitor;
    const key = await service.issueKey('premium');
    await page.goto('/?q=hafenblatt');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Your key').fill(key);
    await page.getByLabel('Stay signed in on this device').check();
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByLabel('Your key').press('Enter');
    await visitor.sees('desk0@hafenblatt-0.example');
    expect(
      await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie'),
    ).not.toContain(key);
    expect(visitor.requested.filter((url) => url.includes(key))).toEqual([]);

    const tab = await context.newPage();
    await tab.goto('/account');
    await tab.getByRole('heading', { name: 'Signed in' }).waitFor();
    expect(await tab.getByText('this browser').count()).toBe(1);
    await tab.goto('/media/paper-0');
    await tab.getByText('desk0@hafenblatt-0.example').first().waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await visitor.sees('d***@hafenblatt-0.example');
    await tab.getByText('d***@hafenblatt-0.example').first().waitFor();
    expect((await context.cookies()).filter(({ name }) => name.includes('session'))).toEqual([]);
  });

  it('sign a phone in by a code that a signed-in browser shows, once, without a key', async ({
    service,
    visitor,
    visit,
  }) => {
    const key = await service.issueKey('premium');
    await visitor.signIn('/account', key);
    await visitor.page.getByRole('button', { name: 'Show a code' }).press('Enter');
    const code = (await visitor.page.locator('.sign-in-code').textContent()) ?? '';
    expect(code).toMatch(/^\w{5}-\w{5}$/);
    expect(await visitor.findBarriers()).toEqual([]);

    const phone = await visit({ viewport: { width: 360, height: 800 } });
    await phone.page.goto('/');
    await phone.page.getByRole('button', { name: 'Sign in' }).click();
    await phone.page.getByRole('link', { name: 'Sign in by a code of another device' }).click();
    const enter = async (text: string) => {
      await phone.page.getByLabel('Code').fill(text);
      await phone.page.getByRole('button', { name: 'Use the code' }).press('Enter');
    };
    await enter('K7QMA-2XPD9');
    await phone.sees('Get a new one below');
    expect(await phone.page.getByRole('button', { name: 'Try again now' }).count()).toBe(0);
    expect([await phone.findBarriers(), await phone.findWide()]).toEqual([[], []]);
    await enter(code.toLowerCase());
    await phone.sees('this browser');
    await phone.page.goto('/media/paper-0');
    await phone.sees('desk0@hafenblatt-0.example');
    const stored = await phone.page.evaluate(
      'JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie',
    );
    expect(stored).not.toContain('mh_');
    expect([...phone.requested, ...visitor.requested].filter((url) => url.includes(code))).toEqual([]);
  });

  it('make and delete keys for programs, each shown once', async ({ page, service, visitor }) => {
    await visitor.signIn('/account', await service.issueKey('premium'));
    await page.getByRole('textbox', { name: 'Program' }).fill('My notebook');
    await page.getByRole('button', { name: 'Make key' }).click();
    await visitor.sees('Tick at least one thing that the key may do.');
    await page.getByRole('checkbox', { name: 'Lists' }).check();
    await page.getByRole('button', { name: 'Make key' }).click();
    await page.getByRole('heading', { name: 'Here is the key for My notebook' }).waitFor();
    await page.locator('#key-heading:focus').waitFor();
    const made = (await page.locator('.key-card code').textContent()) ?? '';
    const statusOf = async (path: string) => {
      const headers = { Authorization: `Bearer ${made}` };
      return (await page.request.get(`/api/v1/${path}`, { headers })).status();
    };
    expect([await statusOf('lists'), await statusOf('search')]).toEqual([200, 403]);
    expect(await visitor.asksBeforeLeaving()).toBe(true);
    expect(await visitor.findBarriers()).toEqual([]);
    const tab = await visitor.context.newPage();
    await tab.goto('/account');
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.getByLabel('Your key').fill(made);
    await tab.getByLabel('Your key').press('Enter');
    await tab.getByText(`${made.slice(0, 11)}…`).waitFor();
    expect(await tab.getByRole('heading', { name: 'Keys for programs' }).count()).toBe(0);
    await tab.close();
    await page.getByRole('button', { name: 'Delete My notebook' }).click();
    await page.getByRole('button', { name: 'Delete My notebook' }).waitFor({ state: 'detached' });
    expect(await statusOf('lists')).toBe(401);
  });

  it('replace the key by a new one, which is shown once while the old one goes on', async ({
    page,
    service,
    visitor,
  }) => {
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const old = await service.issueKey('pro');
    await visitor.signIn('/account', old);
    await page.getByRole('button', { name: 'Replace key' }).press('Enter');
    await page.getByRole('heading', { name: 'Here is your new key' }).waitFor();
    // The new key, which may be in programs by now, would end at once.
    expect(await page.getByRole('button', { name: 'Replace key' }).count()).toBe(0);
    await visitor.sees(/The old key works until Nov 22, 2026, 12:00:00/);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('key-heading');
    const fresh = (await page.locator('.key-card code').textContent()) ?? '';
    expect(fresh).toMatch(/^mh_\w{38}$/);
    expect(await page.evaluate("sessionStorage.getItem('masthead-key')")).toBe(fresh);
    for (const key of [old, fresh]) {
      const headers = { Authorization: `Bearer ${key}` };
      expect((await page.request.get('/api/v1/me', { headers })).status()).toBe(200);
    }
    expect(await visitor.findBarriers()).toEqual([]);
    expect(await visitor.asksBeforeLeaving()).toBe(true);
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('.key-card code'))");
    await page.keyboard.press('Control+C');
    expect(await visitor.asksBeforeLeaving()).toBe(false);
    await page.getByRole('button', { name: 'Copy' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(fresh);
    await page.reload();
    await visitor.sees(`${fresh.slice(0, 11)}…`);
    expect(await page.getByText(fresh).count()).toBe(0);
    expect(await page.evaluate('JSON.stringify({ ...localStorage }) + document.cookie + location')).not.toContain(
      fresh,
    );
  });

  it('show a new key until it was copied, also when the tab forgets it', async ({ page, service, visitor }) => {
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await visitor.signIn('/account', await service.issueKey('pro'));
    await page.getByRole('button', { name: 'Replace key' }).press('Enter');
    await page.locator('.key-card').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await visitor.sees(/Sign in above/);
    expect(await page.locator('.key-card').count()).toBe(1);
    expect(await visitor.asksBeforeLeaving()).toBe(true);
    await page.getByRole('button', { name: 'Copy' }).click();
    await visitor.sees('Copied');
    expect(await visitor.asksBeforeLeaving()).toBe(false);
  });

  it('say what a lost answer means for the only key, and end one that leaked at once', async ({
    page,
    service,
    visitor,
  }) => {
    await page.route('**/me/key/rotate', (route) => route.abort());
    await page.goto('/account');
    const old = await service.issueKey('pro');
    await visitor.enterKey(old);
    await page.getByRole('button', { name: 'Replace key' }).press('Enter');
    await visitor.sees('The service cannot be reached');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Replace key');
    await visitor.sees(/only the operator can then give you another/);
    await page.unroute('**/me/key/rotate');
    await page.getByLabel('The old key leaked: end it at once').check();
    await page.getByRole('button', { name: 'Replace key' }).press('Enter');
    await page.locator('.key-card').waitFor();
    const headers = { Authorization: `Bearer ${old}` };
    expect((await page.request.get('/api/v1/me', { headers })).status()).toBe(401);
  });
});
