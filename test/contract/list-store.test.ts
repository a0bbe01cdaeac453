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
    expect(await backend.lists.write('ben', 'one', (held) => ({ ...held, version: 2 }))).toBeNull();
    expect(await backend.lists.remove('ben', 'one', null)).toBe(false);
  });

  it('are written one after another, and deleted only in the version that is meant', async () => {
    await backend.lists.create(listNamed('one'));
    const write = () => backend.lists.write('ada', 'one', (held) => ({ ...held, version: held.version + 1 }));
    const written = await Promise.all(Array.from({ length: 12 }, write));
    expect(new Set(written.map((list) => list?.version)).size).toBe(12);
    expect(await backend.lists.find('ada', 'one')).toEqual({ ...listNamed('one'), version: 13 });
    expect(await backend.lists.write('ada', 'one', () => null)).toBeNull();
    expect(await backend.lists.remove('ada', 'one', 12)).toBe(false);
    expect(await backend.lists.remove('ada', 'one', 13)).toBe(true);
    expect(await backend.lists.find('ada', 'one')).toBeNull();
  });

  it(`are at most ${maxLists} of an account`, async () => {
    for (let number = 0; number < maxLists; number += 1) await backend.lists.create(listNamed(`list ${number}`));
    expect(await backend.lists.create(listNamed('one more'))).toBe(false);
    expect(await backend.lists.list('ada')).toHaveLength(maxLists);
    await backend.lists.remove('ada', 'list 0', null);
    const atOnce = await Promise.all(['x', 'y', 'z'].map((id) => backend.lists.create(listNamed(id))));
    expect(atOnce).toContain(false);
    expect((await backend.lists.list('ada')).length).toBeLessThanOrEqual(maxLists);
    expect(await backend.lists.create({ ...listNamed('of another'), account: 'ben' })).toBe(true);
  });
});
