import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestFirst, type ContactPatch, emptyContact, type KeptContact } from '#records/contacts/contact.ts';
import { joinContactRows } from '#records/contacts/join-contact-rows.ts';
import { mergeContacts, uniteContacts } from '#records/contacts/merge-contacts.ts';
import { contactKindOf } from '#records/contacts/people.ts';
import { isSameName, personKey } from '#records/contacts/same-person.ts';
import { shownContact } from '#records/contacts/with-contacts.ts';
import { hashText } from '#text/name-keys.ts';

const daily = {
  id: 'daily',
  name: 'Daily A',
  aliases: [],
  url: 'https://daily-a.example/',
  feed_url: null,
  platform: null,
};
const ann = { name: 'Ann Roe', email: 'ann@daily-a.example', title: 'Politics editor', phone: '+44 20 7946 0001' };
const bob = { name: 'Bob Poe', email: 'bob@daily-a.example' };

function merged(stored: readonly KeptContact[], patches: readonly ContactPatch[], areAll = false) {
  const after = mergeContacts(daily, stored, { patches, areAll });
  if (after === null) throw new Error('too many contacts');
  return after.contacts;
}

/** What tells contacts apart in a test. */
const brief = (contacts: readonly Pick<KeptContact, 'name' | 'email' | 'title' | 'phone'>[]) =>
  contacts.map(({ name, email, title, phone }) => [name, email, title, phone]);

const both = merged([], [ann, bob]);

it('a contact is shown with its keys in one order, whatever wrote them', () => {
  const reversed = Object.fromEntries(Object.entries(emptyContact('a')).toReversed()) as unknown as KeptContact;
  expect(Object.keys(shownContact(reversed))).toEqual(Object.keys(emptyContact('a')));
});

describe('which contact a row is, at its medium', () => {
  it.each<[string, ContactPatch, number]>([
    ['the same name', { name: 'ann roe', title: 'Editor' }, 0],
    ['the same name in the other order', { name: 'Roe, Ann', title: 'Editor' }, 0],
    ['the same name with another address', { name: 'Ann Roe', email: 'roe@daily-a.example' }, 0],
    ['our id, whatever the name', { id: both[1]?.id ?? '', name: 'Robert Poe' }, 1],
  ])('%s', (_, patch, place) => {
    const after = merged(both, [patch]);
    expect(after).toHaveLength(2);
    expect(after.map((contact, at) => contact !== both[at])).toEqual([place === 0, place === 1]);
  });

  it('is a new one by another name, even with the same address', () => {
    const press = merged([], [{ name: 'Ann Roe', email: 'press@daily-a.example' }]);
    const after = merged(press, [{ name: 'Bob Poe', email: 'press@daily-a.example' }]);
    expect(brief(after)).toEqual([
      ['Ann Roe', 'press@daily-a.example', null, null],
      ['Bob Poe', 'press@daily-a.example', null, null],
    ]);
  });

  it('is the desk with the same address, or the same title where one of both has no address', () => {
    const desk = merged([], [{ email: 'news@daily-a.example' }]);
    expect(merged(desk, [{ email: 'News@daily-a.example', phone: '1234' }])).toHaveLength(1);
    expect(merged(desk, [{ phone: '1234' }])).toHaveLength(1);
    expect(merged(desk, [{ email: 'sport@daily-a.example' }])).toHaveLength(2);
    expect(merged(desk, [{ title: 'Sports desk', phone: '1234' }])).toHaveLength(2);
  });

  it('is the one of two with a name that has the address, whatever the order of the rows', () => {
    const two = merged([], [ann, { ...ann, email: 'other@daily-a.example', phone: '2' }]);
    expect(two).toHaveLength(2);
    const rows = [
      { name: 'Ann Roe', email: 'other@daily-a.example', title: 'Second' },
      { name: 'Ann Roe', email: 'third@daily-a.example', title: 'First' },
    ];
    for (const patches of [rows, rows.toReversed()]) {
      expect(brief(merged(two, patches))).toEqual([
        ['Ann Roe', 'third@daily-a.example', 'First', '+44 20 7946 0001'],
        ['Ann Roe', 'other@daily-a.example', 'Second', '2'],
      ]);
    }
  });
});

describe('what a row changes', () => {
  it('leaves every other contact as it is', () => {
    const after = merged(both, [{ name: 'Bob Poe', title: 'Sports editor' }]);
    expect(after[0]).toBe(both[0]);
    expect(brief(after)[1]).toEqual(['Bob Poe', 'bob@daily-a.example', 'Sports editor', null]);
  });

  it('clears a value with an empty cell, but never a name', () => {
    const after = merged(both, [{ id: both[0]?.id ?? '', name: null, title: null }]);
    expect(brief(after)[0]).toEqual(['Ann Roe', 'ann@daily-a.example', null, '+44 20 7946 0001']);
  });

  it('clears the details of an address with another address', () => {
    const checked = merged([], [{ ...ann, email_status: 'valid', last_verified_at: '2026-01-01T00:00:00.000Z' }]);
    const [after] = merged(checked, [{ name: 'Ann Roe', email: 'roe@daily-a.example' }]);
    expect(after).toMatchObject({ email_status: null, last_verified_at: null, title: 'Politics editor' });
  });

  it('changes nothing by the same rows again', () => {
    expect(merged(both, [bob, ann])).toBe(both);
  });

  it('makes no contact without name, title, address and phone', () => {
    expect(merged(both, [{ beats: ['climate'], links: ['https://x.com/ann'] }])).toBe(both);
  });

  it('takes away whom a whole truth does not name', () => {
    expect(brief(merged(both, [bob], true))).toEqual([['Bob Poe', 'bob@daily-a.example', null, null]]);
  });

  it('refuses the 501st contact', () => {
    const many = Array.from({ length: 500 }, (_, at) => ({ email: `desk${at}@daily-a.example` }));
    const full = merged([], many);
    expect(mergeContacts(daily, full, { patches: [bob], areAll: false })).toBeNull();
  });
});

