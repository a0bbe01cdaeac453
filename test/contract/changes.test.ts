import { describe, expect, it } from 'vitest';
import { undoChanges } from '#indexer/records/undo-changes.ts';
import { readChanges, requireCursor } from '#outbound/read-changes.ts';
import { contactSuppressionKey, suppressionKey } from '#records/suppression.ts';
import type { Kind } from '#records/vocabularies.ts';
import { testBackends } from '#testing/backends.ts';
import { Copy, exported, untilHeard, useFollowed } from '#testing/copy.ts';
import { madePatch } from '#testing/made-record.ts';
import { daysAfter } from '#text/days.ts';

describe.each(testBackends)('the feed of changes, $name', ({ open }) => {
  const backend = useFollowed(open);

  const paper = (id: string, values: object = {}) =>
    madePatch({ id, kind: 'outlet' as Kind, name: `Paper ${id}`, ...values });
  const save = (...patches: ReturnType<typeof paper>[]) => backend.records.merge(patches);
  const inSet = async (work: (changeSet: string) => Promise<unknown>): Promise<string> => {
    const id = crypto.randomUUID();
    const startedAt = new Date().toISOString();
    await backend.changes.begin({ id, action: 'set', operator: 'test', startedAt, undoes: null });
    await work(id);
    await backend.changes.end(id, { endedAt: startedAt, counts: {}, files: [] });
    return id;
  };
  const undo = async (changeSet: string) => {
    const undone = await backend.changes.find(changeSet);
    if (undone === null) throw new Error('no such set');
    await undoChanges({ ...backend, operator: 'ada' }, undone);
  };
  const suppress = (...keys: (string | null)[]) =>
    backend.maintenance.suppress(
      keys.map((key) => ({ key: key ?? '', reason: null, addedAt: new Date().toISOString() })),
    );

  /** Does some work, and returns what a copy hears of it. Then the copy is what an export of now has. */
  async function heardOf(work: () => Promise<unknown>, kinds?: readonly Kind[]): Promise<string[]> {
    await untilHeard(backend);
    const copy = await Copy.begin(backend, kinds);
    await work();
    await untilHeard(backend);
    const updates = await copy.catchUp(2);
    expect(copy.records).toEqual(await exported(backend, kinds));
    return updates.map((update) => {
      const merged = update.change === 'gone' && update.mergedInto !== null ? ` into ${update.mergedInto}` : '';
      return `${update.id} ${update.change}${merged}`;
    });
  }

  it('has each record that came in, changed or went, once and in its last state, the oldest change first', async () => {
    await save(paper('a'), paper('b'), paper('c'));
    const heard = await heardOf(async () => {
      await save(paper('d'));
      await save(paper('c', { city: 'Leeds' }));
      await save(paper('a', { city: 'Leeds' }));
      await save(paper('a', { city: 'York' }));
      await backend.records.remove(['b']);
    });
    expect(heard).toEqual(['d upsert', 'c upsert', 'a upsert', 'b gone']);
    expect(await heardOf(() => save(paper('a', { city: 'York' })))).toEqual([]);
  });

  it('has what an undo does: a creation that is undone is gone, a deletion that is undone is there', async () => {
    const creation = await inSet((set) => backend.records.merge([paper('a'), paper('b')], set));
    const change = await inSet((set) => backend.records.merge([paper('a', { city: 'Leeds' })], set));
    expect(await heardOf(() => undo(change))).toEqual(['a upsert']);
    expect(await heardOf(() => undo(creation))).toEqual(['a gone', 'b gone']);
    await save(paper('c'));
    const deletion = await inSet((set) => backend.records.remove(['c'], set));
    expect(await heardOf(() => undo(deletion))).toEqual(['c upsert']);
  });

  it('has merged records as gone into the kept one, and after the undo both', async () => {
    await save(paper('a'), paper('b', { phone: '+44 113 496 0000' }), paper('c'));
    let merge = '';
    const merged = await heardOf(async () => {
      merge = await inSet((set) => backend.records.mergeDuplicates('a', ['b'], set));
    });
    expect(merged.toSorted()).toEqual(['a upsert', 'b gone into a']);
    expect((await heardOf(() => undo(merge))).toSorted()).toEqual(['a upsert', 'b upsert']);
  });

  it('has what suppressions hide and show again, whole records and single contacts', async () => {
    const hidden = { contact_name: 'Ann Roe', email: 'ann@hidden.example' };
    await save(paper('a'), paper('b', { ...hidden, url: 'https://b.example/' }), paper('c'));
    const record = suppressionKey('record', 'a');
    const address = suppressionKey('address', 'ann@hidden.example');
    expect(await heardOf(() => suppress(record))).toEqual(['a gone']);
    expect(await heardOf(() => suppress(address))).toEqual(['b upsert']);
    expect((await exported(backend)).get('b')?.contacts).toEqual([]);
    expect(await heardOf(() => backend.maintenance.unsuppress([record]))).toEqual(['a upsert']);
    expect(await heardOf(() => backend.maintenance.unsuppress([address ?? '']))).toEqual(['b upsert']);
    const [ann] = (await exported(backend)).get('b')?.contacts ?? [];
    expect(await heardOf(() => suppress(contactSuppressionKey('b', ann?.name)))).toEqual(['b upsert']);
  });

  it('has a change of an address alone, as a check of addresses finds it', async () => {
    await save(paper('a', { email: 'news@a.example' }), paper('b', { email: 'news@b.example' }));
    const invalid = madePatch({ email: 'news@a.example', email_status: 'invalid' as const });
    expect(await heardOf(() => inSet((set) => backend.records.amend(['a'], () => invalid, set)))).toEqual(['a upsert']);
  });

  it('has of some kinds what is of them, and what leaves them as gone', async () => {
    const podcast = (id: string, values: object = {}) => paper(id, { kind: 'podcast', ...values });
    await save(paper('a'), paper('b'), podcast('c'), podcast('d'));
    const swap = async () => {
      await save(paper('a', { kind: 'newsletter' }), paper('b', { city: 'Leeds' }));
      await save(paper('c'), podcast('d', { city: 'Leeds' }));
    };
    expect((await heardOf(swap, ['outlet'])).toSorted()).toEqual(['a gone', 'b upsert', 'c upsert']);
    const swapBack = async () => {
      await save(paper('a', { city: 'York' }), podcast('c'), podcast('d', { city: 'York' }));
      await untilHeard(backend);
      await save(paper('d'));
      await backend.records.remove(['a']);
    };
    expect((await heardOf(swapBack, ['podcast'])).toSorted()).toEqual(['c upsert', 'd gone']);
    expect((await heardOf(() => backend.records.remove(['b', 'c', 'd']), ['outlet'])).toSorted()).toEqual([
      'b gone',
      'd gone',
    ]);
  });

  it('has nothing of what a rebuild, a repair or a second suppression leaves as it was', async () => {
    await save(paper('a', { email: 'news@a.example' }), paper('b'), paper('c'));
    await suppress(suppressionKey('record', 'c'));
    await untilHeard(backend);
    expect(await heardOf(() => backend.maintenance.rebuild({ allowsShrink: false }))).toEqual([]);
    expect(await heardOf(() => backend.maintenance.verify({ repairs: true }))).toEqual([]);
    expect(await heardOf(() => suppress(suppressionKey('record', 'c')))).toEqual([]);
  });

  it('takes no cursor of another store, none ahead of it, and none older than 90 days', async () => {
    await save(paper('a'));
    await untilHeard(backend);
    const now = new Date();
    const cursor = await requireCursor(backend, now);
    const read = (given: Partial<typeof cursor>, at = now) =>
      readChanges(backend, { after: { ...cursor, ...given }, kinds: ['outlet'], limit: 1 }, at);
    const days = (count: number) => new Date(daysAfter(now, count));
    await expect(read({})).resolves.toMatchObject({ changes: [] });
    await expect(read({}, days(89))).resolves.toMatchObject({ changes: [] });
    await expect(read({}, days(91))).rejects.toMatchObject({ code: 'cursor_expired' });
    await expect(read({ version: cursor.version + 1 })).rejects.toMatchObject({ code: 'cursor_expired' });
    await expect(read({ store: crypto.randomUUID() })).rejects.toMatchObject({ code: 'cursor_expired' });
  });

  it('forgets what is gone, and only that', async () => {
    await save(paper('a'), paper('b'));
    await untilHeard(backend);
    const copy = await Copy.begin(backend);
    await backend.records.remove(['a']);
    await save(paper('b', { city: 'Leeds' }));
    await untilHeard(backend);
    expect(await backend.changeFeed.purge(new Date(daysAfter(new Date(), 1)))).toBe(1);
    expect((await copy.catchUp()).map(({ id }) => id)).toEqual(['b']);
  });
});
