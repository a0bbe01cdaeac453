import { describe, expect } from 'vitest';
import { makeList } from './page-service.ts';
import { it } from './pages-test.ts';

const papers = ['paper-0', 'paper-3', 'paper-6', 'pod-1'];

describe('lists in a real browser', () => {
  it('hold what is selected, with notes and statuses, for every browser of the account', async ({
    page,
    service,
    visitor,
    visit,
  }) => {
    const key = await service.issueKey('premium');
    await page.goto('/?q=hafenblatt');
    await page.getByRole('button', { name: 'Add to list' }).click();
    await visitor.sees(/Lists, with a note and a status for each entry, come with a plan/);
    await page.keyboard.press('Escape');
    await visitor.enterKey(key);
    await visitor.selectBox('Hafenblatt 0').check();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await visitor.sees('2 selected');
    await visitor.addToNewList('Spring');
    await visitor.sees('2 media are in the list now.');
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByRole('link', { name: 'Spring' }).click();
    await page.getByRole('heading', { name: 'Spring' }).waitFor();
    await page.getByLabel('Note on Hafenblatt 1').fill('call on Monday');
    await page.keyboard.press('Enter');
    await visitor.sees('Hafenblatt 1 is saved.');
    await page.emulateMedia({ media: 'print' });
    await visitor.sees('call on Monday');
    await page.emulateMedia({ media: 'screen' });
    await page.getByLabel('Status of Hafenblatt 1').selectOption('Contacted');
    await page.getByRole('link', { name: 'Contacted 1' }).click();
    await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toEqual(['Hafenblatt 1']);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const { name, lines } = await visitor.saves(page.getByRole('button', { name: 'Export 1 row' }));
    expect([name, lines.length]).toEqual(['Spring-2026-11-21.csv', 2]);
    expect(lines.join()).toContain(',2026-11-21T12:00:00.000Z,contacted,call on Monday');
    await page.keyboard.press('Escape');
    const dated = page.getByLabel('Date contacted of Hafenblatt 1');
    expect(await dated.inputValue()).toBe('2026-11-22');
    await dated.fill('2026-11-02');
    await expect.poll(() => page.evaluate("localStorage.getItem('masthead-edits')")).toBe('{}');
    await page.reload();
    await expect.poll(() => dated.inputValue()).toBe('2026-11-02');

    const other = await visit({ viewport: { width: 360, height: 800 }, colorScheme: 'dark' });
    await other.signIn('/lists', key);
    await expect.poll(() => other.page.getByLabel('Note on Hafenblatt 1').inputValue()).toBe('call on Monday');
    expect(await other.findBarriers()).toEqual([]);
    expect(await other.findWide()).toEqual([]);
    await other.page.goto('/?q=hafenblatt+1');
    await other.sees('in Spring · Contacted Nov 2026');
    const long = { id: 'long', name: 'Winter', count: 1_001, updated_at: '' };
    await other.page.route('**/api/v1/lists', (route) => route.fulfill({ json: { lists: [long] } }));
    for (const url of [other.page.url(), page.url()]) {
      await other.page.goto(url);
      await other.sees('Who is in these lists is not marked here: Winter.');
    }
    // No address gets into what outlasts the tab.
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('@');
  });

  it('stand above saved searches, each with a feed', async ({ page, service, visitor }) => {
    const key = await service.issueKey('premium');
    await visitor.signIn('/?q=hafenblatt&kind=outlet', key);
    await page.getByRole('button', { name: 'Save search' }).click();
    await page.getByLabel('Name of the search').fill('Harbours');
    for (const _ of ['once', 'twice']) await page.keyboard.press('Enter');
    await visitor.sees('It is saved.');
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByRole('link', { name: 'Your saved searches' }).click();
    await page.getByRole('button', { name: /^Feed of/ }).click();
    const feed = await page.getByRole('link', { name: 'Its feed' }).getAttribute('href');
    expect(await (await page.request.get(feed ?? '')).text()).toContain('<title>Harbours</title>');
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Replace the address' }).click();
    await visitor.sees(/has another address/);
    expect((await page.request.get(feed ?? '')).status()).toBe(404);
    await page.getByRole('button', { name: 'Feed of Harbours' }).click();
    await page.getByRole('button', { name: 'Delete this search' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Harbours' }).click();
    await page.getByRole('heading', { name: 'Find newspapers' }).waitFor();
    expect(new URL(page.url()).search).toBe('?q=hafenblatt&kind=outlet');
  });

  it('lose no note: not without a connection, not with the tab, not to somebody else', async ({
    page,
    service,
    visitor,
    visit,
  }) => {
    const key = await service.issueKey('premium');
    const id = await makeList(service.url, key, 'Notes', papers);
    await visitor.signIn(`/lists?list=${id}`, key);
    const note = (number: number, where = page) => where.getByLabel(`Note on Hafenblatt ${number}`);
    const saved = async () => {
      const headers = { Authorization: `Bearer ${key}` };
      const answer = await page.request.get(`/api/v1/lists/${id}`, { headers });
      const { results } = (await answer.json()) as { results: { note: string | null }[] };
      return results.flatMap((entry) => entry.note ?? []).sort();
    };
    await note(0).fill('one');
    await page.keyboard.press('Tab');
    await visitor.sees('Saved');
    await page.context().setOffline(true);
    await note(3).fill('two');
    await page.keyboard.press('Tab');
    await visitor.sees('Not saved yet: trying again');
    expect(await note(3).inputValue()).toBe('two');
    expect(await saved()).toEqual(['one']);
    await page.context().setOffline(false);
    await expect.poll(saved).toEqual(['one', 'two']);
    // Somebody types on while the beginning is saved: that is nobody else's change.
    const answered = Promise.withResolvers<void>();
    await page.route('**/records', async (route) => {
      await answered.promise;
      await route.continue();
    });
    const asked = page.waitForRequest('**/records');
    await note(0).fill('on');
    await asked;
    await note(0).fill('one again');
    answered.resolve();
    await expect.poll(saved).toEqual(['one again', 'two']);
    await page.unroute('**/records');

    // The tab is gone before the field is left.
    const other = await visit({});
    await other.signIn(`/lists?list=${id}`, key);
    // Even if letters are sent sooner, no answer comes back.
    await page.route('**/records', (route) => route.abort());
    await note(0).fill('three');
    await page.goto('about:blank');
    await page.unroute('**/records');
    await other.page.getByLabel('Note on Hafenblatt 0').fill('four');
    await other.page.keyboard.press('Tab');
    await expect.poll(saved).toEqual(['four', 'two']);
    await page.goto(`/lists?list=${id}`);
    await visitor.sees(/Not saved. Somebody changed it meanwhile: .*four/);
    expect(await note(0).inputValue()).toBe('three');
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Save mine' }).click();
    await expect.poll(saved).toEqual(['three', 'two']);
    expect(await page.evaluate("localStorage.getItem('masthead-edits')")).toBe('{}');
    await other.page.getByLabel('Note on Hafenblatt 0').fill('five');
    await other.sees(/Not saved. Somebody changed it meanwhile: .*three/);
    expect(await other.page.locator('.saving').textContent()).toBe('');
    await other.page.getByRole('button', { name: 'Take theirs' }).click();
    // A change of many rows replaces nothing unseen.
    await other.page.getByLabel('Status of Hafenblatt 3').selectOption('Declined');
    await other.sees('Hafenblatt 3 is saved.');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Set status' }).click();
    await page.getByRole('button', { name: 'Contacted' }).click();
    await visitor.sees(/^Somebody changed the list meanwhile/);
    expect(await page.getByLabel('Status of Hafenblatt 3').inputValue()).toBe('declined');
  });

  it('count what is in them, copy its addresses, and ask who writes to one whether that is done', async ({
    page,
    service,
    visitor,
  }) => {
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const key = await service.issueKey('premium');
    await makeList(service.url, key, 'Campaign', [...papers, 'pod-2']);
    await visitor.signIn('/lists', key);
    await visitor.seesCount('5 media · 5 inboxes');
    await visitor.selectBox('Hafenblatt 0').check();
    await visitor.selectBox('Founders Afloat 2').check();
    await page.getByRole('button', { name: 'Copy 2 addresses' }).click();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied.split(', ').sort()).toEqual([
      'ann.one.of.the.founders@founders-afloat.example',
      'desk0@hafenblatt-0.example',
    ]);
    await page.getByRole('link', { name: 'desk0@hafenblatt-0.example' }).click();
    await visitor.sees('Did you write to Hafenblatt 0?');
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Mark as contacted' }).click();
    await expect
      .poll(() => page.getByRole('navigation', { name: 'Status' }).getByRole('link').allInnerTexts())
      .toEqual(['All 5', 'Contacted 1', 'No status 4']);
    // Who declined is copied, exported or pushed only on purpose.
    await page.getByLabel('Status of Hafenblatt 3').selectOption('Declined');
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await page.getByRole('button', { name: 'Copy 4 addresses' }).isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Send to campaign' }).click();
    await visitor.sees(/One of them declined/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Audience' }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Audience' }).click();
    await expect.poll(() => page.getByRole('rowheader').first().innerText()).toBe('Hafenblatt 0');
    expect(new URL(page.url()).searchParams.get('columns')).toBe('name|place|audience');
    await page.getByRole('link', { name: 'Status', exact: true }).click();
    await expect.poll(() => page.getByRole('rowheader').first().innerText()).toBe('Hafenblatt 0');
    expect(new URL(page.url()).searchParams.get('sort')).toBe('status');
    // The clock of the test stands still, so no time tells that the list has changed.
    await page.evaluate("sessionStorage.removeItem('masthead-listed')");
    await page.getByRole('link', { name: 'Find more media' }).click();
    await visitor.seesCount('44 results');
    await visitor.sees('Not in list Campaign');
    await page.getByRole('button', { name: 'More filters (1)' }).click();
    await page.getByRole('checkbox', { name: /^Campaign/ }).uncheck();
    await visitor.seesCount('49 results');
    await page.keyboard.press('Escape');
    await visitor.selectBox('Hafenblatt 3').check();
    await page.getByRole('button', { name: 'Send to campaign' }).click();
    await visitor.sees(/One of them declined. To leave out who did, untick/);
    await page.goto(`/lists?list=${await makeList(service.url, key, 'Next', papers)}`);
    await page.getByRole('button', { name: 'Copy 3 addresses' }).waitFor();
  });

  it('of 25 people with addresses are made, marked and exported with a note in at most 20 clicks', async ({
    page,
    service,
    visitor,
  }) => {
    await visitor.signIn('/people', await service.issueKey('premium'));
    await page.addInitScript(
      "addEventListener('pointerdown', () => sessionStorage.setItem('clicks', Number(sessionStorage.getItem('clicks')) + 1))",
    );
    await page.goto('/people?q=ada+quill');
    const selectAll = page.getByRole('checkbox', { name: 'Select all on this page' });
    await page.getByRole('checkbox', { name: 'Has an address' }).check();
    await visitor.seesCount('45 results');
    await selectAll.check();
    await page.getByRole('link', { name: 'Next page' }).click();
    await visitor.seesCount('45 results, page 2');
    const boxes = page.getByRole('checkbox', { name: /^Select / });
    for (const place of [1, 2, 3, 4, 5]) await boxes.nth(place).check();
    await page.getByRole('button', { name: 'Add to list' }).click();
    await page.getByLabel('Name of a new list').fill('Launch');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Launch', exact: true }).click();
    await visitor.seesCount('25 people · 25 inboxes');
    await selectAll.check();
    await page.getByRole('button', { name: 'Set status' }).click();
    await page.getByRole('button', { name: 'Contacted' }).click();
    await visitor.sees('25 marked as “Contacted”.');
    await page
      .getByLabel(/^Note on /)
      .first()
      .click();
    await page.keyboard.type('rang');
    await visitor.sees(/ is saved\.$/);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const { lines: rows } = await visitor.saves(page.getByRole('button', { name: 'Export 25 rows' }));
    expect(rows.filter((row) => row.includes(',contacted,'))).toHaveLength(25);
    expect(rows.filter((row) => row.endsWith(',rang'))).toHaveLength(1);
    expect(Number(await page.evaluate("sessionStorage.getItem('clicks')"))).toBeLessThanOrEqual(20);
  });

  it('set the status of many, remove them and delete lists, and undo it', async ({ page, service, visitor }) => {
    const key = await service.issueKey('premium');
    const gone = await makeList(service.url, key, 'Gone', ['pod-1']);
    await makeList(service.url, key, 'Work', papers);
    await visitor.signIn('/lists', key);
    await page.getByRole('link', { name: /^Work/ }).click();
    const names = () => page.getByRole('rowheader').allInnerTexts();
    await expect.poll(names).toHaveLength(4);
    await visitor.sees('in Gone');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Set status' }).click();
    await page.getByRole('button', { name: 'Published' }).press('Enter');
    await visitor.sees('4 marked as “Published”.');
    await visitor.selectBox('Founders Afloat 1').uncheck();
    await page.getByRole('button', { name: 'Remove' }).click();
    await visitor.sees('3 removed.');
    await expect.poll(names).toEqual(['Founders Afloat 1']);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(names).toHaveLength(4);
    expect(await page.getByLabel('Status of Hafenblatt 3').inputValue()).toBe('published');
    await page.getByRole('button', { name: 'Rename or delete' }).click();
    await page.getByRole('button', { name: 'Delete this list' }).click();
    await visitor.sees('“Work” is deleted.');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(names).toHaveLength(4);
    await page.getByRole('link', { name: /^Gone/ }).click();
    await page.getByRole('heading', { name: 'Gone' }).waitFor();
    await page.getByRole('button', { name: 'Rename or delete' }).click();
    await page.getByRole('button', { name: 'Delete this list' }).click();
    await visitor.sees('“Gone” is deleted.');
    // What nobody has undone is done when the page is left.
    await page.goto('/');
    const left = async () => {
      const answer = await page.request.get('/api/v1/lists', {
        headers: { Authorization: `Bearer ${key}` },
      });
      return (await answer.json()).lists.map(({ name }: { name: string }) => name);
    };
    await expect.poll(left).toEqual(['Work']);
    await page.goto(`/lists?list=${gone}`);
    await visitor.sees(/^That list is no longer there/);
  });

  it('are filled by what is pasted, which is shown line by line before anything is added', async ({
    page,
    service,
    visitor,
  }) => {
    const key = await service.issueKey('premium');
    await makeList(service.url, key, 'Pasted', []);
    await visitor.signIn('/lists', key);
    await visitor.sees('Nothing is in this list yet.');
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Paste' }).click();
    await page
      .getByLabel('Names, web addresses or email addresses, one a line')
      .fill(
        [
          'hafenblatt 7\nhttps://www.hafenblatt-8.example/?utm=x',
          'Desk 9 <desk9@hafenblatt-9.example>',
          'nobody@hafenblatt-10.example\nFounders Afloat',
          'One, Ann\nBob Two, Founders Afloat 2\n3\tCem\tFounders Afloat 1\tcem@founders-afloat.example\t2026',
          'nobody@gmail.com\nxyzzy plugh\nCem Three\tFounders Afloat 2\nBob Two\tHafenblatt 7\tbob@old.example',
        ].join('\n'),
      );
    await page.getByRole('button', { name: 'Find them' }).click();
    await visitor.sees('8 found, 2 to choose from, 2 not found');
    await visitor.sees('https://www.hafenblatt-8.example/?utm=x → Hafenblatt 8');
    await visitor.sees('desk9@hafenblatt-9.example → Ada Quill, Hafenblatt 9');
    await page.getByRole('button', { name: 'Add 7', exact: true }).waitFor();
    await page.getByRole('checkbox', { name: /Hafenblatt 10 .*nobody there has this address/ }).uncheck();
    await page.getByRole('checkbox', { name: /^Founders Afloat 2/ }).check();
    expect(await visitor.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Add 7', exact: true }).click();
    await visitor.seesCount('4 people, 3 media · 5 inboxes');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await visitor.sees('Left out: 1 medium of the list.');
    expect(await page.getByText('Shared by 2 here').count()).toBe(2);
    await page.getByLabel('Status of Ann One, Founders Afloat 2').selectOption('Declined');
    await page.getByRole('button', { name: 'Copy 4 addresses' }).waitFor();
  });

  it('compare records, and open one beside the list under a URL of its own', async ({ page, service, visitor }) => {
    const key = await service.issueKey('premium');
    await makeList(service.url, key, 'Compared', papers);
    await visitor.signIn('/lists', key);
    for (const name of ['Hafenblatt 0', 'Founders Afloat 1']) await visitor.selectBox(name).check();
    await page.getByRole('button', { name: 'Compare' }).click();
    const dialog = page.getByRole('dialog', { name: 'Compare' });
    expect(await dialog.getByRole('rowheader', { name: 'Kind (differs)' }).count()).toBe(1);
    expect(await dialog.getByRole('rowheader', { name: 'Phone', exact: true }).count()).toBe(1);
    expect(await visitor.findBarriers()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Hafenblatt 3' }).press('Enter');
    const panel = page.getByRole('complementary', { name: 'Hafenblatt 3' });
    await panel.getByText('desk3@hafenblatt-3.example').waitFor();
    expect(new URL(page.url()).searchParams.get('record')).toBe('paper-3');
    await page.reload();
    await panel.waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('record')).toBe(null);
    await page.getByRole('link', { name: 'Hafenblatt 3' }).press('Enter');
    await panel.getByRole('link', { name: 'Open its page' }).click();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await panel.waitFor();
  });

  it('say what has become of their records since the last look', async ({ page, service, visitor }) => {
    const key = await service.issueKey('pro');
    const id = await makeList(service.url, key, 'Old', ['paper-0', 'paper-44', 'pod-1']);
    await page.goto('/');
    await page.evaluate(`localStorage.setItem('masthead-looks', '{"${id}":"2000-01-02T00:00:00.000Z"}')`);
    await visitor.signIn('/lists', key);
    await visitor.sees('Since you looked on Jan 2, 2000:');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await visitor.sees('1 result of another kind is left out.');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: '1 address is invalid' }).click();
    await visitor.seesCount('1 result');
  });
});
