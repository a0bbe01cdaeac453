import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { parseLines } from '#testing/lines.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useService } from './test-service.ts';

const people = madeRecord({
  id: 'outlet-people',
  name: 'People',
  country: 'IE',
  contacts: [
    madeContact({ id: 'desk', name: 'News desk', email: 'news@people.example' }),
    madeContact({ id: 'ann', name: 'Ann Moe', beats: ['Climate'], email: 'ann@people.example' }),
  ],
});

describe('GET /export with rows=contacts', () => {
  const { service, keys } = useService([people, madeRecord({ id: 'outlet-1' })]);
  const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true, record_delimiter: '\r\n' });
  const only = 'rows=contacts&id=outlet-people';

  it('writes a line of JSON for each contact, apart from its record', async () => {
    const file = await service.get(`/api/v1/export?format=ndjson&${only}`, keys.premium).buffer(true).expect(200);
    expect(file.headers['x-total-count']).toBe('2');
    const lines = parseLines(file.text);
    const { body } = await service.get('/api/v1/records/outlet-people', keys.premium).expect(200);
    expect(lines.map(({ contact }) => contact)).toEqual(body.contacts);
    for (const line of lines) {
      expect(Object.keys(line)).toEqual(['contact', 'record']);
      expect(Object.entries(line.record)).toEqual(
        Object.entries(body).filter(([name]) => !/^(?:contact.*|email.*|phone|last_verified_at)$/.test(name)),
      );
    }
    const some = await service.get(`/api/v1/export?format=ndjson&fields=name&${only}`, keys.premium).buffer(true);
    expect(JSON.parse(some.text.split('\n', 1)[0] ?? '').record).toEqual({ id: 'outlet-people', name: 'People' });
  });

  it('writes csv with the id of the contact, and beats and links at the end', async () => {
    const csv = await service.get(`/api/v1/export?${only}&named=1`, keys.pro).expect(200);
    expect(csv.headers['x-total-count']).toBe('1');
    expect(rowsOf(csv.text)).toMatchObject([{ contact_id: 'ann', email: 'ann@people.example', links: '' }]);
    const some = await service.get(`/api/v1/export?${only}&named=1&fields=email`, keys.pro).expect(200);
    expect(some.text).toBe('id,contact_id,email\r\noutlet-people,ann,ann@people.example\r\n');
  });

  it('is refused where it is misspelled, and so are contacts in a file without JSON', async () => {
    const refused = await service.get('/api/v1/export?rows=contact&fields=contacts', keys.pro).expect(400);
    expect(refused.body.errors).toMatchObject([
      { name: 'rows', did_you_mean: 'contacts' },
      { name: 'fields', code: 'not_in_format' },
    ]);
    await service.get('/api/v1/export?format=xlsx&fields=contacts', keys.premium).expect(400);
    await service.get('/api/v1/export?format=ndjson&fields=contacts&id=outlet-1', keys.premium).expect(200);
  });

  it('needs the plan that the file needs', async () => {
    await service.get('/api/v1/export?rows=contacts&format=ndjson', keys.pro).expect(403);
    await service.get('/api/v1/export?rows=contacts&kind=podcast', keys.pro).expect(403);
    const { status } = await service.get('/api/v1/export?rows=contacts');
    expect(status).toBe(401);
  });

  it('stands beside the filters of a push', async () => {
    const campaign = { tool: 'smartlead', campaign_id: '4711', dry_run: true };
    const push = (body: object) => service.post('/api/v1/export/push', keys.premium).send({ ...campaign, ...body });
    const filters = { id: 'outlet-people' };
    const counts = { matched: 2, without_email: 0, repeated: 0, sent: 2 };
    expect((await push({ filters, rows: 'contacts' }).expect(200)).body).toMatchObject(counts);
    for (const rows of ['records', null, undefined]) {
      expect((await push({ filters, rows }).expect(200)).body).toMatchObject({ matched: 1, sent: 1 });
    }
    expect((await push({ rows: 'people' }).expect(400)).body.errors).toMatchObject([{ in: 'body', name: 'rows' }]);
    const among = await push({ filters: { rows: 'contacts' } }).expect(400);
    expect(among.body.errors).toMatchObject([{ name: 'filters.rows' }]);
  });
});

describe('X-Excluded-Count', () => {
  const hosts = ['Ann Moe', 'Bob Roe'].map((name, at) =>
    madeContact({ id: `${at}`, name, email: `${at}@people.example` }),
  );
  const robot = madeContact({ id: 'robot', email: 'no-reply@people.example' });
  const invalid = madeContact({ id: 'gone', name: 'Cem Poe', email: 'cem@people.example', email_status: 'invalid' });
  const { service, keys } = useService([
    madeRecord({ id: 'outlet', contacts: hosts }),
    madeRecord({ id: 'two-hosts', kind: 'podcast', contacts: [...hosts, robot] }),
    madeRecord({ id: 'only-robot', kind: 'podcast', contacts: [robot] }),
    madeRecord({ id: 'invalid', kind: 'newsletter', contacts: [invalid] }),
    madeRecord({ id: 'nobody', kind: 'newsletter' }),
  ]);

  it.each([
    ['media', '', '4'],
    ['contacts', 'rows=contacts', '5'],
    ['media with a lead', 'format=instantly', '1'],
    ['leads', 'format=instantly&rows=contacts', '2'],
    ['leads with an invalid address', 'format=instantly&rows=contacts&email_status=invalid', '1'],
    ['nothing where a kind was given', 'rows=contacts&kind=outlet', '0'],
  ])('counts %s of other kinds', async (_, search, count) => {
    const file = await service.get(`/api/v1/export?${search}`, keys.premium).expect(200);
    expect(file.headers['x-excluded-count']).toBe(count);
  });
});
