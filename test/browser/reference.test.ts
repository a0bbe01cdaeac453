import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser } from '#testing/browser/open-browser.ts';
import { type PageService, servePages } from './page-service.ts';
import { Visitor } from './visitor.ts';

const browser = await openBrowser();
afterAll(() => browser?.close());

describe.skipIf(browser === null)('the API reference in a real browser', () => {
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

  it('show the API reference without third-party hosts', async () => {
    await visitor.page.goto(`${service.url}/docs`);
    await visitor.page.getByText('/api/v1/search').first().click();
    await visitor.sees('Search media');
    await visitor.page.getByRole('button', { name: 'Try it out' }).click();
    await visitor.page.getByRole('button', { name: 'Execute' }).click();
    await visitor.page.getByText('"total": 49').first().waitFor();
    expect(visitor.requested.filter((url) => !url.startsWith(service.url) && !url.startsWith('data:'))).toEqual([]);
  });
});
