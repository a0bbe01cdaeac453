import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unlimited } from '#test/http/test-service.ts';
import { visitFirst } from '#testing/browser/load-explorer.ts';
import { openBrowser } from '#testing/browser/open-browser.ts';
import { type PageService, servePages } from './page-service.ts';

const browser = await openBrowser();
afterAll(() => browser?.close());

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let context: BrowserContext;
let page: Page;
/** The requests, and the browser's complaints. */
let requested: string[];
let complaints: string[];

async function openPage(options: BrowserContextOptions = {}): Promise<void> {
  if (browser === null) throw new Error('there is no browser');
  context = await browser.newContext({ acceptDownloads: true, ...options });
  context.setDefaultTimeout(60_000);
  page = await context.newPage();
  requested = [];
  complaints = [];
  context.on('request', (request) => requested.push(request.url()));
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') complaints.push(`a script ran: ${dialog.message()}`);
    void dialog.accept();
  });
  page.on('console', (message) => {
    if (/Content Security Policy|TypeError|SyntaxError/.test(message.text())) complaints.push(message.text());
  });
}

const status = () => page.locator('.count');
const seen = (text: string | RegExp) => expect.poll(() => page.getByText(text).first().isVisible()).toBe(true);

/** Resolves once the live region shows this. */
async function waitForCount(text: string): Promise<void> {
  await expect
    .poll(() =>
      status()
        .textContent({ timeout: 1_000 })
        .catch(() => ''),
    )
    .toContain(text);
}

/** What axe-core finds that is serious or critical. */
async function findBarriers(): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

async function enterKey(key: string): Promise<void> {
  await page.getByText('I have a key').click();
  await page.getByLabel('Your key').fill(key);
  await page.getByRole('button', { name: 'Use key' }).click();
}

