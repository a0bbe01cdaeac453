import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UsageEntry } from '#accounts/usage.ts';
import { UsageMeter } from '#accounts/usage.ts';
import { type TestStores, testStores } from '#testing/backends.ts';

function entry(keyHash: string, date: string, given: Partial<UsageEntry> = {}): UsageEntry {
  return { keyHash, date, requests: 1, exportedRows: 0, pushedLeads: 0, lastUsedAt: `${date}T08:00:00.000Z`, ...given };
}

describe.each(testStores)('the log of the use of keys, $name', ({ open }) => {
  let backend: TestStores;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.close());

  it('adds up the counts of a key and day, and keeps keys and days apart', async () => {
    const { usage } = backend;
    await usage.add([
      entry('a', '2026-11-20', { requests: 3, exportedRows: 100 }),
      entry('a', '2026-11-21', { pushedLeads: 7 }),
      entry('b', '2026-11-21'),
    ]);
    await usage.add([entry('a', '2026-11-21', { requests: 2, pushedLeads: 1 })]);
    expect(await usage.list('a', '2026-11-20')).toMatchObject([
      { date: '2026-11-21', requests: 3, exportedRows: 0, pushedLeads: 8 },
      { date: '2026-11-20', requests: 3, exportedRows: 100, pushedLeads: 0 },
    ]);
    expect(await usage.list('a', '2026-11-21')).toHaveLength(1);
    expect(await usage.list('nobody', '2026-01-01')).toEqual([]);
  });

  it('knows when a key was last used, in whatever order that was written', async () => {
    const { usage } = backend;
    const newer = '2026-11-22T10:00:00.000Z';
    await usage.add([entry('used', '2026-11-22', { lastUsedAt: newer })]);
    await usage.add([
      entry('used', '2026-11-22', { lastUsedAt: '2026-11-22T09:00:00.000Z' }),
      entry('used', '2026-11-20'),
    ]);
    expect(await usage.findLastUse('used')).toBe(newer);
    expect(await usage.findLastUse('unused')).toBeNull();
  });

  it('has every count of a meter once it wrote, those included that the store refused before', async () => {
    const warnings: object[] = [];
    let isAway = true;
    const now = new Date('2026-11-21T12:00:00.000Z');
    const meter = new UsageMeter(
      {
        add: (entries) => (isAway ? Promise.reject(new Error('away')) : backend.usage.add(entries)),
        list: (hash, since) => backend.usage.list(hash, since),
      },
      { log: { warn: (fields) => void warnings.push(fields) }, now: () => now },
    );
    meter.count('metered', { requests: 1 });
    meter.count('metered', { exportedRows: 20 });
    await expect(meter.write()).rejects.toThrow('away');
    expect(warnings).toEqual([{ reason: 'away' }]);
    meter.count('metered', { requests: 1, pushedLeads: 3 });
    isAway = false;
    const days = await meter.read('metered');
    expect(days).toHaveLength(30);
    expect(days[0]).toEqual({ date: '2026-10-23', requests: 0, exportedRows: 0, pushedLeads: 0 });
    expect(days.at(-1)).toEqual({ date: '2026-11-21', requests: 2, exportedRows: 20, pushedLeads: 3 });
    expect((await meter.read('metered')).at(-1)).toMatchObject({ requests: 2 });
  });
});
