import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { describeChange, extendChange, type RecordChange } from '#records/changes/record-change.ts';
import { revertChange } from '#records/changes/revert-change.ts';
import { emptyContact } from '#records/contacts/contact.ts';
import { withContacts } from '#records/contacts/with-contacts.ts';
import { recordKeys } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { mergeRecord } from '#records/merge-record.ts';
import { readCases } from '#testing/cases.ts';
import { madePatch, madeRecord } from '#testing/made-record.ts';

/** What an import says, with the contact in flat keys. */
type Patch = Partial<Omit<MediaRecord, 'contacts' | 'contact_count'>>;
let minute = 0;
const nextTime = () => new Date(Date.UTC(2026, 1, 1, 0, ++minute));

/** A record with what makes up its derived fields. */
function recordOf(given: Patch): MediaRecord {
  return patched(madeRecord({ id: 'a' }), given);
}

function patched(record: MediaRecord, patch: Patch): MediaRecord {
  const isOfContact = 'email' in patch || 'email_status' in patch || 'contact_title' in patch;
  const of = isOfContact ? { contact_name: record.contact_name } : {};
  const result = mergeRecord(record, { ...madePatch({ ...of, ...patch }), id: record.id }, nextTime());
  return 'record' in result ? result.record : record;
}

function changeOf(before: MediaRecord, patch: Patch): RecordChange {
  const change = describeChange({ id: before.id, before, after: patched(before, patch) });
  if (change === null) throw new Error('the patch changes nothing');
  return change;
}

/** A record with the values that a change left. */
function after(record: MediaRecord, change: RecordChange): MediaRecord {
  const { contact_count: _, ...values } = { ...record, ...(change as { after: object }).after };
  return madeRecord(withContacts(values, values.contacts));
}

/** Undoes the first patch after the second one. */
function undoFirst(record: MediaRecord, first: Patch, second: Patch) {
  const change = changeOf(record, first);
  if (change.is !== 'changed') throw new Error('the patch creates');
  return revertChange(patched(after(record, change), second), change, new Date('2026-09-09'));
}

const leeds = recordOf({
  city: 'Leeds',
  country: 'GB',
  contact_name: 'Ann Roe',
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
    expect(revertChange(leeds, change, nextTime())).toMatchObject({ outcome: 'unchanged', staying: [] });
  });

  it('notes a field that stayed, but decides about an undo, once', () => {
    const moved = changeOf(leeds, { country: 'IE' }) as { before: object; after: object };
    expect(Object.keys(moved.before)).not.toContain('city');
    expect(moved.after).toMatchObject({ city: 'Leeds', continent: 'europe' });
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

  it.each(
    readCases<[string, Patch, Patch, Partial<MediaRecord>, string[]]>(new URL('left-by-undo.tsv', import.meta.url)),
  )('leaves %s', (_, first, second, left, kept) => {
    const reversal = undoFirst(leeds, first, second);
    expect(reversal.record).toMatchObject(left);
    expect(reversal.staying).toEqual(kept);
  });

  it('removes a created record that still says the same, whatever its time', () => {
    const created = describeChange({ id: 'a', before: null, after: leeds }) as RecordChange;
    const later = { ...leeds, updated_at: '2026-08-08T00:00:00.000Z' };
    expect(revertChange(later, created, nextTime())).toEqual({ outcome: 'removed', staying: [], record: null });
    const changed = patched(leeds, { name: 'Other' });
    expect(revertChange(changed, created, nextTime())).toEqual({ outcome: 'kept', staying: [], record: changed });
    expect(revertChange(null, created, nextTime()).outcome).toBe('unchanged');
  });

  it('brings back a deleted record unless its id exists again', () => {
    const deleted = describeChange({ id: 'a', before: leeds, after: null }) as RecordChange;
    expect(revertChange(null, deleted, new Date('2026-09-09'))).toEqual({
      outcome: 'recreated',
      staying: [],
      record: { ...leeds, updated_at: '2026-09-09T00:00:00.000Z' },
    });
    expect(revertChange(leeds, deleted, nextTime()).outcome).toBe('unchanged');
    expect(revertChange(patched(leeds, { name: 'New' }), deleted, nextTime()).outcome).toBe('kept');
  });
});

describe('undoing a change of before 1.3, when contacts were flat', () => {
  const flat = { id: 'a', name: 'One', contact_name: 'Ann Roe', contact_title: 'Editor', email: 'a@x.example' };
  const then = madeRecord({ ...flat, email_status: 'valid' });
  const updated_at = '2026-02-02T00:00:00.000Z';

  it('brings back the values of the contact of then, beside others that came later', () => {
    const noted = { email: flat.email, email_status: 'invalid', updated_at } as const;
    const change: RecordChange = { id: 'a', is: 'changed', before: { email_status: 'valid' }, after: noted };
    const changed = madeRecord({ ...flat, email_status: 'invalid', updated_at });
    expect(revertChange(changed, change, nextTime()).record).toMatchObject({ contacts: then.contacts });
    const later = patched(changed, { contact_name: 'Bob Poe', email: 'b@x.example' });
    expect(revertChange(later, change, nextTime())).toMatchObject({
      outcome: 'restored',
      record: { contacts: [{ email_status: 'valid' }, { name: 'Bob Poe' }] },
    });
    const other = patched(changed, { contact_name: 'Ann Roe', email: 'c@x.example' });
    expect(revertChange(other, change, nextTime())).toMatchObject({ outcome: 'kept', staying: ['email_status'] });
  });

  it('says that a title stays beside another name, if the change does not note it', () => {
    const change: RecordChange = {
      ...{ id: 'a', is: 'changed' },
      before: { contact_name: 'Ann Roe' },
      after: { contact_name: 'Bob Poe', updated_at },
    };
    const changed = madeRecord({ id: 'a', contact_name: 'Bob Poe', contact_title: 'Reporter' });
    expect(revertChange(changed, change, nextTime())).toMatchObject({
      outcome: 'restored',
      staying: ['contact_title'],
      record: { contacts: [{ name: 'Ann Roe', title: 'Reporter' }] },
    });
  });

  it('leaves contacts alone where that of then is gone, and says so', () => {
    const change: RecordChange = {
      ...{ id: 'a', is: 'changed' },
      before: { name: 'Old', email: 'old@x.example' },
      after: { name: 'One', email: flat.email, updated_at },
    };
    const { contacts: _, contact_count: __, ...values } = then;
    const replaced = madeRecord({ ...values, contacts: [{ ...emptyContact('new'), name: 'Cem Three' }] });
    expect(revertChange(replaced, change, nextTime())).toMatchObject({
      outcome: 'restored',
      staying: ['contacts'],
      record: { name: 'Old', contacts: replaced.contacts },
    });
  });

  it('removes what an import of then created', () => {
    // As 1.2 noted it.
    const digest = digestOfThen(then);
    expect(revertChange(then, { id: 'a', is: 'created', digest }, nextTime()).outcome).toBe('removed');
    const changed = patched(then, { contact_name: 'Bob Poe', email: 'b@x.example' });
    expect(revertChange(changed, { id: 'a', is: 'created', digest }, nextTime()).outcome).toBe('kept');
  });
});

/** The digest of 1.2: of all known values but the date, in the order of their keys. */
function digestOfThen({ contacts, contact_count, updated_at, created_at, ...values }: MediaRecord): string {
  const known = Object.entries(values).filter(([, value]) => value !== null && String(value) !== '');
  const ordered = recordKeys.flatMap((key) => known.filter(([name]) => name === key)).flat();
  return hash('sha256', JSON.stringify(ordered), 'base64url').slice(0, 22);
}

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
