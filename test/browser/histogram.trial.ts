import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

// 45 papers with about 90,000 readers, 3 podcasts with 500 listeners, and one record with an audience of 1.
const summary = /^0–99: 1 result; .*300–999: 3 results; .*30,000–99,999: 45 results; .*30,000,000\+: 0 results$/;

describe('the histogram of the audience in a real browser', () => {
  it('shows the counts of each step, and asks for a step and all above by a press', async ({ page, visitor }) => {
    await page.goto('/');
    expect(await page.locator('.histogram p').textContent()).toMatch(summary);
    await visitor.openFilter('More filters');
    await page.locator('.histogram a[href="./?min_audience=30000"]').click();
    await visitor.seesCount('45 results');
    expect(new URL(page.url()).search).toBe('?min_audience=30000');
    expect(await page.getByRole('spinbutton', { name: 'Min audience' }).inputValue()).toBe('30000');
    // The counts are those without the bound.
    expect(await page.locator('.histogram p').textContent()).toMatch(summary);
    expect(await visitor.findBarriers()).toEqual([]);
  });
});
