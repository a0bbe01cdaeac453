import { text as textOf } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { ListChange } from '#accounts/media-list.ts';
import { plans } from '#accounts/plans.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { exportRecords } from '#outbound/export-records.ts';
import { rehearsePush } from '#outbound/push-leads.ts';
import { PushRoom } from '#outbound/work-slots.ts';
import type { KeptContact } from '#records/contacts/contact.ts';
import { newContactId } from '#records/contacts/contact-id.ts';
import { contactSuppressionKey } from '#records/suppression.ts';
import type { RowKind } from '#search/contact-row.ts';
import { createList, openList, openQuery, writeList } from '#search/lists/lists.ts';
import { type ListPageRequest, readList } from '#search/lists/read-list.ts';
import { type Filter, ofRows } from '#search/search-query.ts';
import { countMatches } from '#search/search-records.ts';
import { listFormats } from '#src/encodings/formats.ts';
import { leadTools } from '#src/lead-tools/lead-tools.ts';
import { testBackends } from '#testing/backends.ts';
import { parseLines } from '#testing/lines.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useEach } from '#testing/use.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const key = { hash: 'ada', plan: { tier: 'premium', expiresAt: '2030-01-01T00:00:00.000Z' } } as StoredKey;
const idAt = (medium: string, name: string) => newContactId(medium, { name }, new Set());
const person = (medium: string, name: string, more: Partial<KeptContact> = {}) =>
  madeContact({ id: idAt(medium, name), name, email: `${name.split(' ')[0]}@${medium}.example`, ...more });

const records = [
  madeRecord({
    id: 'a',
    name: 'Daily A',
    contacts: [person('a', 'Ann Moe', { email_status: 'valid' }), person('a', 'Bob Roe'), person('a', 'Cem Poe')],
  }),
  madeRecord({ id: 'b', name: 'Post B', contacts: [person('b', 'Dora Low'), person('b', 'Eve High')] }),
  madeRecord({
    id: 'c',
    name: 'Radio C',
    contacts: [person('c', 'Ann Moe', { email: 'Ann@a.example' }), person('c', 'Finn Fox')],
  }),
];
const formats = listFormats(leadTools);
const pageOf = (number: number, perPage: number) =>
  ({ sort: { key: 'name', reversed: false }, page: number, perPage, statuses: [] }) as const;

