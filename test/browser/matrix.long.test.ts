import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

describe('every page in every form', () => {
  const forms: [string, BrowserContextOptions][] = [
    ...[320, 768, 1440].flatMap((width): [string, BrowserContextOptions][] => [
      [`${width} px, light`, { viewport: { width, height: 900 }, colorScheme: 'light' }],
      [`${width} px, dark`, { viewport: { width, height: 900 }, colorScheme: 'dark' }],
    ]),
    ['forced colors', { forcedColors: 'active' }],
    ['reduced motion', { reducedMotion: 'reduce' }],
  ];

  it.for(forms)('has no accessibility barrier and fits its window: %s', async ([, options], { service, visit }) => {
    const visitor = await visit(options);
    const { page } = visitor;
    const check = async (state: string) => {
      expect(await visitor.findBarriers(), state).toEqual([]);
      expect(await visitor.fitsWidth(), state).toBe(true);
    };
    await page.goto(service.url);
    await visitor.seesCount('49 results');
    await check('first look');
    await page.getByText('I have a key').click();
    await check('field for a key');
    await page.goto(`${service.url}/?country=DE`);
    await page.getByText('This search as code').click();
    await check('filtered, with code');
    await page.goto(`${service.url}/?q=hafenblat&view=table&columns=name|about|email|updated`);
    await page.getByText('Columns', { exact: true }).first().click();
    await check('table');
    await page.goto(`${service.url}/?q=xyzzyplugh&country=DE`);
    await visitor.seesCount('Nothing found');
    await check('nothing found');
    await page.goto(`${service.url}/?country=Germny`);
    await visitor.sees(/is not a valid country/);
    await check('an error');
    await page.goto(`${service.url}/media/paper-3`);
    await check('a record');
    await page.goto(`${service.url}/?q=onerror`);
    await visitor.seesCount('1 result');
    await check('a hostile result');
    await page.goto(`${service.url}/?q=onerror&view=table&columns=name|place|contact|phone`);
    await visitor.seesCount('1 result');
    await check('a hostile row');
    await page.goto(`${service.url}/media/hostile`);
    await check('a hostile record');
    await page.getByRole('checkbox', { name: /^Keep/ }).check();
    await page.goto(`${service.url}/lists`);
    await visitor.sees('1 record of 100');
    await check('a list');
    await page.goto(`${service.url}/plans`);
    await check('plans');
    await page.goto(`${service.url}/docs`);
    await page.getByText('Parameters').first().click();
    await check('the reference');
    await page.goto(`${service.url}/docs/errors`);
    await check('errors');
    await page.goto(`${service.url}/account`);
    await visitor.enterKey(await service.issueKey('pro'));
    await page.getByText('As a table').click();
    await check('a key and its use');
    await page.getByRole('checkbox', { name: /ends at once/ }).check();
    await page.getByRole('button', { name: 'Replace key' }).click();
    await visitor.sees('Here is your new key');
    await check('a replaced key');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.goto(`${service.url}/claim?order_id=ord_1`);
    await visitor.sees(/does not have the claim token/);
    await check('claim');
  });

  it('can be used with text of twice the size', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const path of ['/', '/?view=table', '/media/paper-3', '/plans']) {
      await page.goto(service.url + path);
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      expect(await visitor.fitsWidth(), path).toBe(true);
    }
  });
});
