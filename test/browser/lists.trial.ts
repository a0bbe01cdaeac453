import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

describe('lists in a real browser', () => {
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

  it.for([
    ['the explorer', '/?q=hafenblatt', 'assets/explorer.js'],
    ['the page of a record', '/media/paper-1', 'assets/media.js'],
  ] as const)(
    'keep what was ticked on %s before its modules were there',
    async ([, path, file], { service, visitor }) => {
      const { page } = visitor;
      const release = await visitor.holdBack(file);
      await page.goto(service.url + path, { waitUntil: 'commit' });
      await visitor.keepBox('Hafenblatt 1').check();
      release();
      await page.locator('.kept-in').waitFor();
      expect(await visitor.keepBox('Hafenblatt 1').isChecked()).toBe(true);
      await page.goto(`${service.url}/lists`);
      await visitor.sees('1 record of 100');
    },
  );

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
