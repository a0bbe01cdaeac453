import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

describe('the map of countries in a real browser', () => {
  it('is loaded when it is opened, shows where the results are and filters by a press', async ({ page, visitor }) => {
    await page.goto('/', { waitUntil: 'networkidle' });
    expect(visitor.requested.filter((url) => url.includes('world.json'))).toEqual([]);
    await visitor.openMap();
    const countries = page.locator('svg.world a');
    await expect.poll(() => countries.count()).toBe(2);
    const germany = page.locator('svg.world a[href="./?country=DE"]');
    const states = page.locator('svg.world a[href="./?country=US"]');
    expect(await germany.getAttribute('fill-opacity')).toBe('1');
    // By the logarithm of 3 records against 45.
    expect(Number(await states.getAttribute('fill-opacity'))).toBeCloseTo(0.5216, 4);
    expect(await germany.locator('title').textContent()).toBe('Germany: 45 results');

    await germany.click();
    await visitor.seesCount('45 results');
    expect(new URL(page.url()).search).toBe('?country=DE');
    await visitor.openFilter('Country');
    expect(await page.getByRole('checkbox', { name: /^Germany/ }).isChecked()).toBe(true);
    // Another one is added, and a second press takes the first away.
    await page.locator('svg.world a[href="./?country=DE%7CUS"]').click();
    await visitor.seesCount('48 results');
    await page.locator('svg.world a.chosen[href="./?country=US"]').click();
    await visitor.seesCount('3 results');
  });

  it('says that it cannot be loaded, and tries again', async ({ page, visitor }) => {
    await page.goto('/');
    await page.route('**/world.json', (route) => route.abort());
    const summary = page.locator('summary', { hasText: 'On a map' });
    await summary.click();
    await visitor.sees(/The map could not be loaded/);
    await page.unroute('**/world.json');
    await summary.click();
    await visitor.openMap();
    await expect.poll(() => page.locator('svg.world a').count()).toBe(2);
  });
});
