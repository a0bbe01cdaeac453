import { text as textOf } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { plans } from '#accounts/plans.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { filterSchema, toSearchQuery } from '#http/parse/query-parameters.ts';
import { readParameters } from '#http/parse/read-parameters.ts';
import { exportRecords } from '#outbound/export-records.ts';
import { rehearsePush } from '#outbound/push-leads.ts';
import { PushRoom } from '#outbound/work-slots.ts';
import { suppressionKey } from '#records/suppression.ts';
import type { RowKind } from '#search/contact-row.ts';
import { listFormats } from '#src/encodings/formats.ts';
import { leadTools } from '#src/lead-tools/lead-tools.ts';
import { testBackends } from '#testing/backends.ts';
import { readCases } from '#testing/cases.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const at = (local: string) => `${local}@desk.example`;
const ann = madeContact({
  id: 'ann',
  name: 'Ann Moe',
  title: 'Editor',
  beats: ['Climate', '=Energy'],
  email: at('ann'),
  email_status: 'valid',
  last_verified_at: '2026-05-01T00:00:00.000Z',
  phone: '+44 20 7946 0001',
  links: ['https://x.com/annmoe', 'https://www.linkedin.com/in/annmoe'],
});
const bob = madeContact({ id: 'bob', name: 'Bob Roe', email: at('bob'), email_status: 'invalid' });
const cem = madeContact({ id: 'cem', name: 'Cem Poe', title: 'Critic' });
const news = madeContact({ id: 'news', name: 'News desk', email: at('news'), email_status: 'accept_all' });
const robot = madeContact({ id: 'robot', email: at('no-reply') });
const shared = [
  madeContact({ id: 'a-eve', name: 'Eve High', email: at('PRESS'), email_status: 'disposable' }),
  madeContact({ id: 'z-dora', name: 'Dora Low', email: at('press') }),
];

const records = [
  madeRecord({
    id: 'a',
    country: 'GB',
    contacts: [robot, news, bob, ann],
    linkedin_url: 'https://linkedin.com/in/roe',
  }),
  madeRecord({ id: 'b', country: 'GB', contacts: [bob, ...shared, { ...ann, id: 'other-ann', email: at('ANN') }] }),
  madeRecord({ id: 'c', country: 'FR', contacts: [cem, robot] }),
  madeRecord({ id: 'd', country: 'FR', contacts: [bob] }),
  madeRecord({ id: 'e', country: 'FR' }),
];
const formats = listFormats(leadTools);
const formatNamed = (name: string) => {
  const format = formats.find((one) => one.name === name);
  if (format === undefined) throw new Error(`there is no format ${name}`);
  return format;
};
const key = { hash: 'hash', plan: { tier: 'premium', expiresAt: '2030-01-01T00:00:00.000Z' } } as StoredKey;
const now = new Date('2026-11-21T12:00:00.000Z');

