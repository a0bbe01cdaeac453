import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished } from 'vitest';
import { unlimited } from '#test/http/test-service.ts';
import { servePages } from './page-service.ts';
import { it } from './pages-test.ts';

describe('the explorer when the service fails', () => {
  it('say that the limit of the minute is used up, and when to try again', async ({ visitor }) => {
    const service = await servePages({ rateLimits: { ...unlimited, anonymous: 2 } });
    onTestFinished(() => service.close());
    await visitor.page.goto(service.url);
    await visitor.seesCount('49 results');
    await visitor.openFilter('Country');
    await visitor.page.getByRole('checkbox', { name: /^Germany/ }).check();
    await visitor.seesCount('Too many requests in a minute');
    await visitor.sees(/Try again in \d+ seconds?\./);
    expect(await visitor.findBarriers()).toEqual([]);
  });

  it('say that search is unavailable, and continue once it is back', async ({ visitor }) => {
    const service = await servePages();
    onTestFinished(() => service.close());
    using database = new DatabaseSync(join(service.dataDir, 'masthead.db'));
    database.exec('PRAGMA legacy_alter_table = ON; ALTER TABLE records RENAME TO hidden');
    await visitor.page.goto(service.url);
    await visitor.seesCount('Search is not available right now');
    database.exec('ALTER TABLE hidden RENAME TO records');
    await visitor.page.getByRole('link', { name: 'Try again now' }).click();
    await visitor.seesCount('49 results');
  });
});
