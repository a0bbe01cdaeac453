import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

describe('people in a real browser', () => {
  it('are all on the page of their record, also without JavaScript', async ({ service, visit }) => {
    const { page } = await visit({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    await page.goto(`${service.url}/media/pod-2`);
    const people = page.locator('.people > li');
    const names = await people.evaluateAll((all) => all.map((one) => one.querySelector('strong, bdi')?.textContent));
    expect(names).toEqual(['Ann One, Host', 'Cem Three', 'Booking desk', 'Bob Two, Producer', undefined]);
    expect(await people.last().innerText()).toContain('Automatic');
  });

  it('are the first three in results, with a link to the others', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/?q=founders+afloat+2`);
    await visitor.enterKey(await service.issueKey('premium'));
    await visitor.sees('ann.one.of.the.founders@founders-afloat.example');
    const row = page.locator('.cards .card', { hasText: 'Founders Afloat 2' });
    expect(await row.locator('.reach-by > li').count()).toBe(4);
    expect(await row.getByRole('button', { name: 'Copy the address of Ann One' }).isVisible()).toBe(true);
    await row.getByRole('link', { name: 'and 2 more' }).click();
    await page.waitForURL(`${service.url}/media/pod-2`);
    await visitor.sees('noreply@founders-afloat.example');
    expect(await page.getByRole('link', { name: 'social.example' }).getAttribute('href')).toBe(
      'https://social.example/@ann',
    );
  });
});
