import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

describe('people in a real browser', () => {
  it('are the first three in results, with a link to the others', async ({ page, service, visitor }) => {
    await visitor.signIn('/?q=founders+afloat+2', await service.issueKey('premium'));
    await visitor.sees('ann.one.of.the.founders@founders-afloat.example');
    const row = page.locator('.cards .card', { hasText: 'Founders Afloat 2' });
    expect(await row.locator('.reach-by > li').count()).toBe(4);
    expect(await row.getByRole('button', { name: 'Copy the address of Ann One' }).isVisible()).toBe(true);
    await row.getByRole('link', { name: 'and 2 more' }).click();
    await page.waitForURL('/media/pod-2');
    await visitor.sees('noreply@founders-afloat.example');
    expect(await page.getByRole('link', { name: 'social.example' }).getAttribute('href')).toBe(
      'https://social.example/@ann',
    );
  });

  it('are kept from the page of their record and from results, with a note and a status each', async ({
    page,
    service,
    visitor,
    visit,
  }) => {
    const key = await service.issueKey('premium');
    await visitor.signIn('/media/pod-2', key);
    await visitor.selectBox('Ann One, Founders Afloat 2').check();
    await visitor.selectBox('Booking desk, Founders Afloat 2').check();
    await page.getByRole('button', { name: 'Add to list' }).press('Enter');
    await visitor.sees('Add 2 people to');
    await page.getByLabel('Name of a new list').fill('People');
    await page.keyboard.press('Enter');
    await visitor.sees('2 people are in the list now.');
    await expect.poll(() => page.locator('.people .pill', { hasText: 'in People' }).count()).toBe(2);
    await page.goto('/?q=afloat&record=pod-2');
    const panel = page.getByRole('complementary', { name: 'Founders Afloat 2' });
    await expect.poll(() => panel.locator('.people .pill', { hasText: 'in People' }).count()).toBe(2);
    await panel.getByRole('checkbox', { name: 'Select Cem Three, Founders Afloat 2' }).check();
    await panel.getByRole('button', { name: 'Add to list' }).press('Enter');
    await panel.getByRole('button', { name: 'People 2' }).press('Enter');
    await visitor.sees('1 person is in the list now.');

    await page.goto('/lists');
    await expect
      .poll(() => page.locator('td .who').allInnerTexts())
      .toEqual(['Ann One, Host', 'Booking desk', 'Cem Three']);
    await page.getByLabel('Note on Ann One, Founders Afloat 2').fill('rings on Monday');
    await page.keyboard.press('Enter');
    await visitor.sees('Ann One, Founders Afloat 2 is saved.');
    await page.getByLabel('Status of Cem Three, Founders Afloat 2').selectOption('Replied');
    await visitor.sees('Cem Three, Founders Afloat 2 is saved.');
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    expect(await page.locator('#export').getByLabel('Every person, not one for each medium').isChecked()).toBe(true);
    const { lines: rows } = await visitor.saves(page.getByRole('button', { name: /^Export \d rows/ }));
    expect(rows.map((row) => row.split(',').slice(0, 2).join())).toEqual([
      '\ufeffid,contact_id',
      'pod-2,ann',
      'pod-2,cem',
      'pod-2,desk',
    ]);
    expect(rows[1]).toMatch(/,none,rings on Monday$/);
    await page.keyboard.press('Escape');
    await visitor.selectBox('Ann One, Founders Afloat 2').check();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await visitor.sees(/Add these to a list of their own/);
    await visitor.addToNewList('Own');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove' }).click();
    await visitor.sees('1 removed.');
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(() => page.getByLabel('Note on Ann One, Founders Afloat 2').inputValue()).toBe('rings on Monday');

    const phone = await visit({ viewport: { width: 360, height: 800 } });
    await phone.signIn(`/lists?list=${new URL(page.url()).searchParams.get('list')}`, key);
    await phone.sees('Booking desk');
    expect(await phone.findBarriers()).toEqual([]);
    expect(await phone.findWide()).toEqual([]);
  });

  it('are chosen, kept, exported and opened by keys, as media are', async ({ page, service, visitor }) => {
    await visitor.signIn('/people', await service.issueKey('premium'));
    await page.keyboard.press('/');
    await page.keyboard.type('founders');
    for (const key of ['Escape', '/']) await page.keyboard.press(key);
    await page.keyboard.type('founders afloat');
    await visitor.seesCount('7 results');
    await expect.poll(() => new URL(page.url()).search).toBe('?q=founders+afloat');
    await visitor.openFilter('Kind');
    await page.getByRole('checkbox', { name: /^Podcast/ }).check();
    await visitor.seesCount('7 results');
    expect(await page.locator('label', { hasText: 'United States' }).textContent()).toMatch(/7\s*$/);
    await page.keyboard.press('Escape');
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await visitor.sees('2 selected');
    await visitor.addToNewList('Chosen');
    await visitor.sees('2 people are in the list now.');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear' }).click();
    await visitor.addToNewList('All');
    await visitor.sees('7 people are in the list now.');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    expect((await visitor.saves(page.getByRole('button', { name: /^Export \d rows/ }))).lines).toHaveLength(8);
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: /^Founders Afloat/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/people');
    await page.goto('/lists');
    await page.getByRole('complementary', { name: 'Lists' }).getByRole('link', { name: 'All 7' }).click();
    await expect.poll(() => page.locator('td .who').allInnerTexts()).toContain('Desk');
  });
});
