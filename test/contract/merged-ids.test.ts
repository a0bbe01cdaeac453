import { describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { suppressionKey } from '#records/suppression.ts';
import { testStores } from '#testing/backends.ts';
import { contentOf, madePatch, madeRecord } from '#testing/made-record.ts';
import { useEach } from '#testing/use.ts';

const herald = { name: 'The Herald', city: 'Springfield', country: 'US' };
const started = { operator: 'ada', startedAt: '2026-01-01T00:00:00.000Z', undoes: null };

describe.each(testStores)('merged ids, $name', ({ open }) => {
  const backend = useEach(open);

  let sets = 0;
  async function newSet(action: 'merge' | 'undo' | 'import' = 'merge'): Promise<string> {
    sets += 1;
    await backend.changes.begin({ id: `set-${sets}`, action, ...started });
    return `set-${sets}`;
  }

  async function merge(keep: string, ...drop: string[]): Promise<string> {
    const changeSet = await newSet();
    expect(await backend.records.mergeDuplicates(keep, drop, changeSet)).toHaveProperty('record');
    return changeSet;
  }

  const resolve = async (...ids: string[]) => Object.fromEntries(await backend.mergedIds.resolve(ids));
  const find = (id: string) => backend.records.find(id);

  async function load(...given: (Partial<MediaRecord> & { id: string })[]) {
    const records = given.map((one) => madeRecord({ ...herald, ...one }));
    await backend.records.merge(records);
    return Promise.all(records.map(({ id }) => find(id)));
  }

  it('lead to the record that gained what the others had, and those are gone', async () => {
    await load({ id: 'a', phone: null }, { id: 'b', name: 'Herald Springfield', phone: '+1 555 0100' });
    const changeSet = await merge('a', 'b');
    expect(await find('a')).toMatchObject({ ...herald, aliases: ['Herald Springfield'], phone: '+1 555 0100' });
    expect(await find('b')).toBeNull();
    expect(await backend.records.count()).toBe(1);
    expect(await resolve('a', 'b', 'c')).toEqual({ b: 'a' });
    expect(await backend.mergedIds.find('b')).toMatchObject({ id: 'b', keptId: 'a', changeSet });
    expect(await backend.mergedIds.find('a')).toBeNull();
  });

  it('lead on, if the kept record was merged too', async () => {
    await load({ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' });
    await merge('b', 'a');
    await merge('c', 'b', 'd');
    expect(await resolve('a', 'b', 'd')).toEqual({ a: 'c', b: 'c', d: 'c' });
    expect(await backend.mergedIds.listLeadingTo(['c'])).toEqual(['a', 'b', 'd']);
    expect(await backend.mergedIds.listLeadingTo(['b', 'none'])).toEqual(['a']);
    expect(await backend.mergedIds.find('a')).toMatchObject({ keptId: 'b' });
  });

  it('need all records, and change nothing without', async () => {
    const [a] = await load({ id: 'a' }, { id: 'b', phone: '+1 555 0100' });
    const outcome = await backend.records.mergeDuplicates('a', ['b', 'none'], await newSet());
    expect(outcome).toEqual({ missing: ['none'] });
    expect(await backend.records.mergeDuplicates('none', ['a'], await newSet())).toEqual({ missing: ['none'] });
    expect(await find('a')).toEqual(a);
    expect(await find('b')).not.toBeNull();
    expect(await resolve('b')).toEqual({});
  });

  it('can be undone: both records are what they were, and the id leads nowhere', async () => {
    const before = await load({ id: 'a' }, { id: 'b', name: 'Herald', phone: '+1 555 0100', email: 'desk@b.example' });
    const changeSet = await merge('a', 'b');
    const undoing = await newSet('undo');
    for await (const page of backend.changes.readChanges(changeSet)) await backend.records.revert(page, undoing);
    expect(await backend.changes.listChangesOf('b', 2)).toMatchObject([
      { is: 'created', kept: 'a' },
      { is: 'deleted', kept: 'a' },
    ]);
    expect([await find('a'), await find('b')].map(contentOf)).toEqual(before.map(contentOf));
    expect(await resolve('b')).toEqual({});
  });

  it('take later imports to the kept record, which keeps its name, and what they do not know', async () => {
    await load({ id: 'a', phone: '+1 555 0100' }, { id: 'b', name: 'Herald' });
    await merge('a', 'b');
    const { updated_at: _, ...row } = madeRecord({ id: 'b', name: 'Herald Online', audience: 900, aliases: ['HO'] });
    const patches = [row, { id: 'b', platform: 'wordpress' }];
    expect(await backend.records.preview(patches)).toEqual(['updated', 'updated']);
    expect(await backend.records.merge(patches, await newSet('import'))).toEqual(['updated', 'updated']);
    expect(await find('b')).toBeNull();
    expect(await find('a')).toMatchObject({
      name: 'The Herald',
      aliases: ['Herald', 'Herald Online', 'HO'],
      phone: '+1 555 0100',
      audience: 900,
      platform: 'wordpress',
    });
    expect(await backend.records.merge(patches)).toEqual(['unchanged', 'unchanged']);
    expect(await backend.records.count()).toBe(1);
  });

  it('let lists of both ids settle, whether they come together or one by one', async () => {
    await load(
      { id: 'a', categories: ['general_news'] },
      { id: 'b', name: 'Herald', phone: '+1 555 0100', audience: 5 },
    );
    await merge('a', 'b');
    const own = madePatch({
      id: 'a',
      aliases: [],
      categories: ['general_news'],
      audience: null,
      email: null,
      updated_at: started.startedAt,
    });
    const other = madePatch({
      id: 'b',
      name: 'Herald',
      categories: ['sports'],
      audience: 5,
      email: 'desk@b.example',
    });
    await backend.records.merge([own], await newSet('import'));
    await backend.records.merge([other], await newSet('import'));
    const settled = await find('a');
    expect(settled).toMatchObject({ aliases: ['Herald'], categories: ['general_news', 'sports'], audience: 5 });
    for (const lists of [[own], [other], [other, own]]) {
      const again = await newSet('import');
      expect(await backend.records.preview(lists)).toEqual(lists.map(() => 'unchanged'));
      expect(await backend.records.merge(lists, again)).toEqual(lists.map(() => 'unchanged'));
      expect(await backend.changes.find(again)).toMatchObject({ changes: 0 });
    }
    expect(await find('a')).toEqual(settled);
  });

  it('let a row of the kept record clear what its new values make wrong, and all again once the merge is undone', async () => {
    await load({ id: 'a', country: null, city: null }, { id: 'b', region: 'Illinois', phone: '+1 555 0100' });
    const changeSet = await merge('a', 'b');
    expect(await find('a')).toMatchObject({ ...herald, region: 'Illinois' });
    await backend.records.merge([madePatch({ id: 'a', city: 'Leeds', region: null, country: 'GB', phone: null })]);
    expect(await find('a')).toMatchObject({ city: 'Leeds', region: null, phone: '+1 555 0100' });
    for await (const page of backend.changes.readChanges(changeSet)) {
      await backend.records.revert(page, await newSet('undo'));
    }
    await backend.records.merge([{ id: 'a', city: null }]);
    expect(await find('a')).toMatchObject({ city: null, phone: null });
  });

  it('bring nothing that is suppressed into the kept record, which would hide it', async () => {
    await load({ id: 'a' }, { id: 'b' });
    await merge('a', 'b');
    const key = suppressionKey('address', 'jane@b.example');
    await backend.suppressions.add([{ key, reason: null, addedAt: '2026-01-01T00:00:00.000Z' }]);
    const rows = [{ id: 'b', email: 'jane@b.example', contact_name: 'Jane' }];
    expect(await backend.records.preview(rows)).toEqual(['unchanged']);
    expect(await backend.records.merge(rows)).toEqual(['unchanged']);
    expect(await find('a')).toMatchObject({ email: null, contact_name: null });
  });

  it('bring the kept record back under its id if it was deleted', async () => {
    await load({ id: 'a' }, { id: 'b' });
    await merge('a', 'b');
    await backend.records.remove(['a']);
    expect(await backend.records.merge([madeRecord({ id: 'b', name: 'Back' })])).toEqual(['created']);
    expect(await find('a')).toMatchObject({ name: 'Back' });
    expect(await find('b')).toBeNull();
  });
});
