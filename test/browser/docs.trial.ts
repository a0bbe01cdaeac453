import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

describe('the docs, in a real browser', () => {
  it('are searched by all words typed, and show their examples in the chosen language', async ({ page, visitor }) => {
    await page.goto('/docs');
    await page.getByLabel('Search this page').fill('Follow CURSOR');
    const part = page.getByRole('article', { name: 'Follow what changes' });
    await part.waitFor();
    await page.getByRole('heading', { name: 'Make a list' }).waitFor({ state: 'hidden' });
    expect(await page.getByRole('link', { name: 'Check an address' }).isVisible()).toBe(false);
    expect(await page.getByRole('link', { name: 'GET /changes' }).isVisible()).toBe(true);
    expect(await part.getByText('read_changes.sync').isVisible()).toBe(false);
    await page.getByLabel('Search this page').fill('');
    await page.getByRole('radio', { name: 'Python' }).check();
    expect(await part.getByText('read_changes.sync').isVisible()).toBe(true);
    expect(await part.getByText('curl').isVisible()).toBe(false);
    expect(await visitor.findBarriers()).toEqual([]);
  });
});
