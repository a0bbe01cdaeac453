import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect } from 'vitest';
import { ofForm } from '#testing/form.ts';
import { makeList } from './page-service.ts';
import { it } from './pages-test.ts';

describe('every page in every form', () => {
  const twice = 'text of twice the size';
  /** The rules whose outcome depends on the size of text; the pages and their colors are those of other forms. */
  const ofSizes = ['scrollable-region-focusable', 'target-size'];
  const every: [string, BrowserContextOptions][] = [
    ...[320, 768, 1440, 1920].flatMap((width): [string, BrowserContextOptions][] => [
      [`${width} px, light`, { viewport: { width, height: 900 }, colorScheme: 'light' }],
      [`${width} px, dark`, { viewport: { width, height: 900 }, colorScheme: 'dark' }],
    ]),
    ['reduced motion', { reducedMotion: 'reduce' }],
    [`320 px, forced colors, ${twice}`, { viewport: { width: 320, height: 900 }, forcedColors: 'active' }],
    [`1280 px, ${twice}`, { viewport: { width: 1280, height: 900 } }],
  ];
  // A wide one in the dark theme, and the narrowest with large text and colours that are changed by force; other trials of pages look at light ones.
  const forms = ofForm(
    [5, 9].map((place) => every[place] as (typeof every)[number]),
    every,
  );

  it.for(forms)('has no accessibility barrier and fits its window: %s', async ([form, options], { service, visit }) => {
    const visitor = await visit(options);
    const { page } = visitor;
    if (form.endsWith(twice)) await visitor.enlargeText();
    const rules = form.endsWith(twice) ? ofSizes : undefined;
    const check = async (state: string) => {
      expect(await visitor.findBarriers(rules), state).toEqual([]);
      expect(await visitor.findWide(), state).toEqual([]);
    };
    const look = async (state: string, path: string, count?: string) => {
      await page.goto(path);
      if (count !== undefined) await visitor.seesCount(count);
      await check(state);
    };
    await look('first look', '/', '49 results');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await check('field for a key');
    await page.goto('/?country=DE');
    await page.getByRole('button', { name: 'This search as code' }).click();
    await check('filtered, with code');
    await visitor.openMap();
    await visitor.openFilter('More filters');
    await check('filters, with the map');
    await page.goto('/?q=hafenblat&view=table&columns=name|about|email|updated');
    // Phones have rows alone.
    const columns = page.getByRole('button', { name: 'Columns' });
    if (await columns.isVisible()) await columns.click();
    await check('table');
    await look('nothing found', '/?q=xyzzyplugh&country=DE', 'Nothing found');
    await page.goto('/?country=Germny');
    await visitor.sees(/is not a valid country/);
    await check('an error');
    await look('a record', '/media/paper-3');
    await look('a record with people', '/media/pod-2');
    await look('results with people', '/?q=afloat', '3 results');
    await look('people', '/people?q=afloat', '7 results');
    await look('a table of people', '/people?q=afloat&view=table');
    await look('a hostile result', '/?q=onerror', '1 result');
    await look('a hostile row', '/?q=onerror&view=table&columns=name|place|contact|phone', '1 result');
    await look('a hostile record', '/media/hostile');
    await page.goto('/?q=hafenblatt&record=paper-3');
    await page.getByRole('complementary', { name: 'Hafenblatt 3' }).waitFor();
    await check('a record beside the list');
    await look('no lists', '/lists');
    await look('plans', '/plans');
    await page.goto('/docs');
    await page.getByText('Answer').first().click();
    await check('the reference');
    await look('errors', '/docs/errors');
    await page.goto('/account');
    const key = await service.issueKey('premium');
    await makeList(service.url, key, 'Everything', ['hostile', 'paper-1']);
    await visitor.enterKey(key);
    await check('a key and its use');
    await page.getByRole('button', { name: 'Replace key' }).click();
    await visitor.sees('Here is your new key');
    await check('a replaced key');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.goto('/claim?order_id=ord_1');
    await visitor.sees(/cannot claim the key of this order/);
    await check('claim');
    await page.goto('/lists');
    await page.getByRole('button', { name: 'Send to campaign' }).click();
    await check('a list, with a push');
  });
});
