import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser } from '#testing/browser/open-browser.ts';
import { type PageService, servePages } from './page-service.ts';
import { Visitor } from './visitor.ts';

const browser = await openBrowser();
afterAll(() => browser?.close());

describe.skipIf(browser === null)('every page in every form', () => {
  let service: PageService;
  let visitor: Visitor;
  beforeAll(async () => {
    service = await servePages();
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    visitor = await Visitor.open(browser);
  });
  afterEach(() => visitor.leave());

  it.each<[string, BrowserContextOptions]>([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['on a phone', { viewport: { width: 360, height: 740 } }],
  ])('have no serious accessibility barrier, %s', async (_, options) => {
    await visitor.leave();
    visitor = await Visitor.open(browser, options);
    await visitor.page.goto(`${service.url}/?country=DE`);
    await visitor.seesCount('45 results');
    await visitor.page.getByText('Run this search with curl').click();
    expect(await visitor.findBarriers()).toEqual([]);
    expect(await visitor.fitsWidth()).toBe(true);
    await visitor.page.goto(`${service.url}/?country=Germny`);
    await visitor.sees(/is not a valid country/);
    expect(await visitor.findBarriers()).toEqual([]);
    await visitor.page.goto(`${service.url}/plans`);
    await visitor.page.getByRole('button', { name: 'Buy Pro' }).waitFor();
    expect(await visitor.findBarriers()).toEqual([]);
    await visitor.page.goto(`${service.url}/claim?order_id=ord_1`);
    await visitor.sees(/does not have the claim token/);
    expect(await visitor.findBarriers()).toEqual([]);
  });
});
