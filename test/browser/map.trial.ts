import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

describe('the map of countries in a real browser', () => {
  it('counts under the other filters', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/?country=DE&city=kiel`);
    await visitor.openMap();
    await expect.poll(() => page.locator('svg.world a').count()).toBe(1);
    await page.locator('svg.world a').hover();
    await visitor.sees('Germany: 15 results');
    await page.getByRole('link', { name: 'Remove filter City: kiel' }).click();
    await expect.poll(() => page.locator('svg.world a').count()).toBe(2);
  });

  it('opens and closes by keys, and leaves the list of countries to those who do not point', async ({
    service,
    visitor,
  }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/?country=DE`);
    const summary = page.locator('summary', { hasText: 'On a map' });
    await summary.focus();
    await page.keyboard.press('Enter');
    await page.locator('svg.world').waitFor();
    // No stop at each country.
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.closest('.map') === null")).toBe(true);
    expect(await visitor.findBarriers()).toEqual([]);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Space');
    await expect.poll(() => page.locator('svg.world').isVisible()).toBe(false);
  });

  it('shows the country of a record on its page', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/media/paper-3`);
    await visitor.openMap();
    expect(await visitor.findBarriers()).toEqual([]);
    await page.locator('svg.world a').click();
    await page.waitForURL(`${service.url}/?country=DE`);
    await visitor.seesCount('45 results');
  });

  it.for([
    { width: 320, colorScheme: 'light' },
    { width: 320, colorScheme: 'dark' },
    { width: 1440, colorScheme: 'dark' },
  ] as const)('fits $width px, $colorScheme, without barriers', async ({ width, colorScheme }, { service, visit }) => {
    const visitor = await visit({ viewport: { width, height: 800 }, colorScheme });
    await visitor.page.goto(`${service.url}/?country=DE`);
    await visitor.openMap();
    expect(await visitor.fitsWidth()).toBe(true);
    expect(await visitor.findBarriers()).toEqual([]);
  });
});
