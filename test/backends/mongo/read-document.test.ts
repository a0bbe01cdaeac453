import { Binary, BSON, Decimal128, Long, ObjectId } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { readDocument } from '#backends/mongo/read-document.ts';
import { insertion } from '#backends/mongo/write-document.ts';
import { emptyRecord } from '#records/fields.ts';
import { mergeRecord } from '#records/merge-record.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import { generateSample } from '#sample/generate-sample.ts';

const read = (document: object) => readDocument(document);
const recordOf = (document: object) => {
  const result = read(document);
  if (!('record' in result)) throw new Error(result.reason);
  return result.record;
};

describe('reading a document', () => {
  it('returns each record that was written', () => {
    for (const source of generateSample({ count: 500, seed: 7 })) {
      const result = normalizeRecord(source);
      const merged = 'patch' in result ? mergeRecord(null, result.patch, new Date()) : null;
      const record = merged && 'record' in merged ? merged.record : emptyRecord('never', 'outlet', 'made');
      const [write] = insertion(record);
      const document = write && 'insertOne' in write ? write.insertOne.document : {};
      expect(recordOf(BSON.deserialize(BSON.serialize(document)))).toEqual(record);
    }
  });

  it.each([
    ['a number of 64 bits', { audience: Long.fromNumber(5_000) }, { audience: 5_000 }],
    ['a number as text', { audience: '5,000' }, { audience: 5_000 }],
    ['a country by its name', { country: 'Germany' }, { country: 'DE', country_name: 'Germany', continent: 'europe' }],
    ['a country without its name', { country: 'DE' }, { country: 'DE', country_name: 'Germany', continent: 'europe' }],
    ['a category by its name', { categories: ['Sports'] }, { categories: ['sports'] }],
    ['one topic that is not in a list', { categories: 'sports' }, { categories: ['sports'] }],
    ['a value of no vocabulary', { coverage: 'galactic' }, { coverage: null }],
    ['an address in a text', { description: 'Ask jo@desk.example now' }, { description: 'Ask now' }],
    ['an address in a URL', { url: 'https://desk.example/?to=jo%40desk.example' }, { url: 'https://desk.example/' }],
    ['a type of a podcast', { kind: 'podcast', type: 'newspaper' }, { kind: 'podcast', type: null }],
    ['binary data', { phone: new Binary(Buffer.from('x')) }, { phone: null }],
    ['a decimal number', { audience: Decimal128.fromString('12') }, { audience: null }],
    ['a document within', { city: { name: 'Leeds' } }, { city: 'Leeds' }],
    ['keys that are not fields', { owner: 'Ann', __proto__: null, constructor: 'x' }, {}],
  ])('understands %s', (_, document, expected) => {
    const base = { _id: 'a', kind: 'outlet', name: 'Herald', updated_at: '2026-01-01T00:00:00.000Z' };
    expect(recordOf({ ...base, ...document })).toEqual({ ...emptyRecord('a', 'outlet', 'Herald'), ...expected });
  });

  describe('of several contacts', () => {
    const document = { _id: 'a', kind: 'outlet', name: 'Herald' };
    const ann = { name: 'Ann Roe', title: 'Editor', email: 'ann@desk.example', links: ['https://ann.example/'] };

    it('gives ids and kinds to those that other tools wrote, the same at each read', () => {
      const read = recordOf({ ...document, contacts: [ann, { email: 'noreply@desk.example' }, { phone: '12345' }] });
      expect(read.contacts).toMatchObject([{ kind: 'person', ...ann }, { kind: 'automatic' }, { kind: 'desk' }]);
      expect(new Set(read.contacts.map(({ id }) => id)).size).toBe(3);
      const again = recordOf({ ...document, contacts: [ann, { email: 'noreply@desk.example' }, { phone: '12345' }] });
      expect(again).toEqual(read);
      expect(recordOf({ ...document, contacts: read.contacts })).toEqual(read);
    });

    it('keeps what only stores know of those that an earlier version wrote', () => {
      const { contacts } = recordOf({ ...document, contacts: [ann] });
      const kept = contacts.map((contact) => ({ ...contact, sources: { club: '7' }, isPreferred: true }));
      expect(recordOf({ ...document, contacts: kept, digest: 'of an earlier indexVersion' }).contacts).toEqual(kept);
    });

    it('reads the keys of one contact where there are no contacts, and else does not', () => {
      const flat = { email: 'jo@desk.example, al@desk.example', last_verified_at: new Date('2026-01-02T03:04:05Z') };
      const lifted = { email: 'jo@desk.example', last_verified_at: '2026-01-02T03:04:05.000Z' };
      const second = { kind: 'desk', email: 'al@desk.example' };
      const read = recordOf({ ...document, ...flat });
      expect(read).toMatchObject({ ...lifted, contacts: [{ kind: 'desk', ...lifted }, second] });
      expect(recordOf({ ...document, ...flat })).toEqual(read);
      expect(recordOf({ ...document, ...flat, last_verified_at: '2026-02-30' }).contacts).toMatchObject([
        { last_verified_at: null },
        second,
      ]);
      expect(recordOf({ ...document, ...flat, contacts: [ann] })).toMatchObject({ contact_count: 1, email: ann.email });
      expect(recordOf({ ...document, ...flat, contacts: [] })).toMatchObject({ contact_count: 0, email: null });
    });

    it.each<[string, unknown]>([
      ['is no list', { name: 'jo@desk.example' }],
      ['has a text', ['jo@desk.example']],
      ['has a name that is none', [{ name: { first: 'jo@desk.example' } }]],
      ['has too many', Array.from({ length: 501 }, () => ann)],
    ])('is unreadable where contacts %s, with a reason that quotes nothing', (_, contacts) => {
      const read = readDocument({ ...document, contacts });
      expect(read).toMatchObject({ id: 'a', reason: expect.stringMatching(/contact/) });
      expect(JSON.stringify(read)).not.toContain('desk.example');
    });
  });

  it.each([
    ['an id of the database', { _id: new ObjectId() }, /^_id is not text$/],
    ['an id with space around it', { _id: ' a ' }, /leading or trailing space/],
    ['the id null', { _id: 'null' }, /^_id is a word for nothing/],
    ['the id None, without a name', { _id: 'None', name: null }, /^_id is a word for nothing/],
    ['an id that is an address', { _id: 'jo@desk.example' }, /address/],
    ['no name', { name: '' }, /^name/],
    ['no kind', { kind: null }, /^kind/],
    ['a kind of no vocabulary', { kind: 'jo@desk.example' }, /^kind/],
  ])('says why %s is not a record, without quoting it', (_, document, expected) => {
    const result = read({ _id: 'a', kind: 'outlet', name: 'Herald', ...document });
    expect(result).toMatchObject({ reason: expect.stringMatching(expected) });
    expect('reason' in result && result.reason).not.toContain('jo@desk');
  });
});