describe.each(testBackends)('rows of contacts, $name', ({ open }) => {
  const backend = useOne(open, (one) => one.load(records));
  const queryOf = (search: string) => toSearchQuery(readParameters(`/?${search}`, filterSchema).values);

  async function begin(search: string, format: string, rows: RowKind) {
    const request = { query: queryOf(search), format: formatNamed(format), rows };
    return exportRecords({ plans, index: backend.index, suppressions: backend.suppressions }, request, key, now);
  }

  async function readCsv(search: string, format: string): Promise<Record<string, string>[]> {
    const scan = await begin(search, format, 'contacts');
    const file = await textOf(formatNamed(format).write(scan, { rows: 'contacts' }));
    await scan.close();
    return parse(file, { columns: true });
  }

  /** The rows of an export in the form `record contact`, after their count was compared. */
  async function rowsOf(
    search: string,
    { format = 'csv', rows = 'contacts' }: { format?: string; rows?: RowKind } = {},
  ) {
    const scan = await begin(search, format, rows);
    const ids: string[] = [];
    for await (const batch of scan) {
      for (const { id, contacts } of batch) ids.push(`${id} ${contacts.map((contact) => contact.id).join('+')}`);
    }
    await scan.close();
    expect(scan.total).toBe(ids.length);
    await expect.poll(() => backend.holdsScan()).toBe(false);
    return ids.toSorted();
  }

  const all = [
    ...['a ann', 'a bob', 'a news', 'a robot', 'b a-eve', 'b bob', 'b other-ann', 'b z-dora', 'c cem', 'c robot'],
    'd bob',
  ];

  it('are all contacts, and none of a medium without one', async () => {
    expect(await rowsOf('')).toEqual(all);
  });

  it.each(readCases<[search: string, rows: string[]]>(new URL('contact-rows.tsv', import.meta.url)))(
    'are those that meet the contact filters themselves: %s',
    async (search, rows) => {
      expect(await rowsOf(search)).toEqual(rows);
    },
  );

  it.each(['ndjson', 'xlsx'])('are the same in %s', async (format) => {
    expect(await rowsOf('', { format })).toEqual(all);
  });

  it('have no place in a workbook if they are too many', async () => {
    const format = { ...formatNamed('xlsx'), maxRecords: all.length - 1 };
    const deps = { plans, index: backend.index, suppressions: backend.suppressions };
    await expect(exportRecords(deps, { query: queryOf(''), format, rows: 'contacts' }, key, now)).rejects.toThrow(
      `These are ${all.length} contacts, and xlsx holds at most ${all.length - 1}.`,
    );
    await expect.poll(() => backend.holdsScan()).toBe(false);
  });

  it('are written with the values of their own contact only', async () => {
    const rows = await readCsv('id=a', 'csv');
    const headings = Object.keys(rows[0] ?? {});
    expect([headings.slice(0, 3), headings.slice(-3)]).toEqual([
      ['id', 'contact_id', 'kind'],
      ['tags', 'beats', 'links'],
    ]);
    expect(rows.find((row) => row.contact_id === 'ann')).toMatchObject({
      id: 'a',
      contact_name: 'Ann Moe',
      email: at('ann'),
      phone: '+44 20 7946 0001',
      beats: 'Climate|=Energy',
      links: 'https://x.com/annmoe|https://www.linkedin.com/in/annmoe',
    });
    const desk = { contact_name: 'News desk', contact_title: '', email: at('news'), phone: '', beats: '', links: '' };
    expect(rows.find((row) => row.contact_id === 'news')).toMatchObject({ ...desk, last_verified_at: '' });
  });

  describe('as leads', () => {
    const tools = ['instantly', 'smartlead', 'lemlist'];

    it.each(tools)(
      'in %s are those with an address that is not invalid, once, and no automatic inbox',
      async (format) => {
        expect(await rowsOf('', { format })).toEqual(['a ann', 'a news', 'b z-dora']);
        expect(await rowsOf('email_status=invalid', { format })).toEqual(['a bob']);
        expect(await rowsOf('named=1', { format })).toEqual(['a ann', 'b z-dora']);
        expect(await rowsOf('id=b', { format })).toEqual(['b other-ann', 'b z-dora']);
      },
    );

    it.each(tools)('in %s with a row of each record are the first of it', async (format) => {
      expect(await rowsOf('', { format, rows: 'records' })).toEqual(['a ann', 'b z-dora']);
      expect(await rowsOf('country=FR', { format, rows: 'records' })).toEqual([]);
      expect(await rowsOf('email_status=invalid', { format, rows: 'records' })).toEqual(['a bob']);
    });

    it('have the page of the contact, never that of a colleague', async () => {
      const rows = await readCsv('id=a', 'lemlist');
      expect(rows.map(({ email, linkedinUrl }) => [email, linkedinUrl]).toSorted()).toEqual([
        [at('ann'), 'https://www.linkedin.com/in/annmoe'],
        [at('news'), ''],
      ]);
    });

    it.each([
      ['contacts', '', { matched: 11, without_email: 6, repeated: 2, sent: 3 }],
      ['contacts', 'named=1&country=GB', { matched: 6, without_email: 2, repeated: 2, sent: 2 }],
      ['records', '', { matched: 5, without_email: 3, repeated: 0, sent: 2 }],
    ] as const)('of a push add up: rows=%s %s', async (rows, search, counts) => {
      const slots = { take: async () => ({ release: async () => {} }) };
      const deps = { index: backend.index, pushMaxLeads: 3, room: new PushRoom(1), slots };
      expect(await rehearsePush(deps, { query: queryOf(search), rows }, key)).toMatchObject(counts);
      await expect.poll(() => backend.holdsScan()).toBe(false);
    });
  });

  it.each([
    ['records', 'writes to a colleague in place', 'ann', ['a news', 'b z-dora']],
    ['records', 'writes to nobody at the address of another lead in place', 'press', ['a ann']],
    ['contacts', 'leaves out the row', 'ann', ['a news', 'b z-dora']],
  ] as const)('as leads of %s %s of who is suppressed meanwhile', async (rows, _, local, expected) => {
    const scan = await begin('', 'lemlist', rows);
    const suppression = { key: suppressionKey('address', at(local)), reason: null, addedAt: now.toISOString() };
    await backend.suppressions.add([suppression]);
    const read = (await Array.fromAsync(scan)).flat().map(({ id, contacts }) => `${id} ${contacts[0]?.id}`);
    await backend.suppressions.remove([suppression.key]);
    await scan.close();
    await backend.settle();
    expect(read.toSorted()).toEqual(expected);
  });

  it('of a medium that is suppressed meanwhile are left out', async () => {
    for (const format of ['csv', 'lemlist']) {
      const scan = await begin('', format, 'contacts');
      const suppression = { key: suppressionKey('record', 'a'), reason: null, addedAt: now.toISOString() };
      await backend.suppressions.add([suppression]);
      const read = (await Array.fromAsync(scan)).flat().map(({ id }) => id);
      await backend.suppressions.remove([suppression.key]);
      await scan.close();
      await backend.settle();
      expect(read).toContain('b');
      expect(read).not.toContain('a');
    }
  });
});
