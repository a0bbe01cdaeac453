import { describe, expect, it } from 'vitest';
import { type MediaList, maxLists } from '#accounts/media-list.ts';
import { testStores } from '#testing/backends.ts';
import { useEach } from '#testing/use.ts';

const at = '2026-11-21T12:00:00.000Z';
const listNamed = (id: string, name = id): MediaList => ({
  id,
  account: 'ada',
  name,
  createdAt: at,
  updatedAt: at,
  version: 1,
  entries: [{ id: 'a', note: 'Met in May', status: 'contacted', addedAt: at }],
});

describe.each(testStores)('lists of accounts, $name', ({ open }) => {
  const backend = useEach(open);

  it('are kept whole, and shown to their own account alone', async () => {
    const list = listNamed('one');
    expect(await backend.lists.create(list)).toBe(true);
    expect(await backend.lists.find('ada', 'one')).toEqual(list);
    const { entries: _, ...head } = list;
    expect(await backend.lists.list('ada')).toEqual([{ ...head, count: 1 }]);
    expect(await backend.lists.find('ben', 'one')).toBeNull();
    expect(await backend.lists.list('ben')).toEqual([]);
    expect(await backend.lists.replace({ ...list, account: 'ben', version: 2 })).toBe(false);
    expect(await backend.lists.remove('ben', 'one', null)).toBe(false);
  });

  it('are written only over the version before', async () => {
    await backend.lists.create(listNamed('one'));
    const next = { ...listNamed('one', 'Renamed'), version: 2, entries: [] };
    expect(await Promise.all([backend.lists.replace(next), backend.lists.replace(next)])).toContain(false);
    expect(await backend.lists.find('ada', 'one')).toEqual(next);
    expect(await backend.lists.remove('ada', 'one', 1)).toBe(false);
    expect(await backend.lists.remove('ada', 'one', 2)).toBe(true);
    expect(await backend.lists.find('ada', 'one')).toBeNull();
  });

  it(`are at most ${maxLists} of an account`, async () => {
    for (let number = 0; number < maxLists; number += 1) await backend.lists.create(listNamed(`list ${number}`));
    expect(await backend.lists.create(listNamed('one more'))).toBe(false);
    expect(await backend.lists.list('ada')).toHaveLength(maxLists);
    expect(await backend.lists.create({ ...listNamed('of another'), account: 'ben' })).toBe(true);
  });
});