describe.skipIf(browser === null)('the pages in a real browser', () => {
  let service: PageService;
  beforeAll(async () => {
    service = await servePages();
  });
  afterAll(() => service.close());
  beforeEach(() => openPage());
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });

  it('transfer at most 150 kB on a first visit to the explorer, including the first answers', async () => {
    if (browser === null) throw new Error('there is no browser');
    const { weight, files } = await visitFirst(browser, service.url);
    expect(files.length).toBeGreaterThan(10);
    expect(weight, JSON.stringify(files)).toBeLessThanOrEqual(150_000);
  });

  it('search while you type, and say how many results there are', async () => {
    await page.goto(service.url);
    await waitForCount('49 results');
    await page.getByRole('searchbox', { name: /^Find/ }).pressSequentially('founders afl', { delay: 20 });
    await waitForCount('3 results');
    expect(await page.locator('.card h3').allTextContents()).toHaveLength(3);
    // `founders` finds as many.
    await expect.poll(() => new URL(page.url()).search).toBe('?q=founders+afl');
    expect(await status().getAttribute('aria-live')).toBe('polite');
    await seen('h***@founders-afloat.example');
    await seen(/With a plan you see full addresses/);
  });

  it('filter with counts that show the alternatives, and undo with chips and the back button', async () => {
    await page.goto(service.url);
    await page.getByRole('checkbox', { name: /^Germany/ }).check();
    await waitForCount('45 results');
    // Under its own filter a list still counts the others.
    expect(await page.locator('label', { hasText: 'United States' }).textContent()).toMatch(/3\s*$/);
    await page.getByLabel('City', { exact: true }).fill('kiel');
    await page.getByRole('button', { name: 'Add city', exact: true }).click();
    await waitForCount('15 results');
    expect(new URL(page.url()).search).toBe('?country=DE&city=kiel');
    await page.getByRole('button', { name: 'Remove filter Country: Germany' }).click();
    await page.waitForURL(`${service.url}/?city=kiel`);
    await page.goBack();
    await page.goBack();
    await waitForCount('45 results');
    expect(await page.getByRole('checkbox', { name: /^Germany/ }).isChecked()).toBe(true);
  });

  it('page through results with URLs that can be revisited, with the focus on the results', async () => {
    await page.goto(`${service.url}/?country=DE&sort=name`);
    await page.getByRole('link', { name: 'Next page' }).click();
    await waitForCount('page 2 of 3');
    expect(await page.evaluate('document.activeElement.id')).toBe('results');
    const names = await page.locator('.card h3').allTextContents();
    const link = page.url();
    expect(new URL(link).search).toBe('?country=DE&sort=name&page=2');
    await page.goto('about:blank');
    await page.goto(link);
    await waitForCount('page 2 of 3');
    expect(await page.locator('.card h3').allTextContents()).toEqual(names);
  });

  it('name what is wrong in a link and fix it with one press', async () => {
    await page.goto(`${service.url}/?country=Germny|US`);
    await page.getByRole('button', { name: 'Use Germany' }).click();
    await waitForCount('48 results');
    await page.goto(`${service.url}/?contry=DE`);
    await page.getByRole('button', { name: 'Use country' }).click();
    await waitForCount('45 results');
  });

  it('show a hostile record as plain text', async () => {
    await page.goto(`${service.url}/?q=onerror`);
    await waitForCount('1 result');
    await seen('<img src=x onerror=alert(1)> Gazette');
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
  });

  it('can be used without a mouse', async () => {
    await page.goto(service.url);
    await waitForCount('49 results');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('q');
    await page.getByRole('checkbox', { name: /^Podcast/ }).focus();
    await page.keyboard.press('Space');
    await waitForCount('3 results');
    // A chosen value keeps the focus, so the next key acts there.
    expect(await page.evaluate('document.activeElement.type')).toBe('checkbox');
  });

  it('keep a key in the tab only, show full addresses and save an export', async () => {
    const key = await service.issueKey('pro');
    await page.goto(`${service.url}/?q=hafenblatt`);
    await enterKey(key);
    await seen('desk0@hafenblatt-0.example');
    await seen(/until Dec 21, 2026/);
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export outlets' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe('masthead-outlets-2026-11-21.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(46);
    await seen('Saved 45 rows.');
    expect(requested.filter((url) => url.includes(key))).toEqual([]);
    expect(await page.evaluate('JSON.stringify({ ...localStorage }) + document.cookie + location')).not.toContain(key);
    await page.getByText('Run this search with curl').click();
    expect(await page.locator('.curl code').textContent()).toBe(
      `curl -H "Authorization: Bearer $KEY" '${service.url}/api/v1/search?q=hafenblatt'`,
    );
    await page.getByRole('button', { name: 'Forget key' }).click();
    await seen('d***@hafenblatt-0.example');
  });

  it('say what a plan lacks, that a plan has ended, and that a key is wrong', async () => {
    await page.goto(`${service.url}/?kind=podcast`);
    await enterKey('mh_not-a-key');
    await seen(/This key is not accepted/);
    await page.getByLabel('Your key').fill(await service.issueKey('pro'));
    await page.getByRole('button', { name: 'Use key' }).click();
    await page.getByRole('button', { name: 'Export these results' }).click();
    await seen(/Your plan does not include this/);
    await page.getByRole('button', { name: 'Forget key' }).click();
    await enterKey(await service.issueKey('premium', -1));
    await seen(/ended on Nov 20, 2026/);
    await seen(/Your plan has ended: buy a new one/);
    await seen('h***@founders-afloat.example');
  });

  it('sell a plan in the sandbox and show its key once', async () => {
    await page.goto(`${service.url}/plans`);
    await page.getByRole('button', { name: 'Buy Pro' }).click();
    await seen('Test payment');
    const orderId = new URL(page.url()).pathname.split('/').at(-1);
    // The page that waits sees the payment by itself, within its five seconds.
    const waiting = await context.newPage();
    await waiting.goto(`${service.url}/claim?order_id=${orderId}`);
    await waiting.getByText('Waiting for your payment.').waitFor();
    await page.getByRole('button', { name: 'Pay (test)' }).click();
    await page.getByRole('link', { name: 'Get your key' }).waitFor();
    const key = (await waiting.locator('.key-card code').textContent()) ?? '';
    expect(key).toMatch(/^mh_\w{38}$/);
    expect(requested.filter((url) => url.includes(key))).toEqual([]);
    expect(await waiting.evaluate('localStorage.getItem("masthead-orders")')).toBe('{}');

    await waiting.getByRole('link', { name: 'Search with full addresses' }).click();
    await waiting.getByText('desk0@hafenblatt-0.example').waitFor();
    await page.getByRole('link', { name: 'Get your key' }).click();
    await seen(/does not have the claim token/);
    expect(page.url()).not.toContain('claim_token');
  });

  it('renew the key of the tab, and say so before and after the payment', async () => {
    const key = await service.issueKey('pro', 10);
    await page.goto(service.url);
    await enterKey(key);
    await page.goto(`${service.url}/plans`);
    await seen(/This renews your key: the same key then works until/);
    await seen('You get a new key. Your present one stays as it is.');
    await page.getByRole('button', { name: 'Renew Pro' }).click();
    await page.getByRole('button', { name: 'Pay (test)' }).click();
    await page.getByRole('link', { name: 'See your renewal' }).click();
    await seen(new RegExp(`${key.slice(0, 11)}… is renewed until`));
    expect(await findBarriers()).toEqual([]);
    expect(requested.filter((url) => url.includes(key))).toEqual([]);
  });

  it.each<[string, BrowserContextOptions]>([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['on a phone', { viewport: { width: 360, height: 740 } }],
  ])('have no serious accessibility barrier, %s', async (_, options) => {
    await context.close();
    await openPage(options);
    await page.goto(`${service.url}/?country=DE`);
    await waitForCount('45 results');
    await page.getByText('Run this search with curl').click();
    expect(await findBarriers()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.goto(`${service.url}/?country=Germny`);
    await seen(/is not a valid country/);
    expect(await findBarriers()).toEqual([]);
    await page.goto(`${service.url}/plans`);
    await page.getByRole('button', { name: 'Buy Pro' }).waitFor();
    expect(await findBarriers()).toEqual([]);
    await page.goto(`${service.url}/claim?order_id=ord_1`);
    await seen(/does not have the claim token/);
    expect(await findBarriers()).toEqual([]);
  });

  it('show the API reference without third-party hosts', async () => {
    await page.goto(`${service.url}/docs`);
    await page.getByText('/api/v1/search').first().click();
    await seen('Search media');
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.getByText('"total": 49').first().waitFor();
    expect(requested.filter((url) => !url.startsWith(service.url) && !url.startsWith('data:'))).toEqual([]);
  });
});

describe.skipIf(browser === null)('the pages when the service fails', () => {
  let service: PageService;
  beforeEach(() => openPage());
  afterEach(async () => {
    await context.close();
    await service.close();
    expect(complaints).toEqual([]);
  });

  it('say that the limit of the minute is used up, and when they retry', async () => {
    service = await servePages({ rateLimits: { ...unlimited, anonymous: 2 } });
    await page.goto(service.url);
    await waitForCount('49 results');
    await page.getByRole('checkbox', { name: /^Germany/ }).check();
    await waitForCount('Too many requests in a minute');
    await seen(/This page retries automatically/);
    expect(await findBarriers()).toEqual([]);
  });

  it('say that search is unavailable, and continue once it is back', async () => {
    service = await servePages();
    const database = new DatabaseSync(join(service.dataDir, 'masthead.db'));
    try {
      database.exec('PRAGMA legacy_alter_table = ON; ALTER TABLE records RENAME TO hidden');
      await page.goto(service.url);
      await waitForCount('Search is not available right now');
      database.exec('ALTER TABLE hidden RENAME TO records');
      await page.getByRole('button', { name: 'Try again now' }).click();
      await waitForCount('49 results');
    } finally {
      database.close();
    }
  });
});
