import { describe, expect } from 'vitest';
import { visitFirst } from '#testing/browser.ts';
import { it } from './pages-test.ts';

describe('the explorer in a real browser', () => {
  it('transfer at most 110 kB on a first visit to the explorer, including the first answers', async ({
    browser,
    service,
  }) => {
    if (browser === null) throw new Error('there is no browser');
    const { weight, files, shift } = await visitFirst(browser, service.url);
    expect(files.length).toBeGreaterThan(10);
    expect(weight, JSON.stringify(files)).toBeLessThanOrEqual(110_000);
    expect(shift).toBeLessThanOrEqual(0.02);
  });

  it('show what sells to visitors alone, and move nothing where a key is known', async ({
    browser,
    service,
    visitor,
  }) => {
    if (browser === null) throw new Error('there is no browser');
    const pitch = visitor.page.getByRole('region', { name: 'What Masthead is' });
    await visitor.page.goto('/');
    await pitch.waitFor();
    // On one line, as high as the plan that takes its place.
    const signIn = await visitor.page.getByRole('button', { name: 'Sign in' }).first().boundingBox();
    expect(signIn?.height).toBeLessThan(40);
    const key = await service.issueKey('premium');
    await visitor.enterKey(key);
    await pitch.waitFor({ state: 'hidden' });
    for (const path of ['/', '/plans']) {
      expect((await visitFirst(browser, `${service.url}${path}`, key)).shift, path).toBeLessThanOrEqual(0.01);
    }
  });

  it('show results, filters and pages without JavaScript', async ({ visit }) => {
    const visitor = await visit({ javaScriptEnabled: false });
    const { page } = visitor;
    await page.goto('/');
    await page.getByRole('link', { name: 'Hafenblatt 0', exact: true }).waitFor();
    await visitor.openFilter('Country');
    await page.getByRole('checkbox', { name: /^Germany/ }).check();
    await page.getByLabel('Order').selectOption('Name, A to Z');
    await visitor.openFilter('More filters');
    await page.getByLabel('City', { exact: true }).fill('bremen');
    await page.getByRole('button', { name: 'Apply' }).first().click();
    await visitor.seesCount('30 results');
    await page.getByRole('link', { name: 'Next page' }).click();
    await visitor.seesCount('page 2 of 2');
    // What was chosen stays with the next search.
    await page.getByRole('searchbox', { name: /^Find/ }).fill('hafenblatt');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await visitor.seesCount('30 results');
    await page.getByRole('link', { name: 'Remove filter City: bremen' }).click();
    await visitor.seesCount('45 results');
    // What needs a module is not offered.
    for (const offer of [page.getByRole('button', { name: 'Sign in' }), page.getByText(/, or sign in above/)]) {
      expect(await offer.isVisible()).toBe(false);
    }
    expect(visitor.requested.filter((url) => url.includes('/api/'))).toEqual([]);
    await page.goto('/lists');
    expect(await page.locator('noscript').textContent()).toBe('This page needs JavaScript. The same is in the API.');
  });

  it('search while you type, and say how many results there are', async ({ visitor }) => {
    await visitor.page.goto('/');
    await visitor.seesCount('49 results');
    await visitor.page.getByRole('searchbox', { name: /^Find/ }).pressSequentially('founders afl', { delay: 20 });
    await visitor.seesCount('3 results');
    expect(await visitor.page.locator('.card h3').allTextContents()).toHaveLength(3);
    // `founders` finds as many.
    await expect.poll(() => new URL(visitor.page.url()).search).toBe('?q=founders+afl');
    expect(await visitor.page.title()).toBe('founders afl – Masthead');
    expect(await visitor.page.locator('.count').getAttribute('aria-live')).toBe('polite');
    await visitor.sees('h***@founders-afloat.example');
    await visitor.page.goto('/?q=ferries');
    // Only what is known, the sentence with the word, and one mark at the address.
    await expect
      .poll(async () => (await visitor.page.locator('.card').first().innerText()).replaceAll(/\s+/g, ' '))
      .toMatch(/Kiel, Germany · German · \S+ · Topics: Local news Ferries sail on Mondays\. .*Checked Oct 2026/);
  });

  it('filter with counts that show the alternatives, and undo with chips and the back button', async ({ visitor }) => {
    await visitor.page.goto('/');
    await visitor.openFilter('Country');
    await visitor.page.getByRole('checkbox', { name: /^Germany/ }).check();
    await visitor.seesCount('45 results');
    // Under its own filter a list still counts the others.
    expect(await visitor.page.locator('label', { hasText: 'United States' }).textContent()).toMatch(/3\s*$/);
    await visitor.page.keyboard.press('Escape');
    await visitor.openFilter('More filters');
    await visitor.page.getByLabel('City', { exact: true }).fill('kiel');
    await visitor.page.getByRole('button', { name: 'Add city', exact: true }).click();
    await visitor.seesCount('15 results');
    expect(new URL(visitor.page.url()).search).toBe('?city=kiel&country=DE');
    await visitor.page.keyboard.press('Escape');
    await visitor.page.getByRole('link', { name: 'Remove filter Country: Germany' }).click();
    await visitor.page.waitForURL('/?city=kiel');
    await visitor.page.goBack();
    await visitor.page.goBack();
    await visitor.seesCount('45 results');
    await visitor.openFilter('Country');
    expect(await visitor.page.getByRole('checkbox', { name: /^Germany/ }).isChecked()).toBe(true);
  });

  it('page through results with URLs that can be revisited, with the focus on the results', async ({ visitor }) => {
    await visitor.page.goto('/?country=DE&sort=name');
    await visitor.page.getByRole('link', { name: 'Next page' }).click();
    await visitor.seesCount('page 2 of 3');
    expect(await visitor.page.evaluate('document.activeElement.id')).toBe('results');
    const names = await visitor.page.locator('.card h3').allTextContents();
    const link = visitor.page.url();
    expect(new URL(link).search).toBe('?country=DE&sort=name&page=2');
    await visitor.page.goto('about:blank');
    await visitor.page.goto(link);
    await visitor.seesCount('page 2 of 3');
    expect(await visitor.page.locator('.card h3').allTextContents()).toEqual(names);
  });

  it('can be used without a mouse', async ({ visitor }) => {
    await visitor.page.goto('/');
    await visitor.seesCount('49 results');
    await visitor.page.keyboard.press('Tab');
    expect(await visitor.page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await visitor.page.keyboard.press('Enter');
    await visitor.page.keyboard.press('Tab');
    expect(await visitor.page.evaluate('document.activeElement.id')).toBe('q');
    // From the top to the first row there are at most 25 stops, of which these were three.
    for (let stops = 3; !(await visitor.page.evaluate("document.activeElement.closest('.row') !== null")); stops += 1) {
      expect(stops).toBeLessThanOrEqual(25);
      await visitor.page.keyboard.press('Tab');
    }
    await visitor.page.getByRole('button', { name: 'Kind' }).press('Enter');
    await visitor.page.getByRole('checkbox', { name: /^Podcast/ }).focus();
    await visitor.page.keyboard.press('Space');
    await visitor.seesCount('3 results');
    // A chosen value keeps the focus, so the next key acts there.
    expect(await visitor.page.evaluate('document.activeElement.type')).toBe('checkbox');
  });

  it('keep a key in the tab only, show full addresses and save an export', async ({ page, service, visitor }) => {
    const key = await service.issueKey('pro');
    await visitor.signIn('/?q=hafenblatt', key);
    await visitor.sees('desk0@hafenblatt-0.example');
    await visitor.sees(/until Dec 21, 2026/);
    await visitor.page.getByRole('button', { name: 'Export', exact: true }).click();
    const { name, lines } = await visitor.saves(visitor.page.getByRole('button', { name: 'Export 45 rows' }));
    expect([name, lines.length]).toEqual(['masthead-outlets-2026-11-21.csv', 46]);
    await visitor.sees('Saved 45 rows.');
    // Also where the popup is open before the module of the page is there.
    const loaded = Promise.withResolvers<void>();
    await page.route('**/explorer.js', async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await page.goto('/?has_email=1', { waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    loaded.resolve();
    await visitor.sees('Export 45 rows');
    expect(visitor.requested.filter((url) => url.includes(key))).toEqual([]);
    expect(
      await visitor.page.evaluate('JSON.stringify({ ...localStorage }) + document.cookie + location'),
    ).not.toContain(key);
    await visitor.page.getByRole('button', { name: 'This search as code' }).click();
    expect(await visitor.page.getByRole('region', { name: 'Search', exact: true }).locator('code').textContent()).toBe(
      `curl -H "Authorization: Bearer $KEY" '${service.url}/api/v1/search?has_email=1&sort=reachable'`,
    );
    await visitor.page.getByRole('button', { name: 'Sign out' }).click();
    await visitor.sees('d***@hafenblatt-0.example');
  });

  it('export every kind that is found where the plan does, else say how many are left out', async ({
    page,
    service,
    visitor,
  }) => {
    await visitor.signIn('/?q=business', await service.issueKey('pro'));
    await page.keyboard.press('e');
    await visitor.sees('3 results of other kinds are left out.');
    await visitor.sees(/Podcasts, newsletters and other formats come with Premium/);
    expect(await page.locator('#format option:not(:disabled)').allInnerTexts()).toEqual(['CSV']);
    expect(await visitor.findBarriers()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await visitor.enterKey(await service.issueKey('premium'));
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    expect((await visitor.saves(page.getByRole('button', { name: 'Export 3 rows' }))).lines).toHaveLength(4);
    await visitor.sees('Saved 3 rows.');
  });

  it('say that they search where an answer is late, and let nobody act on what was found before', async ({
    page,
    visitor,
  }) => {
    await page.goto('/');
    const answered = Promise.withResolvers<void>();
    await page.route('**/api/v1/search?*', async (route) => {
      await answered.promise;
      await route.continue();
    });
    await page.getByRole('searchbox', { name: /^Find/ }).fill('founders');
    await visitor.seesCount('Searching…');
    expect(await page.getByRole('button', { name: 'Export', exact: true }).isDisabled()).toBe(true);
    answered.resolve();
    await visitor.seesCount('3 results');
    expect(await page.getByRole('button', { name: 'Export', exact: true }).isDisabled()).toBe(false);
    // Without an answer they keep what was found, and try again by themselves.
    await page.route('**/api/v1/search?*', (route) => route.abort());
    await page.getByRole('searchbox', { name: /^Find/ }).fill('hafenblatt 7');
    await visitor.sees(/Check your connection\. Try again in [1-5] seconds?\./);
    expect(await page.locator('.card h3').allTextContents()).toHaveLength(3);
    await page.unroute('**/api/v1/search?*');
    await visitor.seesCount('1 result');
  });

  it('take the keys of a mail program where nothing is typed', async ({ page, visitor }) => {
    await page.goto('/?q=hafenblatt');
    const focused = () => page.evaluate('document.activeElement.textContent || document.activeElement.id');
    await expect.poll(() => page.locator('.cards .select input').count()).toBe(20);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focused()).toBe('Hafenblatt 1');
    await page.keyboard.press('x');
    expect(await visitor.selectBox('Hafenblatt 1').isChecked()).toBe(true);
    await page.keyboard.press('k');
    expect(await focused()).toBe('Hafenblatt 0');
    await page.keyboard.press('?');
    await visitor.sees('open it beside the list');
    expect(await visitor.findBarriers()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    expect(await focused()).toBe('q');
    await page.keyboard.type('jk');
    expect(await page.locator('#q').inputValue()).toContain('jk');
  });

  it('show a table, sort it by its headings and choose its columns', async ({ page, visitor }) => {
    await page.goto('/?country=DE');
    await page.getByRole('link', { name: 'Table' }).click();
    await expect.poll(() => page.getByRole('columnheader').allInnerTexts()).toHaveLength(6);
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByRole('link', { name: 'Name' }).click();
    await expect.poll(() => page.getByRole('rowheader').first().innerText()).toBe('Hafenblatt 0');
    await page.getByRole('link', { name: 'Name' }).press('Enter');
    await expect.poll(() => page.getByRole('rowheader').first().innerText()).toBe('Hafenblatt 9');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Contact', exact: true }).check();
    await expect.poll(() => page.getByRole('columnheader').allInnerTexts()).toContain('Contact');
    expect(new URL(page.url()).searchParams.get('columns')).toBe('name|kind|email|trust|contact|place|audience');
    // A visit of the same URL shows the same.
    await page.reload();
    expect(await page.getByRole('columnheader').allInnerTexts()).toContain('Contact');
    expect(await page.getByRole('rowheader').first().innerText()).toBe('Hafenblatt 9');
  });

  it('open a record beside the list, under a URL of its own, and close it as it was opened', async ({
    page,
    visitor,
  }) => {
    await page.goto('/?q=hafenblatt');
    const panel = (name: string) => page.getByRole('complementary', { name });
    await page.getByRole('link', { name: 'Hafenblatt 0', exact: true }).click();
    await panel('Hafenblatt 0').waitFor();
    expect(new URL(page.url()).search).toBe('?q=hafenblatt&record=paper-0');
    expect(await visitor.findBarriers()).toEqual([]);
    // No request: the list has the whole record.
    expect(visitor.requested.filter((url) => url.includes('/api/'))).toEqual([]);
    await page.keyboard.press('j');
    await panel('Hafenblatt 1').waitFor();
    await page.goBack();
    await panel('Hafenblatt 1').waitFor({ state: 'detached' });
    await page.goForward();
    await panel('Hafenblatt 1').waitFor();
    await page.keyboard.press('Escape');
    await panel('Hafenblatt 1').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Hafenblatt 1');
    await page.goto('/?country=US&record=paper-3');
    await panel('Hafenblatt 3').getByText('d***@hafenblatt-3.example').waitFor();
  });

  it('show a record on a page of its own, with the full address for a key', async ({ page, service, visitor }) => {
    const search = `${service.url}/?q=hafenblatt&record=paper-3`;
    await page.goto(search);
    await page.getByRole('link', { name: 'Open its page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Hafenblatt 3' }).waitFor();
    const back = page.getByRole('link', { name: 'Back to the search' });
    await expect.poll(() => back.getAttribute('href')).toBe(search);
    await visitor.sees('d***@hafenblatt-3.example');
    expect(await visitor.findBarriers()).toEqual([]);
    await visitor.enterKey(await service.issueKey('pro'));
    await visitor.sees('desk3@hafenblatt-3.example');
    await page.getByRole('link', { name: 'Kiel' }).click();
    await visitor.seesCount('15 results');
    await page.goto('/media/hostile');
    await visitor.sees(/Gazette/);
    expect(await visitor.findBarriers()).toEqual([]);
    await page.goto('/media/none');
    await visitor.sees('It may have been removed.');
    expect(await visitor.findBarriers()).toEqual([]);
  });
});
