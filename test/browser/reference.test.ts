import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

describe('the API reference in a real browser', () => {
  it('show the API reference without third-party hosts', async ({ service, visitor }) => {
    await visitor.page.goto(`${service.url}/docs`);
    await visitor.page.getByText('/api/v1/search').first().click();
    await visitor.sees('Search media');
    await visitor.page.getByRole('button', { name: 'Try it out' }).click();
    await visitor.page.getByRole('button', { name: 'Execute' }).click();
    await visitor.page.getByText('"total": 49').first().waitFor();
    expect(visitor.requested.filter((url) => !url.startsWith(service.url) && !url.startsWith('data:'))).toEqual([]);
  });
});
