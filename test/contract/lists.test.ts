import { describe, expect, it } from 'vitest';
import type { ListChange } from '#accounts/media-list.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { suppressionKey } from '#records/suppression.ts';
import { createList, openList, openQuery, removeList, writeList } from '#search/lists/lists.ts';
import { type ListSortKey, readList } from '#search/lists/read-list.ts';
import type { SearchQuery } from '#search/search-query.ts';
import { testBackends } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useEach } from '#testing/use.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const keyOf = (hash: string, expiresAt = '2027-01-01T00:00:00.000Z'): StoredKey => ({
  hash,
  prefix: 'mh_ada',
  plan: { tier: 'pro', expiresAt },
  email: null,
  orderId: null,
  createdAt: now.toISOString(),
  revokedAt: null,
});
const ada = keyOf('ada');
const page = { sort: { key: 'name', reversed: false }, page: 1, perPage: 20, statuses: [] } as const;

/** Contract A16, "Lists", wherever records are stored and searched. */
describe.each(testBackends)('lists of records, $name', ({ open }) => {
  let id: string;
  const backend = useEach(open, async (backend) => {
    await backend.load(['a', 'b', 'c', 'd'].map(made));
    id = (await createList(backend, 'Spring', ada, now)).id;
  });

  const made = (name: string, audience: number) =>
    madeRecord({ id: name, name, audience, country: name === 'a' ? 'FR' : 'US' });
  const write = (change: ListChange, version: number | null = null) =>
    writeList(backend, { id, version, change }, ada, now);
  const read = async (more: object = {}) => {
    const list = await openList(backend, id, ada);
    const read = await readList(backend, { ...page, ...more, list }, { key: ada }, now);
    const ids = read.rows.map(({ record }) => record.id);
    return { ids, count: read.count, left: read.left, entries: list.byRecord };
  };
  const idsOf = (records: readonly MediaRecord[]) => records.map((record) => record.id);

  it('hold records with notes and statuses, which a later write changes where it says so', async () => {
    await write({ add: [{ id: 'b', note: 'Met in May', status: 'to_contact' }, { id: 'a' }] });
    await write({ add: [{ id: 'b', status: 'contacted' }, { id: 'c' }], remove: [{ id: 'a' }, { id: 'never there' }] });
    const { entries, ...shown } = await read();
    expect(shown).toEqual({ ids: ['b', 'c'], count: 2, left: 0 });
    expect(entries.get('b')).toMatchObject([{ note: 'Met in May', status: 'contacted' }]);
    expect(entries.get('c')).toMatchObject([{ note: null, status: 'none', addedAt: now.toISOString() }]);
    expect(await read({ statuses: ['contacted'] })).toMatchObject({ ids: ['b'], count: 2, left: 0 });
  });

  it('date a contact when the status says so, unless the write does, and keep the date', async () => {
    const dates = async () =>
      [...(await read()).entries.values()].flat().map((entry) => `${entry.id} ${entry.contactedAt}`);
    await write({ add: [{ id: 'a', status: 'contacted' }, { id: 'b' }, { id: 'c', contactedAt: '2026-01-02' }] });
    expect(await dates()).toEqual([`a ${now.toISOString()}`, 'b undefined', 'c 2026-01-02']);
    await write({ add: ['a', 'b'].map((one) => ({ id: one, status: 'contacted', contactedAt: null })) });
    await write({ add: ['a', 'b', 'c'].map((one) => ({ id: one, status: one === 'c' ? 'replied' : 'contacted' })) });
    expect(await dates()).toEqual(['a null', 'b null', 'c 2026-01-02']);
  });

  it('are sorted by what is noted, what is unknown last', async () => {
    const paper = { id: 'd', status: 'published', note: 'Émile', contactedAt: '2026-02-03' } as const;
    await write({ add: [paper, { id: 'a', status: 'to_contact', note: 'zoo' }, { id: 'c', status: 'contacted' }] });
    await writeList(backend, { id, version: null, change: { add: [{ id: 'b' }] } }, ada, new Date(now.getTime() + 1));
    const sorted = async (key: ListSortKey) => {
      const [up, down] = await Promise.all([false, true].map((reversed) => read({ sort: { key, reversed } })));
      return `${up?.ids.join('')} ${down?.ids.join('')}`;
    };
    expect(await Promise.all((['status', 'note', 'contacted', 'added'] as const).map(sorted))).toEqual([
      ...['acdb dcab', 'dacb adcb', 'cdba dcba', 'bdca dcab'],
    ]);
    const asked = {
      sort: { key: 'note', reversed: false },
      perPage: 2,
      page: 2,
      statuses: ['none', 'contacted', 'to_contact'],
    };
    expect(await read(asked)).toMatchObject({ ids: ['b'], count: 4 });
  });

  it('take all records of a write or none', async () => {
    expect(await write({ add: [{ id: 'a' }, { id: 'nobody' }] })).toEqual({
      unknown: [{ place: 1, isContact: false }],
    });
    expect(await read()).toMatchObject({ ids: [], count: 0 });
  });

  it('refuse a write that does not know the last one', async () => {
    expect(await write({ add: [{ id: 'a' }] }, 1)).toHaveProperty('list.version', 2);
    await expect(write({ add: [{ id: 'b' }] }, 1)).rejects.toMatchObject({ code: 'list_changed' });
    await expect(removeList(backend, { id, version: 1 }, ada)).rejects.toMatchObject({ code: 'list_changed' });
    expect(await read()).toMatchObject({ ids: ['a'] });
    await removeList(backend, { id, version: 2 }, ada);
    await expect(read()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('lose no write of several at once', async () => {
    await Promise.all(['a', 'b', 'c'].map((one) => write({ add: [{ id: one }] })));
    expect((await read()).ids).toEqual(['a', 'b', 'c']);
  });

  it('filter queries, also when they are empty', async () => {
    const find = async (
      filters: SearchQuery['filters'] = [],
      lists: SearchQuery['lists'] = { any: [id], none: [] },
    ) => {
      const { query } = await openQuery({ ...backend, now: () => now }, { text: null, filters, lists }, { key: ada });
      return idsOf((await backend.index.search(query, { sort: page.sort, offset: 0, limit: 9 }, 'masked')).records);
    };
    expect(await find()).toEqual([]);
    await write({ add: [{ id: 'a' }, { id: 'b' }] });
    expect(await find()).toEqual(['a', 'b']);
    expect(await find([{ field: 'country', any: ['FR'], none: [] }])).toEqual(['a']);
    const other = (await createList(backend, 'Other', ada, now)).id;
    await writeList(backend, { id: other, version: null, change: { add: [{ id: 'b' }, { id: 'c' }] } }, ada, now);
    expect(await find([], { any: [], none: [other] })).toEqual(['a', 'd']);
    expect(await find([], { any: [id, other], none: [] })).toEqual(['a', 'b', 'c']);
    expect(await find([], { any: [other], none: [id] })).toEqual(['c']);
    await expect(find([], { any: [], none: ['lst_gone'] })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('show the kept record of merged ones once, with what was noted of each', async () => {
    await write({
      add: [
        { id: 'b', note: 'of double', status: 'declined' },
        { id: 'a', note: 'of kept' },
      ],
    });
    const startedAt = now.toISOString();
    await backend.changes.begin({ id: 'set', action: 'merge', operator: 'ada', startedAt, undoes: null });
    await backend.records.mergeDuplicates('a', ['b'], 'set');
    await backend.settle();
    expect(await read()).toMatchObject({ ids: ['a'], count: 1, left: 0 });
    expect((await read()).entries.get('a')).toMatchObject([{ note: 'of kept\nof double', status: 'declined' }]);
    await write({ add: [{ id: 'b', status: 'replied' }] });
    expect((await read()).entries.get('a')).toMatchObject([{ note: 'of kept\nof double', status: 'replied' }]);
  });

  it('lose what was deleted or suppressed, and count it until the next write', async () => {
    await write({ add: ['a', 'b', 'c'].map((one) => ({ id: one })) });
    await backend.records.remove(['a']);
    await backend.suppressions.add([{ key: suppressionKey('record', 'b'), reason: null, addedAt: now.toISOString() }]);
    await backend.settle();
    expect(await read()).toMatchObject({ ids: ['c'], count: 1, left: 2 });
    await write({ add: [{ id: 'd' }] });
    expect(await read()).toMatchObject({ ids: ['c', 'd'], count: 2, left: 0 });
  });

  it('can be read, and lose records, when the plan has ended', async () => {
    await write({ add: [{ id: 'a' }, { id: 'b' }] });
    const over = keyOf('ada', '2026-11-01T00:00:00.000Z');
    await expect(
      writeList(backend, { id, version: null, change: { add: [{ id: 'c' }] } }, over, now),
    ).rejects.toMatchObject({ code: 'plan_expired' });
    await expect(createList(backend, 'Another', over, now)).rejects.toMatchObject({ code: 'plan_expired' });
    await writeList(backend, { id, version: null, change: { remove: [{ id: 'a' }] } }, over, now);
    const list = await openList(backend, id, over);
    const { page: found } = await readList(backend, { ...page, list }, { key: over }, now);
    expect(found).toMatchObject({ isMasked: true, total: 1 });
    await removeList(backend, { id, version: null }, over);
  });
});