/** Contract A18, "Lists", wherever records are stored and searched. */
describe.each(testBackends)('lists of people, $name', ({ open }) => {
  let id: string;
  const backend = useEach(open, async (backend) => {
    await backend.load(records);
    id = (await createList(backend, 'Spring', key, now)).id;
  });

  const write = (change: ListChange) => writeList(backend, { id, version: null, change }, key, now);
  const at = (medium: string, name: string) => ({ id: medium, contactId: idAt(medium, name) });
  const read = async (asked: Partial<ListPageRequest> = {}) => {
    const list = await openList(backend, id, key);
    const { page, rows, count, left } = await readList(backend, { ...pageOf(1, 20), ...asked, list }, { key }, now);
    const shown = rows.map(({ record, contact, entry }) =>
      [record.id, contact?.name ?? (entry.contactId ? 'gone' : 'itself'), entry.note, entry.status]
        .filter((one) => one && one !== 'none')
        .join(' '),
    );
    return { rows: shown, total: page.total, count, left };
  };
  const ofList = () => ({ any: [id], none: [] as string[] });
  const exported = async (rows: RowKind, name = 'csv', filters: readonly Filter[] = [], lists = ofList()) => {
    const format = formats.find((one) => one.name === name);
    if (format === undefined) throw new Error(`there is no format ${name}`);
    const { query, list } = await openQuery(
      { ...backend, now: () => now },
      { text: null, filters, lists },
      { key },
      rows,
    );
    const deps = { plans, index: backend.index, suppressions: backend.suppressions };
    const scan = await exportRecords(deps, { query, format, rows }, key, now);
    const file = await textOf(format.write(scan, { rows, list: list?.byRecord }));
    await scan.close();
    return { total: scan.total, query, file };
  };
  const csv = async (rows: RowKind, filters?: readonly Filter[], lists = ofList()) => {
    const { total, file, query } = await exported(rows, 'csv', filters, lists);
    expect(total).toBe(await countMatches(backend.index, ofRows(query, rows)));
    const lines = parse(file, { columns: true }) as Record<string, string>[];
    expect(lines).toHaveLength(total);
    const shown = lines.map(({ id, contact_name, list_status, list_note }) =>
      [id, contact_name, list_status, list_note].join(' '),
    );
    return shown.map((line) => line.trim()).sort();
  };

  it('hold a medium itself and several of its people, each with a note and a status of its own', async () => {
    await write({ add: [{ ...at('a', 'Bob Roe'), note: 'rang', status: 'replied' }, { id: 'b' }, at('a', 'Ann Moe')] });
    await write({
      add: [
        { id: 'a', note: 'the paper' },
        { ...at('a', 'Ann Moe'), status: 'to_contact' },
      ],
    });
    expect(await read()).toEqual({
      rows: ['a Bob Roe rang replied', 'a Ann Moe to_contact', 'a itself the paper', 'b itself'],
      total: 4,
      count: 4,
      left: 0,
    });
    expect(await read({ statuses: ['replied', 'to_contact'], ...{ page: 2, perPage: 1 } })).toEqual({
      rows: ['a Ann Moe to_contact'],
      total: 2,
      count: 4,
      left: 0,
    });
  });

  it('put whom one can reach first, whatever else their media have', async () => {
    const contacts = [person('d', 'Gus Vau'), person('d', 'Ivy Wu', { email: null })];
    await backend.load([...records, madeRecord({ id: 'd', name: 'Zine D', audience: 9, contacts })]);
    await write({ add: [at('d', 'Ivy Wu'), at('a', 'Bob Roe'), { id: 'd' }] });
    const { rows } = await read({ sort: { key: 'reachable', reversed: false } });
    expect(rows).toEqual(['d itself', 'a Bob Roe', 'd Ivy Wu']);
  });

  it('page entries, not media', async () => {
    await write({ add: [at('a', 'Ann Moe'), at('a', 'Bob Roe'), at('a', 'Cem Poe'), at('c', 'Ann Moe'), { id: 'b' }] });
    const pages = await Promise.all([1, 2, 3].map((page) => read(pageOf(page, 2))));
    expect(pages.flatMap(({ rows }) => rows)).toEqual(['a Ann Moe', 'a Bob Roe', 'a Cem Poe', 'b itself', 'c Ann Moe']);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5]);
  });

  it('lose all entries of a medium, or one of them', async () => {
    const add = [{ id: 'a' }, at('a', 'Ann Moe'), at('a', 'Bob Roe'), { id: 'b' }, at('b', 'Eve High')];
    await write({ add, remove: [] });
    await write({ remove: [at('a', 'Ann Moe'), { id: 'b' }] });
    expect((await read()).rows).toEqual(['a itself', 'a Bob Roe', 'b Eve High']);
    await write({ remove: [{ id: 'a', isWhole: true }] });
    expect((await read()).rows).toEqual(['b Eve High']);
  });

  it('take no contact that the record does not have, and then nothing', async () => {
    const wrong = { add: [{ id: 'b' }, { id: 'a', contactId: idAt('c', 'Finn Fox') }, { id: 'x', contactId: 'y' }] };
    expect(await write(wrong)).toEqual({
      unknown: [
        { place: 1, isContact: true },
        { place: 2, isContact: false },
      ],
    });
    expect((await read()).count).toBe(0);
  });

  it('keep the entry of a contact that is gone or hidden, which can still be noted and removed', async () => {
    await write({ add: [at('a', 'Ann Moe'), at('a', 'Bob Roe'), { ...at('a', 'Cem Poe'), note: 'left' }] });
    const [record] = records;
    const patch = { patches: (record?.contacts ?? []).filter(({ name }) => name !== 'Cem Poe'), areAll: true };
    await backend.records.merge([{ id: 'a', kind: 'outlet', name: 'Daily A', contacts: patch }]);
    const hidden = contactSuppressionKey('a', 'Bob Roe') ?? '';
    await backend.suppressions.add([{ key: hidden, reason: null, addedAt: now.toISOString() }]);
    await backend.settle();
    expect(await read()).toEqual({ rows: ['a Ann Moe', 'a gone', 'a gone left'], total: 3, count: 3, left: 2 });
    expect(await csv('contacts')).toEqual(['a Ann Moe none']);
    await write({ add: [{ ...at('a', 'Cem Poe'), note: 'to Radio C' }], remove: [at('a', 'Bob Roe')] });
    expect(await read()).toMatchObject({ rows: ['a Ann Moe', 'a gone to Radio C'], count: 2, left: 1 });
    await write({ remove: [at('a', 'Ann Moe')] });
    expect(await csv('contacts')).toEqual([]);
  });

  it('lose the people of a medium that is gone', async () => {
    await write({ add: [at('a', 'Ann Moe'), at('a', 'Bob Roe'), at('b', 'Eve High')] });
    await backend.records.remove(['a']);
    await backend.settle();
    expect(await read()).toEqual({ rows: ['b Eve High'], total: 1, count: 1, left: 2 });
    await write({ add: [{ id: 'c' }] });
    expect(await read()).toMatchObject({ rows: ['b Eve High', 'c itself'], count: 2, left: 0 });
  });

  it('follow people of a merged medium to the kept one, where one person is one entry', async () => {
    const add = [{ ...at('c', 'Ann Moe'), note: 'of c' }, at('c', 'Finn Fox'), { ...at('a', 'Ann Moe'), note: 'of a' }];
    await write({ add });
    await backend.changes.begin({
      id: 'set',
      action: 'merge',
      operator: 'ada',
      startedAt: now.toISOString(),
      undoes: null,
    });
    await backend.records.mergeDuplicates('a', ['c'], 'set');
    await backend.settle();
    expect(await read()).toEqual({ rows: ['a Ann Moe of a\nof c', 'a Finn Fox'], total: 2, count: 2, left: 0 });
    await write({ add: [{ ...at('c', 'Ann Moe'), status: 'replied' }], remove: [at('c', 'Finn Fox')] });
    expect(await read()).toMatchObject({ rows: ['a Ann Moe of a\nof c replied'] });
  });

  it('export the contacts that they name, and of media that they name alone all', async () => {
    await write({
      add: [
        { ...at('a', 'Bob Roe'), note: 'rang', status: 'replied' },
        { id: 'b', note: 'both' },
        { id: 'c', note: 'radio' },
        { ...at('c', 'Finn Fox'), note: '=1' },
      ],
    });
    expect(await csv('contacts')).toEqual([
      'a Bob Roe replied rang',
      'b Dora Low none both',
      'b Eve High none both',
      "c Finn Fox none '=1",
    ]);
    expect(await csv('records')).toEqual(['a Ann Moe replied rang', 'b Dora Low none both', 'c Ann Moe none radio']);
    expect(await csv('contacts', [{ field: 'email_status', any: ['valid'], none: [] }])).toEqual([]);
    const lines = parseLines((await exported('contacts', 'ndjson')).file);
    expect(lines.find(({ record }) => record.id === 'a')).toMatchObject({
      contact: { name: 'Bob Roe' },
      list_status: 'replied',
      list_note: 'rang',
    });
  });

  it('are pushed and exported for tools to whom they name, never to a colleague', async () => {
    await write({ add: [at('a', 'Cem Poe'), at('a', 'Bob Roe'), { id: 'b' }] });
    const leads = async (rows: RowKind) => (await exported(rows, 'instantly')).file.match(/\w+@\w\.example/g)?.sort();
    expect(await leads('contacts')).toEqual(['Bob@a.example', 'Cem@a.example', 'Dora@b.example', 'Eve@b.example']);
    expect(await leads('records')).toEqual(['Bob@a.example', 'Dora@b.example']);
    const { query } = await exported('contacts');
    const room = new PushRoom(1);
    const push = (rows: RowKind) =>
      rehearsePush({ index: backend.index, pushMaxLeads: 99, room, slots: backend.slots }, { query, rows }, key);
    expect(await push('contacts')).toMatchObject({ matched: 4, without_email: 0, sent: 4 });
    expect(await push('records')).toMatchObject({ matched: 2, without_email: 0, sent: 2 });
  });

  it('are left out of searches and files: their people alone where rows are contacts, else their media', async () => {
    await write({ add: [at('a', 'Bob Roe'), { id: 'b' }] });
    const without = { any: [], none: [id] };
    expect(await csv('records', [], without)).toEqual(['c Ann Moe']);
    expect(await csv('contacts', [], without)).toEqual(['a Ann Moe', 'a Cem Poe', 'c Ann Moe', 'c Finn Fox']);
    const { file } = await exported('contacts', 'instantly', [], without);
    expect(file.match(/\w+@\w\.example/g)?.sort()).toEqual(['Ann@a.example', 'Cem@a.example', 'Finn@c.example']);
  });

  it('find their media in searches, each once', async () => {
    await write({ add: [at('a', 'Bob Roe'), at('a', 'Ann Moe'), { id: 'b' }] });
    const asked = { text: null, filters: [], lists: ofList() };
    const { query } = await openQuery({ ...backend, now: () => now }, asked, { key });
    expect(await countMatches(backend.index, query)).toBe(2);
  });
});
