import { describe, expect, it } from 'vitest';
import { describeChange, extendChange, type RecordChange } from '#records/changes/record-change.ts';
import { revertChange } from '#records/changes/revert-change.ts';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import { mergeRecord } from '#records/merge-record.ts';
import { madeRecord } from '#testing/made-record.ts';

type Patch = Omit<RecordPatch, 'id'>;
let minute = 0;
const nextTime = () => new Date(Date.UTC(2026, 1, 1, 0, ++minute));

/** A record with what makes up its derived fields. */
function recordOf(given: Patch): MediaRecord {
  return patched(madeRecord({ id: 'a' }), given);
}

function patched(record: MediaRecord, patch: Patch): MediaRecord {
  const result = mergeRecord(record, { id: record.id, ...patch }, nextTime());
  return 'record' in result ? result.record : record;
}

function changeOf(before: MediaRecord, patch: Patch): RecordChange {
  const change = describeChange({ id: before.id, before, after: patched(before, patch) });
  if (change === null) throw new Error('the patch changes nothing');
  return change;
}

/** Undoes the first patch after the second one. */
function undoFirst(record: MediaRecord, first: Patch, second: Patch) {
  const change = changeOf(record, first);
  if (change.is !== 'changed') throw new Error('the patch creates');
  return revertChange(patched({ ...record, ...change.after }, second), change, new Date('2026-09-09'));
}

const leeds = recordOf({
  city: 'Leeds',
  country: 'GB',
  email: 'a@x.example',
  email_status: 'valid',
  last_verified_at: '2026-01-01T00:00:00.000Z',
  type: 'radio',
  aliases: ['One'],
});