describe('rows of one import', () => {
  it('are one contact by name, and two where one name has two addresses', () => {
    const rows = [
      { name: 'Ann Roe', email: 'ann@daily-a.example' },
      { name: 'Ann Roe', title: 'Editor', email: null },
      { name: 'Ann Roe', email: 'second@daily-a.example' },
    ];
    expect(joinContactRows(daily, rows)).toEqual([
      { name: 'Ann Roe', email: 'ann@daily-a.example', title: 'Editor' },
      { name: 'Ann Roe', email: 'second@daily-a.example' },
    ]);
  });

  const links = ['https://x.com/daily'];
  it.each<[string, ContactPatch[]]>([
    ['two people', [ann, { name: 'Bob Poe', email: 'bob@daily-a.example', phone: null }]],
    ['a desk and two people', [{ email: 'desk@daily-a.example' }, { name: 'Ann Roe' }, { name: 'Bob Poe' }]],
    ['a desk and a person', [{ email: 'desk@daily-a.example' }, { name: 'Ann Roe' }]],
    ['a desk known by its title and a person', [{ title: 'News desk', phone: '1' }, { name: 'Ann Roe' }]],
    ['two desks with names', [{ name: 'News desk' }, { name: 'Sports desk' }]],
  ])('take no value of one to another, who has the same handle: %s', (_, rows) => {
    for (const inOrder of [rows, rows.toReversed()].map((some) => some.map((one) => ({ ...one, links })))) {
      const apart = brief(inOrder.flatMap((one) => merged([], [one])));
      expect(brief(merged([], joinContactRows(daily, inOrder)))).toEqual(apart);
      expect(brief(inOrder.reduce<readonly KeptContact[]>((stored, one) => merged(stored, [one]), []))).toEqual(apart);
    }
  });

  it('are two people by two names, also where a stored one shares a word and the handle', () => {
    const stored = merged([], [{ ...ann, links }]);
    const renamed = { name: 'Ann Poe', links };
    expect(uniteContacts(daily, stored, [merged([], [renamed])])).toHaveLength(2);
    expect(brief(merged(stored, [renamed]))).toEqual([['Ann Poe', ann.email, ann.title, ann.phone]]);
    for (const colleague of [
      { name: 'Ann Roe' },
      { name: 'Bob Loe', links },
      { email: 'desk@daily-a.example', links },
    ]) {
      for (const rows of [
        [renamed, colleague],
        [colleague, renamed],
      ]) {
        const after = merged(stored, joinContactRows(daily, rows));
        expect(brief(after)[0]).toEqual(brief(stored)[0]);
        expect(brief(after)).toContainEqual(['Ann Poe', null, null, null]);
      }
    }
  });
});

describe('the order of contacts', () => {
  it('has persons with a usable address first, then desks with one, persons and desks without, automatic ones', () => {
    const contacts = merged(
      [],
      [
        { email: 'noreply@daily-a.example' },
        { title: 'Sports desk' },
        { name: 'Cem Two' },
        { email: 'news@daily-a.example' },
        { name: 'Dee Four', email: 'dee@daily-a.example', email_status: 'invalid' },
        { name: 'Ann Roe', email: 'ann@daily-a.example' },
      ],
    );
    expect(bestFirst(contacts).map(({ name, title, email }) => name ?? title ?? email)).toEqual([
      'Ann Roe',
      'news@daily-a.example',
      'Cem Two',
      'Dee Four',
      'Sports desk',
      'noreply@daily-a.example',
    ]);
  });
});

describe('rows in any order', () => {
  const cell = (values: readonly string[]) => fc.option(fc.constantFrom(...values), { nil: null });
  const row = fc.record({
    name: cell(['Ann Roe', 'Roe, Ann', 'Bob Poe', 'Ann Poe', 'News desk']),
    email: cell(['ann@daily-a.example', 'bob@daily-a.example', 'news@daily-a.example']),
    title: cell(['Editor', 'Sports desk']),
    links: fc.constantFrom<string[]>([], ['https://x.com/daily'], ['https://x.com/ann']),
  });
  /** Who the contacts are: names and addresses. Other values may depend on the order, because later ones win. */
  const whoIn = (rows: readonly ContactPatch[]) =>
    joinContactRows(daily, rows)
      .map(({ name, email }) => JSON.stringify([personKey(name), email ?? null]))
      .toSorted();

  it('are the same contacts, and none has an address that no row gives to its name', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), fc.nat(), (rows, seed) => {
        const shuffled = rows.toSorted(
          (a, b) => hashText(`${seed}${JSON.stringify(a)}`) - hashText(`${seed}${JSON.stringify(b)}`),
        );
        expect(whoIn(shuffled)).toEqual(whoIn(rows));
        for (const { name, email } of joinContactRows(daily, rows)) {
          if (!email || contactKindOf({ name: name ?? null, email }, daily) !== 'person') continue;
          expect(rows.some((one) => isSameName(one.name, name) && one.email === email)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
