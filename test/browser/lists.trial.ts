import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

describe('lists in a real browser', () => {
  it('hold what is ticked, with notes, also after the browser was closed', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/?q=hafenblatt`);
    await visitor.keepBox('Hafenblatt 0').check();
    await visitor.keepBox('Hafenblatt 2').focus();
    await page.keyboard.press('Space');
    await page.getByRole('link', { name: 'Table' }).click();
    await visitor.keepBox('Hafenblatt 3').check();
    await visitor.keepBox('Hafenblatt 2').uncheck();
    await page.goto(`${service.url}/media/pod-1`);
    await visitor.keepBox('Founders Afloat 1').check();
    await page.getByRole('link', { name: 'Lists' }).click();
    await visitor.sees('3 records of 100');
    await page.getByLabel('Note: Hafenblatt 3').fill('call on Monday');
    await page.getByLabel('Note: Hafenblatt 3').press('Enter');
    await page.getByRole('button', { name: 'Remove Hafenblatt 0' }).click();
    await page.reload();
    await visitor.sees('2 records of 100');
    expect(await page.getByLabel('Note: Hafenblatt 3').inputValue()).toBe('call on Monday');
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByRole('link', { name: 'See them side by side' }).click();
    await visitor.seesCount('2 results');
    await expect.poll(() => visitor.keepBox('Hafenblatt 3').isChecked()).toBe(true);
    // No address gets into what outlasts the tab.
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('@');
  });

  it('take everything found, once, and say how many that were', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/?q=hafenblatt&city=kiel`);
    await visitor.keepBox('Hafenblatt 0').check();
    await page.getByRole('button', { name: 'Keep all of these results' }).press('Enter');
    await visitor.sees('14 records were added to “My list”.');
    expect(await visitor.keepBox('Hafenblatt 3').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Keep all of these results' }).click();
    await visitor.sees('All of them are in “My list” already.');
    await page.goto(`${service.url}/lists`);
    await visitor.sees('15 records of 100');
  });

  it('are chosen and made where records are ticked', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/?q=hafenblatt`);
    await visitor.keepBox('Hafenblatt 0').check();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Hafenblatt 0' })
      .getByRole('link', { name: 'My list' })
      .waitFor();
    await page.getByText('What you keep goes into “My list”').click();
    await page.getByLabel('Name of a new list').fill('Spring');
    await page.keyboard.press('Enter');
    await visitor.sees('What you keep goes into “Spring”');
    expect(await visitor.keepBox('Hafenblatt 0').isChecked()).toBe(false);
    await visitor.keepBox('Hafenblatt 1').check();
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByRole('combobox', { name: /^List/ }).selectOption('My list');
    await expect.poll(() => visitor.keepBox('Hafenblatt 0').isChecked()).toBe(true);
    expect(await visitor.keepBox('Hafenblatt 1').isChecked()).toBe(false);
    await page.goto(`${service.url}/lists`);
    await visitor.sees('1 record of 100');
    await visitor.sees('With a plan you can export this list and push it into a campaign:');
    await page.getByRole('combobox', { name: /^List/ }).selectOption('Spring');
    await visitor.sees('Hafenblatt 1');
  });

  it('are shared in parts where their ids are too long for one link', async ({ service, visitor }) => {
    const { page } = visitor;
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(service.url);
    await page.evaluate(`{
      const idOf = (at) => at < 45 ? 'paper-' + at : at + 'x'.repeat(120);
      const kept = Array.from({ length: 100 }, (_, at) => ({ id: idOf(at), name: 'R' + at, kind: 'outlet', note: '' }));
      localStorage.setItem('masthead-lists', JSON.stringify({ current: 'Long', lists: { Long: kept } }));
    }`);
    await page.goto(`${service.url}/lists`);
    await visitor.sees(
      'One link cannot hold all of these records, because their ids are long. 2 links show a part each:',
    );
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: /^Copy a link .* \(1–\d+\)$/ }).click();
    await visitor.sees('Copied');
    const shared = (await page.evaluate('navigator.clipboard.readText()')) as string;
    await page.getByRole('link', { name: /^See them side by side \(\d+–100\)$/ }).click();
    await visitor.seesCount('Nothing found');
    await page.goto(shared);
    await visitor.seesCount('45 results');
  });

  it('export exactly their records, of every kind', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/?q=founders`);
    await visitor.enterKey(await service.issueKey('premium'));
    await visitor.keepBox('Founders Afloat 0').check();
    await page.goto(`${service.url}/media/paper-1`);
    await visitor.keepBox('Hafenblatt 1').check();
    await page.getByRole('link', { name: 'Lists' }).click();
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export these results' }).click();
    const rows = (await readFile(await (await waiting).path(), 'utf8')).trimEnd().split('\r\n');
    expect(rows).toHaveLength(3);
    expect(rows.join()).toContain('desk1@hafenblatt-1.example');
  });
});
