import { describe, expect, it } from 'vitest';
import { undoChanges } from '#indexer/records/undo-changes.ts';
import type { ChangeSet, NewChangeSet } from '#records/changes/change-set.ts';
import type { LoggedChange, RecordChange } from '#records/changes/record-change.ts';
import { purgeChanges } from '#src/start/purge.ts';
import { storedRecord, testStores } from '#testing/backends.ts';
import { contentOf, madePatch, madeRecord } from '#testing/made-record.ts';
import { useEach } from '#testing/use.ts';
import { daysAfter } from '#text/days.ts';

describe.each(testStores)('the change log, $name', ({ open }) => {
  const stores = useEach(open);

  const begin = (id: string, given: Partial<NewChangeSet> = {}) =>
    stores.changes.begin({ id, action: 'import', operator: 'ada', startedAt: startOf(id), undoes: null, ...given });
  const changesOf = async (id: string) => {
    const changes: LoggedChange[] = [];
    for await (const page of stores.changes.readChanges(id)) changes.push(...page);
    return changes;
  };

  it('returns a change set as it began and ended, the newest first', async () => {
    await begin('1');
    await begin('2', { action: 'undo', undoes: '1' });
    const file = { name: 'a.csv', sha256: 'f00', size: 7 };
    await stores.changes.end('1', { endedAt: startOf('9'), counts: { created: 2 }, files: [file] });
    const first = {
      id: '1',
      action: 'import',
      operator: 'ada',
      startedAt: startOf('1'),
      endedAt: startOf('9'),
      undoes: null,
      files: [file],
      counts: { created: 2 },
      changes: 0,
      bytes: 0,
    };
    expect(await stores.changes.find('1')).toEqual(first);
    expect(await stores.changes.find('none')).toBeNull();
    expect((await stores.changes.list(5)).map(({ id }) => id)).toEqual(['2', '1']);
    expect(await stores.changes.list(1)).toMatchObject([{ id: '2', undoes: '1', endedAt: null }]);
  });

  it('has what a change set did to each record: what was there before, and changed fields only', async () => {
    await stores.records.merge([madeRecord({ id: 'a', city: 'Leeds', phone: '123' }), madeRecord({ id: 'b' })]);
    await begin('1');
    await stores.records.merge(
      [madePatch({ id: 'a', phone: '456' }), { id: 'b', name: 'Outlet b' }, madeRecord({ id: 'c' })],
      '1',
    );
    await stores.records.remove(['b', 'unheard-of'], '1');
    const changes = new Map((await changesOf('1')).map((change) => [change.id, change]));
    expect([...changes.keys()].toSorted()).toEqual(['a', 'b', 'c']);
    expect(changes.get('a')).toMatchObject({
      changeSet: '1',
      is: 'changed',
      before: { contacts: [{ kind: 'desk', phone: '123' }] },
    });
    expect(fieldsOf(changes.get('a'))).toEqual(['contacts']);
    expect(changes.get('b')).toMatchObject({ is: 'deleted', before: madeRecord({ id: 'b' }) });
    expect(changes.get('c')).toMatchObject({ is: 'created', digest: expect.stringMatching(/^[\w-]{22}$/) });
    expect(await stores.changes.find('1')).toMatchObject({ changes: 3 });
  });

  it('notes nothing for records that stay as they are, nor for work without a change set', async () => {
    await begin('1');
    await stores.records.merge([madeRecord({ id: 'a' })]);
    await stores.records.merge([madeRecord({ id: 'a' }), { id: 'incomplete', city: 'Leeds' }], '1');
    expect(await changesOf('1')).toEqual([]);
    expect(await stores.changes.find('1')).toMatchObject({ changes: 0, bytes: 0 });
  });

  it('lets an undo of what still runs be completed, also if it ended before the undo did', async () => {
    const { changes, records } = stores;
    const before = [madeRecord({ id: 'a' }), madeRecord({ id: 'b' }), madeRecord({ id: 'c' })];
    await records.merge(before);
    await begin('1');
    await records.merge([madePatch({ id: 'b', phone: '1111' })], '1');
    const read = changes.readChanges.bind(changes);
    changes.readChanges = async function* (id) {
      yield* read(id);
      changes.readChanges = read;
      await records.merge([madePatch({ id: 'a', phone: '2222' })], '1');
      await changes.end('1', { endedAt: new Date().toISOString(), counts: {}, files: [] });
    };
    const undoOnce = async () => undoChanges({ ...stores, operator: 'ada' }, (await changes.find('1')) as ChangeSet);
    expect(await undoOnce()).toMatchObject({ examined: 1, restored: 1 });
    expect(await undoOnce()).toMatchObject({ examined: 2, restored: 1, is_already_undone: false });
    for (const record of before) {
      expect(contentOf(await storedRecord(stores.stored, record.id))).toEqual(contentOf(record));
    }
    expect(await undoOnce()).toMatchObject({ is_already_undone: true });
  });

  it('lists the changes of a record, the newest first, and rewrites or forgets them for good', async () => {
    for (const id of ['1', '2', '3']) {
      await begin(id);
      await stores.records.merge([madeRecord({ id: 'a', phone: `000${id}` }), madeRecord({ id: 'b' })], id);
    }
    const history = await stores.changes.listChangesOf('a', 2);
    expect(history.map(({ changeSet }) => changeSet)).toEqual(['3', '2']);
    const whole = await stores.changes.find('2');
    await stores.changes.rewrite(['a', 'unheard-of'], (change) =>
      change.is === 'changed' ? { ...change, before: { ...change.before, contacts: [] } } : change,
    );
    expect(await stores.changes.listChangesOf('a', 2)).toMatchObject([
      { before: { contacts: [] } },
      { before: { contacts: [] } },
    ]);
    const shorter = await stores.changes.find('2');
    expect(shorter).toMatchObject({ changes: whole?.changes });
    expect(shorter?.bytes).toBeLessThan(whole?.bytes ?? 0);
    await stores.changes.rewrite(['a', 'unheard-of'], () => null);
    expect(await stores.changes.listChangesOf('a', 5)).toEqual([]);
    expect(await changesOf('1')).toHaveLength(1);
    expect(await stores.changes.find('1')).toMatchObject({ changes: 1 });
  });

  it('reads a change set of many pages, each change once', async () => {
    await begin('1');
    await begin('10');
    const ids = Array.from({ length: 2_500 }, (_, index) => `r${index}`);
    await stores.records.merge(
      ids.map((id) => madeRecord({ id })),
      '1',
    );
    await stores.records.merge([madeRecord({ id: 'other' })], '10');
    expect((await changesOf('1')).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    await stores.changes.remove('1');
    expect(await changesOf('1')).toEqual([]);
    expect(await stores.changes.find('1')).toBeNull();
    expect(await changesOf('10')).toHaveLength(1);
  });

  it('is purged of what is too old, and of the oldest where all is too much, but never of the last', async () => {
    const limits = { days: 30, maxBytes: 1_000_000 };
    const startedAt = (days: number) => daysAfter('2026-01-31', days);
    const now = new Date(startedAt(0));
    const left = async () => (await stores.changes.list(9)).map(({ id }) => id);
    for (const [id, days] of [
      ['old', -31],
      ['young', -29],
      ['cut off', -2],
      ['running', 0],
    ] as const) {
      await begin(id, { startedAt: startedAt(days) });
      await stores.records.merge([madeRecord({ id })], id);
      if (id === 'old' || id === 'young') {
        await stores.changes.end(id, { endedAt: startedAt(days), counts: {}, files: [] });
      }
    }
    expect(await purgeChanges(stores.changes, limits, now)).toBe(1);
    expect(await left()).toEqual(['running', 'cut off', 'young']);
    expect(await changesOf('old')).toEqual([]);
    const size = (await stores.changes.list()).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(await purgeChanges(stores.changes, { ...limits, maxBytes: size - 1 }, now)).toBe(1);
    expect(await purgeChanges(stores.changes, { ...limits, maxBytes: 1 }, now)).toBe(1);
    await begin('next', { startedAt: startedAt(0.1) });
    expect(await purgeChanges(stores.changes, { ...limits, maxBytes: 1 }, now)).toBe(0);
    expect(await left()).toEqual(['next', 'running']);
    expect(await stores.records.count()).toBe(4);
  });

  it('saves no record under a change set that it does not have', async () => {
    await expect(stores.records.merge([madeRecord({ id: 'a' })], 'none')).rejects.toThrow(/no change set none/);
    expect(await stores.records.count()).toBe(0);
  });

  it('does not remove what took the place of something unreadable', async () => {
    const change: RecordChange = { id: 'a', is: 'created', digest: null };
    await begin('1');
    await stores.records.merge([madeRecord({ id: 'a' })]);
    expect(await stores.records.revert([change], '1')).toMatchObject([{ outcome: 'kept' }]);
    expect(await stores.records.count()).toBe(1);
  });
});

/** A start in the order of ids of one digit. */
function startOf(id: string): string {
  return `2026-01-01T00:00:0${id.at(-1)}.000Z`;
}

function fieldsOf(change: LoggedChange | undefined): string[] {
  return change?.is === 'changed' ? Object.keys(change.after) : [];
}
