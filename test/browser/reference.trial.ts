import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

describe('the guide and the API reference in a real browser', () => {
  it('can be read without barriers and third-party hosts, and copies commands', async ({ service, visitor }) => {
    const { page } = visitor;
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${service.url}/docs`);
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Copy the commands: Search', exact: true }).click();
    await visitor.sees('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `curl '${service.url}/api/v1/search?q=tech+newsletters'`,
    );
    await page
      .getByRole('navigation', { name: 'Contents' })
      .getByRole('link', { name: 'GET /search', exact: true })
      .click();
    const search = page.getByRole('article', { name: 'Search media' });
    await search.getByText('Parameters').click();
    await search.getByText('Answers').click();
    expect(await visitor.findBarriers()).toEqual([]);
    expect(await visitor.fitsWidth()).toBe(true);
    await page.getByRole('link', { name: 'Errors' }).first().click();
    await page.getByRole('heading', { name: /plan_expired/ }).waitFor();
    expect(await visitor.findBarriers()).toEqual([]);
    expect(visitor.requested.filter((url) => !url.startsWith(service.url) && !url.startsWith('data:'))).toEqual([]);
  });
});
