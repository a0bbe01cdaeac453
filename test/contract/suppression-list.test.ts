import { describe, expect, it } from 'vitest';
import { type NamedKind, type Suppression, suppressionKey } from '#records/suppression.ts';
import { testStores } from '#testing/backends.ts';
import { useEach } from '#testing/use.ts';

const made = (kind: NamedKind, value: string, addedAt: string, reason: string | null = null): Suppression => ({
  key: suppressionKey(kind, value),
  reason,
  addedAt,
});
const first = made('domain', 'x.example', '2026-11-21T10:00:00.000Z', 'asked by letter');
const second = made('address', 'jane@y.example', '2026-11-21T11:00:00.000Z');
const third = made('record', 'r-1', '2026-11-21T12:00:00.000Z');

describe.each(testStores)('the suppression list, $name', ({ open }) => {
  const stores = useEach(open);

  it('returns what was added, oldest first', async () => {
    expect(await stores.suppressions.add([third, first, second])).toBe(3);
    expect(await stores.suppressions.list()).toEqual([first, second, third]);
    expect(await stores.suppressions.add([])).toBe(0);
  });

  it('keeps the first reason and time of a repeated entry, and counts it once', async () => {
    await stores.suppressions.add([first]);
    const again = { ...first, reason: 'asked again', addedAt: third.addedAt };
    expect(await stores.suppressions.add([again, second, second])).toBe(1);
    expect(await stores.suppressions.list()).toEqual([first, second]);
  });

  it('returns what was added at a time or after it', async () => {
    await stores.suppressions.add([first, second, third]);
    expect(await stores.suppressions.listKeysSince(new Date(second.addedAt))).toEqual(new Set([second.key, third.key]));
    expect(await stores.suppressions.listKeysSince(new Date('2026-11-21T12:00:00.001Z'))).toEqual(new Set());
  });

  it('removes what exists, and says how many entries that was', async () => {
    await stores.suppressions.add([first, second]);
    expect(await stores.suppressions.remove([second.key, second.key, third.key])).toBe(1);
    expect(await stores.suppressions.list()).toEqual([first]);
    expect(await stores.suppressions.remove([])).toBe(0);
  });
});