describe('undoing a change', () => {
  it.each<[string, Patch]>([
    ['a text', { name: 'Other' }],
    ['a list', { aliases: ['One', 'Two'] }],
    ['an address, which clears what was said of the one before', { email: 'b@x.example' }],
    ['an address and its status', { email: 'b@x.example', email_status: 'valid' }],
    ['a country, with its name and continent', { country: 'US', city: 'Boston' }],
    ['a city, with its size', { city: 'York' }],
    ['a kind, with its type', { kind: 'podcast', type: null }],
    ['all of them', { city: 'York', name: 'Other' }],
  ])('brings back %s', (_, patch) => {
    const change = changeOf(leeds, patch);
    const changed = patched(leeds, patch);
    const undone = revertChange(changed, changeOf(leeds, patch), nextTime());
    expect(change.is).toBe('changed');
    expect({ ...undone.record, updated_at: '' }).toEqual({ ...leeds, updated_at: '' });
    expect(revertChange(leeds, change, nextTime())).toMatchObject({ outcome: 'unchanged', kept: [] });
  });

  it('notes a field that stayed, but decides about an undo, once', () => {
    const checked = changeOf(leeds, { email_status: 'invalid' }) as { before: object; after: object };
    expect(Object.keys(checked.before)).toEqual(['email_status']);
    expect(checked.after).toMatchObject({ email: 'a@x.example', email_status: 'invalid' });
    const moved = changeOf(leeds, { country: 'IE' }) as { before: object; after: object };
    expect(Object.keys(moved.before)).not.toContain('city');
    expect(moved.after).toMatchObject({ city: 'Leeds', continent: 'europe' });
  });

  it('brings back what was noted before and after, as earlier versions did', () => {
    const { email, email_status, updated_at } = leeds;
    const after = { email, email_status: 'invalid', updated_at } as const;
    const change: RecordChange = { id: 'a', is: 'changed', before: { email, email_status, updated_at }, after };
    const { record } = revertChange({ ...leeds, ...after }, change, new Date('2026-09-09'));
    expect(record).toEqual({ ...leeds, updated_at: '2026-09-09T00:00:00.000Z' });
    const other = { ...leeds, ...after, email: 'c@x.example' };
    expect(revertChange(other, change, nextTime())).toMatchObject({ outcome: 'kept', kept: ['email_status'] });
  });

  it('is a change of its own time, later than all before, also where the clock was set back', () => {
    const change = changeOf(leeds, { city: 'York' });
    const changed = patched(leeds, { city: 'York' });
    const { record: undone } = revertChange(changed, change, new Date('2020-01-01'));
    expect(undone).toMatchObject({ city: 'Leeds', created_at: leeds.created_at });
    expect(String(undone?.updated_at) > changed.updated_at).toBe(true);
    const { record } = undoFirst(leeds, { city: 'York' }, { name: 'Later' });
    expect(record).toMatchObject({ city: 'Leeds', name: 'Later', updated_at: '2026-09-09T00:00:00.000Z' });
  });

  it.each<[string, Patch, Patch, Partial<MediaRecord>, string[]]>([
    ['a field that changed later', { name: 'Second' }, { name: 'Third' }, { name: 'Third' }, ['name']],
    [
      'the country and what follows from it',
      { country: 'US' },
      { country: 'FR' },
      { country: 'FR', country_name: 'France', continent: 'europe', city: 'Leeds' },
      ['country'],
    ],
    [
      'an address that changed later, and what is known of it',
      { email: 'b@x.example' },
      { email: 'c@x.example' },
      { email: 'c@x.example', email_status: null, last_verified_at: null },
      ['email'],
    ],
    [
      'the status of another address',
      { email_status: null },
      { email: 'c@x.example' },
      { email: 'c@x.example', email_status: null },
      ['email_status'],
    ],
    [
      'the type that only an outlet has',
      { type: null },
      { kind: 'podcast', type: null },
      { kind: 'podcast', type: null },
      ['type'],
    ],
  ])('leaves %s', (_, first, second, left, kept) => {
    const reversal = undoFirst(leeds, first, second);
    expect(reversal.record).toMatchObject(left);
    expect(reversal.kept).toEqual(kept);
  });

  it('says that a title stays beside another name, if the change of an earlier version does not note it', () => {
    const before = recordOf({ contact_name: 'Ann Roe', contact_title: 'Editor' });
    const after = { contact_name: 'Bob Poe', updated_at: '2026-02-02T00:00:00.000Z' };
    const change: RecordChange = { id: 'a', is: 'changed', before: { contact_name: 'Ann Roe' }, after };
    const later = patched({ ...before, ...after }, { contact_title: 'Reporter' });
    expect(revertChange(later, change, nextTime())).toMatchObject({
      outcome: 'restored',
      kept: ['contact_title'],
      record: { contact_name: 'Ann Roe', contact_title: 'Reporter' },
    });
    expect(revertChange({ ...before, ...after }, change, nextTime())).toMatchObject({ kept: [] });
  });

  it('takes what was said of an address along with it', () => {
    const { record, kept } = undoFirst(leeds, { email: 'b@x.example' }, { email_status: 'invalid' });
    expect(record).toMatchObject({ email: 'a@x.example', email_status: 'valid' });
    expect(kept).toEqual([]);
  });

  it('removes a created record that still says the same, whatever its time', () => {
    const created = describeChange({ id: 'a', before: null, after: leeds }) as RecordChange;
    const later = { ...leeds, updated_at: '2026-08-08T00:00:00.000Z' };
    expect(revertChange(later, created, nextTime())).toEqual({ outcome: 'removed', kept: [], record: null });
    const changed = patched(leeds, { name: 'Other' });
    expect(revertChange(changed, created, nextTime())).toEqual({ outcome: 'kept', kept: [], record: changed });
    expect(revertChange(null, created, nextTime()).outcome).toBe('unchanged');
  });

  it('brings back a deleted record unless its id exists again', () => {
    const deleted = describeChange({ id: 'a', before: leeds, after: null }) as RecordChange;
    expect(revertChange(null, deleted, new Date('2026-09-09'))).toEqual({
      outcome: 'recreated',
      kept: [],
      record: { ...leeds, updated_at: '2026-09-09T00:00:00.000Z' },
    });
    expect(revertChange(leeds, deleted, nextTime()).outcome).toBe('unchanged');
    expect(revertChange(patched(leeds, { name: 'New' }), deleted, nextTime()).outcome).toBe('kept');
  });
});

describe('a change that goes on', () => {
  it('is one change from the first state to the last', () => {
    const first = changeOf(leeds, { name: 'Second', city: 'York' });
    const middle = patched(leeds, { name: 'Second', city: 'York' });
    const last = patched(middle, { name: 'Third', phone: '12345' });
    const both = extendChange(first, { id: 'a', before: middle, after: last }) as RecordChange;
    expect(revertChange(last, both, nextTime()).record).toMatchObject({ name: leeds.name, city: 'Leeds', phone: null });
    expect(extendChange(first, { id: 'a', before: middle, after: null })).toMatchObject({
      is: 'deleted',
      before: { name: leeds.name, city: 'Leeds' },
    });
  });
});
