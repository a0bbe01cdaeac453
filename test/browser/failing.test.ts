import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unlimited } from '#test/http/test-service.ts';
import { openBrowser } from '#testing/browser/open-browser.ts';
import { type PageService, servePages } from './page-service.ts';
import { Visitor } from './visitor.ts';

const browser = await openBrowser();
afterAll(() => browser?.close());

describe.skipIf(browser === null)('the explorer when the service fails', () => {
  let service: PageService;
  let visitor: Visitor;
  beforeEach(async () => {
    visitor = await Visitor.open(browser);
  });
  afterEach(async () => {
    await visitor.leave();
    await service.close();
  });

  it('say that the limit of the minute is used up, and when they retry', async () => {
    service = await servePages({ rateLimits: { ...unlimited, anonymous: 2 } });
    await visitor.page.goto(service.url);
    await visitor.seesCount('49 results');
    await visitor.page.getByRole('checkbox', { name: /^Germany/ }).check();
    await visitor.seesCount('Too many requests in a minute');
    await visitor.sees(/This page retries automatically/);
    expect(await visitor.findBarriers()).toEqual([]);
  });

  it('say that search is unavailable, and continue once it is back', async () => {
    service = await servePages();
    const database = new DatabaseSync(join(service.dataDir, 'masthead.db'));
    try {
      database.exec('PRAGMA legacy_alter_table = ON; ALTER TABLE records RENAME TO hidden');
      await visitor.page.goto(service.url);
      await visitor.seesCount('Search is not available right now');
      database.exec('ALTER TABLE hidden RENAME TO records');
      await visitor.page.getByRole('link', { name: 'Try again now' }).click();
      await visitor.seesCount('49 results');
    } finally {
      database.close();
    }
  });
});
