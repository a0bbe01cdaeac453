import { beforeEach, describe, expect } from 'vitest';
import { openLeadTools } from '#src/lead-tools/open-tool.ts';
import { startInstantly } from '#testing/stand-ins/instantly-server.ts';
import { useOne } from '#testing/use.ts';
import { makeList, servePages } from './page-service.ts';
import { it } from './pages-test.ts';
import type { Visitor } from './visitor.ts';

const toolKey = 'key-of-the-tool-4711';
const campaign = '7f1c2d3e-0000-4000-8000-123456789abc';

describe('a push from a list in a real browser', () => {
  const blocked = new Set(['desk2@hafenblatt-2.example']);
  const instantly = useOne(() => startInstantly({ apiKey: toolKey, campaigns: [campaign], blocked }));
  const service = useOne(() => {
    const leadToolBases = { instantly: instantly.url, smartlead: instantly.url };
    const manners = { timeoutMs: 5_000, retries: 0, firstPauseMs: 10 };
    return servePages({ leadTools: openLeadTools({ leadToolBases }, manners) });
  });
  beforeEach(() => instantly.campaigns.get(campaign)?.clear());

  /** Keeps seven papers and the record without an address, and opens the push with a key. */
  async function openPush(visitor: Visitor, tier: 'pro' | 'premium' = 'premium'): Promise<void> {
    const { page } = visitor;
    const ids = [...Array.from({ length: 7 }, (_, at) => `paper-${at}`), 'hostile'];
    const key = await service.issueKey(tier);
    await makeList(service.url, key, 'L', ids);
    await visitor.signIn(`${service.url}/lists`, key);
    await page.getByRole('button', { name: 'Send to campaign' }).click();
  }

  async function fillIn({ page }: Visitor, { key = toolKey, id = campaign } = {}): Promise<void> {
    await page.getByRole('combobox', { name: 'Tool' }).selectOption('Instantly');
    await page.getByLabel('Campaign ID').fill(id);
    await page.getByLabel('Your key for the tool').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Send \d leads$/ }).waitFor();
  }

  it('says how many leads there are, sends them, and says what became of them', async ({ page, visitor }) => {
    await openPush(visitor);
    await fillIn(visitor);
    await visitor.sees('7 leads have an address that is not known to be invalid.');
    expect(await visitor.findBarriers()).toEqual([]);
    // Nothing is sent before somebody says so.
    expect(instantly.campaigns.get(campaign)?.size).toBe(0);
    await page.getByRole('button', { name: 'Send 7 leads' }).press('Enter');
    await page.getByRole('heading', { name: 'Sent' }).waitFor();
    const counts = (await page.locator('.push dl').innerText()).replaceAll(/\s+/g, ' ');
    expect(counts).toContain('Found 8 Without an address, or only an invalid one 1');
    expect(counts).toContain('Sent to the tool 7 Added to the campaign 6 Blocked or unsubscribed 1');
    expect(instantly.campaigns.get(campaign)?.size).toBe(6);
    expect(await visitor.findBarriers()).toEqual([]);
    // The tool's key was in the body of that one request, and is nowhere any more.
    expect(await page.getByLabel('Your key for the tool').inputValue()).toBe('');
    expect(visitor.requested.filter((url) => url.includes(toolKey))).toEqual([]);
    const stored = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
    );
    expect(stored).not.toContain(toolKey);
  });

  it('says what is wrong with the key, the campaign and the plan, and keeps what was filled in', async ({
    page,
    visitor,
    visit,
  }) => {
    await openPush(visitor);
    await fillIn(visitor, { key: 'another-key' });
    const push = page.getByRole('button', { name: 'Send 7 leads' });
    await push.click();
    await visitor.sees('The tool does not accept its key.');
    await page.getByLabel('Your key for the tool').fill(toolKey);
    await page.getByLabel('Campaign ID').fill('not a campaign');
    await push.click();
    await visitor.sees(/For instantly, use a UUID/);
    await visitor.sees('This cannot be sent.');
    await page.getByLabel('Campaign ID').fill(campaign);
    await push.click();
    await page.getByRole('heading', { name: 'Sent' }).waitFor();

    // Before anything is typed.
    const other = await visit({ viewport: { width: 320, height: 800 }, colorScheme: 'dark' });
    await openPush(other, 'pro');
    await other.sees(/Leads go into campaigns with Premium\. See the plans/);
    expect(await other.page.getByLabel('Your key for the tool').count()).toBe(0);
    expect(await other.findBarriers()).toEqual([]);
    expect(await other.findWide()).toEqual([]);
  });

  it('shows the counts of a push that failed midway', async ({ page, visitor }) => {
    await openPush(visitor);
    await fillIn(visitor);
    await page.route('**/export/push', (route) =>
      route.fulfill({
        status: 502,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          code: 'tool_failed',
          detail: 'It is full.',
          push: { matched: 8, sent: 7, added: 3, failed: 4 },
        }),
      }),
    );
    await page.getByRole('button', { name: 'Send 7 leads' }).click();
    await visitor.sees('The tool failed.');
    await page.getByRole('heading', { name: 'What was sent before it failed' }).waitFor();
    expect((await page.locator('.push dl').innerText()).replaceAll(/\s+/g, ' ')).toContain(
      'Added to the campaign 3 Failed 4',
    );
  });
});
