import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeChange, type RecordChange } from '#records/changes/record-change.ts';
import { revertChange } from '#records/changes/revert-change.ts';
import { type FlatContactPart, isSameContact, namesContact } from '#records/contacts/same-contact.ts';
import { joinRecords, joinRows } from '#records/duplicates/join-records.ts';
import { keysOf } from '#records/field-groups.ts';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import { mergeRecord } from '#records/merge-record.ts';
import { madePatch, madeRecord } from '#testing/made-record.ts';

const ann = { contact_name: 'Ann Roe', contact_title: 'Editor', email: 'ann@x.example' };
const newsDesk = { contact_name: null, contact_title: 'News desk', email: 'news@x.example' };
const address = { contact_name: null, contact_title: null, email: 'info@x.example' };

describe('the same contact', () => {
  it.each<[string, FlatContactPart, FlatContactPart]>([
    ['a name in other case and order', ann, { contact_name: 'ROE, Ánn' }],
    ['a name, at another address', ann, { contact_name: 'Ann Roe', email: 'roe@y.example' }],
    ['an address, where one has no name', ann, { contact_name: null, email: 'ANN@x.example' }],
    ['two addresses without name and title', address, { ...address, email: 'press@x.example' }],
    ['one title, at two addresses', newsDesk, { ...newsDesk, email: 'desk@x.example' }],
    ['a title, where one has no address', newsDesk, { contact_name: null, email: 'news@x.example' }],
    ['nobody', ann, { contact_name: null, email: null }],
    ['a title for whoever is there', ann, { contact_title: 'Reporter' }],
  ])('is %s', (_, one, other) => {
    expect([isSameContact(one, other), isSameContact(other, one)]).toEqual([true, true]);
  });

  it.each<[string, FlatContactPart, FlatContactPart]>([
    ['another name', ann, { contact_name: 'Bob Poe' }],
    ['another name at one address', ann, { ...ann, contact_name: 'Bob Poe' }],
    ['an address of nobody', ann, address],
    ['a name, where there was an address', address, { contact_name: 'Ann Roe' }],
    ['a title of nobody', ann, { contact_name: null, contact_title: 'News desk' }],
    ['another title at another address', newsDesk, { ...newsDesk, contact_title: 'Sports', email: 's@x.example' }],
    ['another address without the title', newsDesk, address],
  ])('is not %s', (_, one, other) => {
    expect([isSameContact(one, other), isSameContact(other, one)]).toEqual([false, false]);
  });
});

/** Contacts whose every value says whose it is. */
const names = ['Ann', 'Bob', null] as const;
const keys = ['contact_title', 'email', 'phone'] as const;
const contactRow = fc
  .tuple(
    fc.constantFrom(...names),
    fc.record(Object.fromEntries(keys.map((key) => [key, fc.constantFrom('value', 'empty', 'absent')]))),
  )
  .map(([name, forms]): Partial<MediaRecord> => {
    const owner = name ?? 'desk';
    const values = {
      contact_title: `Title ${owner}`,
      email: `${owner}@x.example`,
      phone: `Phone ${owner}`,
    };
    const row: Record<string, string | null> = { contact_name: name };
    for (const key of keys) {
      // Without a name, the address tells who it is.
      if (forms[key] === 'value' || (name === null && key === 'email')) row[key] = values[key];
      else if (forms[key] === 'empty') row[key] = null;
    }
    return row;
  });

/** Of how many contacts the values of each contact are. */
function ownersOf({ contacts }: MediaRecord): number[] {
  return contacts.map(({ name, title, email, phone }) => {
    const owners = [name, title, email, phone].flatMap((value) => /Ann|Bob|desk/.exec(value ?? '') ?? []);
    return new Set(owners).size;
  });
}

const isWhole = (record: MediaRecord) => ownersOf(record).every((owners) => owners === 1);

describe('values of two contacts', () => {
  const merge = (record: MediaRecord, row: Omit<RecordPatch, 'id'>) => {
    const result = mergeRecord(record, { ...row, id: record.id }, new Date('2026-01-01'));
    return 'record' in result ? result.record : record;
  };

  it('are never mixed by rows of one file and of several, and rows again change nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.array(contactRow, { minLength: 1, maxLength: 4 }), { maxLength: 4 }), (files) => {
        let record = madeRecord({ id: 'a' });
        for (const [first, ...rest] of files) {
          const patches = [{ ...first }, ...rest].map((row) => madePatch({ ...row, id: 'a' }));
          const row = patches.reduce<RecordPatch>(joinRows, { id: 'a' });
          record = merge(record, row);
          expect(record).toSatisfy(isWhole);
          expect(mergeRecord(record, row, new Date())).toMatchObject({ outcome: 'unchanged' });
        }
      }),
    );
  });

  it('are never mixed by merging duplicates', () => {
    fc.assert(
      fc.property(fc.array(contactRow, { minLength: 2, maxLength: 4 }), (rows) => {
        const [keep, ...others] = rows.map((row, at) => madeRecord({ ...row, id: `${at}` }));
        expect(merge(keep as MediaRecord, joinRecords(keep as MediaRecord, others))).toSatisfy(isWhole);
      }),
    );
  });

  it('are never mixed by an undo', () => {
    fc.assert(
      fc.property(fc.array(contactRow, { minLength: 2, maxLength: 5 }), fc.nat(), (rows, undone) => {
        let record = madeRecord({ id: 'a' });
        const changes: RecordChange[] = [];
        for (const row of rows) {
          const after = merge(record, madePatch(row));
          const change = describeChange({ id: 'a', before: record, after });
          if (change !== null) changes.push(change);
          record = after;
        }
        const reversal = revertChange(record, changes[undone % changes.length] as RecordChange, new Date());
        expect(reversal.record).toSatisfy(isWhole);
      }),
    );
  });
});

it('has a group for each field that a contact consists of', () => {
  const parts = ['contact_name', 'contact_title', 'email', 'email_status', 'email_source', 'last_verified_at', 'phone'];
  expect(keysOf('contact')).toEqual(parts);
  expect(namesContact({ contact_name: null, contact_title: null, email: null })).toBe(false);
});
