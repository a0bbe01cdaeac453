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

  it('have names, and one of them is open', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/lists`);
    await visitor.sees(/Nothing is kept here yet/);
    await page.getByLabel('Name of a new list').fill('<b>Spring</b>');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: '<b>Spring</b>' }).waitFor();
    await page.goto(`${service.url}/media/paper-1`);
    await visitor.keepBox('Hafenblatt 1').check();
    await page.goto(`${service.url}/lists`);
    await visitor.sees('1 record of 100');
    await page.getByRole('combobox', { name: /^List/ }).selectOption('My list');
    await visitor.sees('0 records of 100');
    await page.getByRole('button', { name: 'Delete this list' }).click();
    await visitor.sees('1 record of 100');
    expect(await page.getByRole('button', { name: 'Delete this list' }).count()).toBe(0);
  });

  it('keep the focus near what was removed, and say what it was', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/?q=hafenblatt`);
    for (const name of ['Hafenblatt 0', 'Hafenblatt 1']) await visitor.keepBox(name).check();
    await page.goto(`${service.url}/lists`);
    const focused = () => page.evaluate('document.activeElement.textContent.trim()');
    await page.getByRole('button', { name: 'Remove Hafenblatt 0' }).press('Enter');
    await visitor.sees('1 record of 100');
    expect(await focused()).toBe('Hafenblatt 1');
    expect(await page.getByRole('status').first().textContent()).toBe('Hafenblatt 0 is removed.');
    await page.getByRole('button', { name: 'Remove Hafenblatt 1' }).press('Enter');
    await visitor.sees('0 records of 100');
    expect(await focused()).toBe('Search');
  });

  it('keep a note while it is typed and the page is drawn again', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/?q=hafenblatt`);
    for (const name of ['Hafenblatt 0', 'Hafenblatt 1']) await visitor.keepBox(name).check();
    await page.goto(`${service.url}/lists`);
    await page.getByLabel('Note: Hafenblatt 1').pressSequentially('call on M');
    // Another tab keeps something.
    const other = await visitor.context.newPage();
    await other.goto(`${service.url}/media/paper-2`);
    await other.getByRole('checkbox', { name: 'Keep Hafenblatt 2' }).check();
    await visitor.sees('3 records of 100');
    await page.getByLabel('Note: Hafenblatt 1').pressSequentially('onday');
    await page.reload();
    expect(await page.getByLabel('Note: Hafenblatt 1').inputValue()).toBe('call on Monday');
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

  it('ask before they take a part of what was found', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(service.url);
    await page.evaluate(`{
      const kept = Array.from({ length: 90 }, (_, at) => ({ id: 'old-' + at, name: 'Old', kind: 'outlet', note: '' }));
      localStorage.setItem('masthead-lists', JSON.stringify({ current: 'Full', lists: { Full: kept } }));
    }`);
    await page.goto(`${service.url}/?q=hafenblatt&sort=audience`);
    const keepAll = page.getByRole('button', { name: 'Keep all of these results' });
    await keepAll.click();
    await visitor.sees('There are 45 results, and a list holds 100 records. “Full” can take 10 more.');
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Keep none' }).click();
    expect(await visitor.keepBox('Hafenblatt 0').isChecked()).toBe(false);
    await keepAll.click();
    await page.getByRole('button', { name: 'Keep the first 10' }).click();
    await visitor.sees('10 records were added to “Full”.');
    expect(await visitor.keepBox('Hafenblatt 9').isChecked()).toBe(true);
    expect(await visitor.keepBox('Hafenblatt 10').isChecked()).toBe(false);
    await keepAll.click();
    await visitor.sees('This list holds 100 records, the most it can.');
    expect(await page.evaluate("JSON.parse(localStorage.getItem('masthead-lists')).lists.Full.length")).toBe(100);
  });

  it('say that there is no more room instead of losing something', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/?q=hafenblatt`);
    await page.evaluate(`{
      const kept = Array.from({ length: 100 }, (_, at) => ({ id: 'old-' + at, name: 'Old', kind: 'outlet', note: '' }));
      localStorage.setItem('masthead-lists', JSON.stringify({ current: 'Full', lists: { Full: kept } }));
      const searches = Array.from({ length: 20 }, (_, at) => ({ name: 'S' + at, query: 'q=' + at, seenAt: '2026-11-01T00:00:00.000Z' }));
      localStorage.setItem('masthead-searches', JSON.stringify(searches));
    }`);
    await page.reload();
    await visitor.keepBox('Hafenblatt 0').click();
    await visitor.sees('This list holds 100 records, the most it can.');
    expect(await visitor.keepBox('Hafenblatt 0').isChecked()).toBe(false);
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByText('Save this search').click();
    const save = async (name: string) => {
      await page.getByLabel('Name of the search').fill(name);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
    };
    await save('S3');
    await visitor.sees('Not saved: another search is called “S3”. Choose another name.');
    await save('One too many');
    await visitor.sees('Not saved: this browser already keeps 20 searches, the most it can. Remove one first:');
    expect(await page.evaluate("JSON.parse(localStorage.getItem('masthead-searches')).length")).toBe(20);
    expect(await page.evaluate("localStorage.getItem('masthead-searches')")).toContain('"name":"S19","query":"q=19"');
  });

  it.for(['full', 'blocked'] as const)(
    'say that nothing was saved where the storage of the browser is %s',
    async (state, { service, visitor }) => {
      const { page } = visitor;
      const refuse = {
        full: "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
        blocked: `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })`,
      }[state];
      await page.addInitScript(refuse);
      await page.goto(`${service.url}/?q=hafenblatt`);
      const notSaved = page.getByText('Not saved: this browser’s storage for this page is full or blocked.');
      for (const _again of [1, 2]) {
        await visitor.keepBox('Hafenblatt 0').click();
        await expect.poll(() => notSaved.count()).toBe(1);
        expect(await visitor.keepBox('Hafenblatt 0').isChecked()).toBe(false);
      }
      await page.getByRole('button', { name: 'Keep all of these results' }).click();
      await expect.poll(() => notSaved.count()).toBe(2);
      await page.getByText('Save this search').click();
      await page.getByLabel('Name of the search').fill('Harbour');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(() => notSaved.count()).toBe(3);
      await page.goto(`${service.url}/lists`);
      await page.getByLabel('Name of a new list').fill('Spring');
      await page.getByRole('button', { name: 'Create' }).click();
      await expect.poll(() => notSaved.count()).toBe(1);
      await page.goto(`${service.url}/plans`);
      await page.getByRole('button', { name: 'Buy Pro' }).click();
      await visitor.sees('Nothing was ordered');
      expect(visitor.requested.filter((url) => url.endsWith('/checkout'))).toEqual([]);
    },
  );

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

  it('stand beside saved searches, which say how much is new', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(`${service.url}/?q=hafenblatt&country=DE&sort=name&page=2`);
    await page.getByText('Save this search').click();
    await page.getByLabel('Name of the search').fill('<i>Harbour</i>');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'See your lists' }).click();
    await visitor.sees(/Nothing new since/);
    expect(await visitor.findBarriers()).toEqual([]);
    // As if it had been saved before the records came.
    await page.evaluate(`localStorage.setItem('masthead-searches',
      localStorage.getItem('masthead-searches').replace(/"seenAt":"[^"]+"/, '"seenAt":"2025-12-31T00:00:00.000Z"'))`);
    await page.reload();
    await visitor.sees('45 new or changed since Dec 31, 2025');
    await page.getByRole('link', { name: '<i>Harbour</i>' }).click();
    await visitor.seesCount('45 results');
    expect(new URL(page.url()).search).toBe('?q=hafenblatt&country=DE');
    await page.getByRole('link', { name: 'Lists' }).click();
    await visitor.sees(/Nothing new since/);
    await page.getByRole('button', { name: 'Remove <i>Harbour</i>' }).click();
    await expect.poll(() => page.getByRole('heading', { name: 'Saved searches' }).count()).toBe(0);
  });
});
