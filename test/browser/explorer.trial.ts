import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

describe('the explorer in a real browser', () => {
  const searchbox = (page: Page): Locator => page.getByRole('searchbox', { name: /^Find/ });
  it.for([
    ['what was typed', '/', (page: Page): Promise<unknown> => searchbox(page).fill('founders'), '?q=founders'],
    [
      'with a box that was ticked',
      '/',
      (page: Page): Promise<unknown> => page.getByLabel(/^Podcast/).check(),
      '?kind=podcast',
    ],
    [
      'in the order that was chosen',
      '/?q=founders',
      (page: Page): Promise<unknown> => page.getByLabel('Order').selectOption('name'),
      '?q=founders&sort=name',
    ],
  ] as const)('search %s before the modules were there', async ([, path, act, search], { service, visitor }) => {
    const { page } = visitor;
    const release = await visitor.holdBack('assets/explorer.js');
    await page.goto(service.url + path, { waitUntil: 'commit' });
    await act(page);
    release();
    await expect.poll(() => new URL(page.url()).search).toBe(search);
    await visitor.seesCount('3 results');
    expect(await searchbox(page).inputValue()).toBe(new URLSearchParams(search).get('q') ?? '');
  });

  it('show what is in the database on the first look, with examples to click', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(service.url);
    const overview = page.getByRole('list', { name: 'What is in here' });
    expect(await overview.innerText()).toMatch(
      /46\s*outlets\s*3\s*podcasts\s*2\s*countries\s*last change\s*Jan 1, 2026/,
    );
    await overview.getByRole('link', { name: '3 podcasts' }).click();
    await visitor.seesCount('3 results');
    expect(await overview.count()).toBe(0);
    await page.getByRole('link', { name: 'Clear all' }).click();
    await visitor.seesCount('49 results');
    expect(await overview.count()).toBe(1);
  });

  it('keep what is typed in a field while new results come in, and the focus', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/?country=DE`);
    const release = await visitor.holdBack('api/v1/facets?*');
    await page.getByRole('checkbox', { name: 'Magazine' }).check();
    await visitor.seesCount('9 results');
    await page.getByLabel('City', { exact: true }).pressSequentially('kie');
    const counted = page.waitForResponse((response) => response.url().includes('/facets'));
    release();
    await counted;
    await expect.poll(() => page.getByRole('checkbox', { name: /^Newspaper/ }).count()).toBe(1);
    await page.getByLabel('City', { exact: true }).pressSequentially('l');
    await page.keyboard.press('Enter');
    await visitor.seesCount('3 results');
    expect(await page.getByLabel('City', { exact: true }).inputValue()).toBe('');
    expect(await page.evaluate('document.activeElement.name')).toBe('city');
    await page.getByLabel('Min audience', { exact: true }).fill('89990');
    await page.keyboard.press('Enter');
    await visitor.seesCount('1 result');
    expect(await page.evaluate('document.activeElement.name')).toBe('min_audience');
    await page.goBack();
    await visitor.seesCount('3 results');
    expect(await page.getByLabel('Min audience', { exact: true }).inputValue()).toBe('');
  });

  it('read links of programs as the controls do, and a correction as well', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/?country=us&has_email=0&updated_since=2025-01-31T10:30:00Z`);
    await visitor.seesCount('3 results');
    expect(await page.getByRole('checkbox', { name: /^United States/ }).count()).toBe(1);
    expect(await page.getByRole('checkbox', { name: 'With a known email' }).isChecked()).toBe(false);
    expect(await page.getByLabel('Updated since (UTC)').inputValue()).toBe('2025-01-31T10:30');
    await page.getByRole('checkbox', { name: /^Podcast/ }).check();
    await page.waitForURL('**updated_since=2025-01-31T10%3A30**');
    await page.goto(`${service.url}/?country=Germny`);
    await page.getByRole('link', { name: 'Use Germany' }).click();
    await visitor.seesCount('45 results');
    expect(await page.getByRole('checkbox', { name: /^Germany/ }).count()).toBe(1);
  });

  it('name what is wrong in a link and fix it with one press', async ({ service, visitor }) => {
    await visitor.page.goto(`${service.url}/?country=Germny|US`);
    await visitor.page.getByRole('link', { name: 'Use Germany' }).click();
    await visitor.seesCount('48 results');
    await visitor.page.goto(`${service.url}/?contry=DE`);
    await visitor.page.getByRole('link', { name: 'Use country' }).click();
    await visitor.seesCount('45 results');
  });

  it('say what a plan lacks, that a plan has ended, and that a key is wrong', async ({ service, visitor }) => {
    await visitor.page.goto(`${service.url}/?kind=podcast`);
    await visitor.enterKey('mh_not-a-key');
    await visitor.sees(/This key is not accepted/);
    await visitor.page.getByLabel('Your key').fill(await service.issueKey('pro'));
    await visitor.page.getByRole('button', { name: 'Use key' }).click();
    await visitor.page.getByRole('button', { name: 'Export these results' }).click();
    await visitor.sees(/Your plan does not include this/);
    await visitor.page.getByRole('button', { name: 'Forget key' }).click();
    await visitor.enterKey(await service.issueKey('premium', -1));
    await visitor.sees(/ended on Nov 20, 2026/);
    await visitor.sees(/Your plan has ended: buy a new one/);
    await visitor.sees('h***@founders-afloat.example');
  });

  it('keep a new key when the service refuses the one before it late', async ({ service, visitor }) => {
    const { page } = visitor;
    const [old, fresh] = [await service.issueKey('pro'), await service.issueKey('premium')];
    await service.revoke(old);
    await page.goto(service.url);
    await page.evaluate(`sessionStorage.setItem('masthead-key', '${old}')`);
    const { promise: entered, resolve: release } = Promise.withResolvers<void>();
    let isHeld = false;
    await page.route('**/api/v1/me', async (route) => {
      if (route.request().headers().authorization === `Bearer ${old}`) {
        isHeld = true;
        await entered;
      }
      await route.continue();
    });
    await page.reload();
    await expect.poll(() => isHeld).toBe(true);
    await visitor.enterKey(fresh);
    await visitor.sees(/Premium until/);
    const refused = page.waitForResponse((response) => response.url().endsWith('/me') && response.status() === 401);
    release();
    await refused;
    await visitor.sees('desk0@hafenblatt-0.example');
    expect(await page.evaluate("sessionStorage.getItem('masthead-key')")).toBe(fresh);
    await visitor.sees(/Premium until/);
  });

  it('copy an address', async ({ service, visitor }) => {
    const { page } = visitor;
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${service.url}/?q=hafenblatt&view=table`);
    await visitor.enterKey(await service.issueKey('pro'));
    await visitor.sees('desk0@hafenblatt-0.example');
    // What the page shows with a key from the beginning is not mixed up with what the server sent.
    await page.reload();
    await page.getByRole('button', { name: 'Export outlets' }).waitFor();
    expect(await page.locator('.export').getAttribute('class')).toBe('export');
    await page.getByRole('button', { name: 'Copy the address of Hafenblatt 0' }).click();
    await visitor.sees('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('desk0@hafenblatt-0.example');
  });
});
