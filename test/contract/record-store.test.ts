import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { suppressionKey } from '#records/suppression.ts';
import { storedRecord, type TestStores, testStores } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';

const byNumber = (a: { id: string }, b: { id: string }) => Number(a.id.slice(1)) - Number(b.id.slice(1));

describe.each(testStores)('the record store, $name', ({ open }) => {
  let backend: TestStores;
  beforeEach(async () => {
    backend = await open();
  });
  afterEach(() => backend.close());

  async function readAll(): Promise<MediaRecord[]> {
    const read: MediaRecord[] = [];
    for await (const batch of backend.records.readAll()) read.push(...batch);
    return read;
  }

  it('returns every field of a record as it was saved', async () => {
    const record = madeRecord({
      id: 'full',
      kind: 'outlet',
      name: 'Ünïcode „Herald“ 人民 🗞️',
      aliases: ['UH', 'Вестник'],
      url: 'https://herald.example/',
      description: 'One sentence, another with "quotes" and \\ backslash.',
      language: 'de',
      continent: 'europe',
      country: 'DE',
      country_name: 'Germany',
      region: 'Bayern',
      city: 'München',
      city_size: 'large',
      type: 'newspaper',
      categories: ['business', 'politics'],
      coverage: 'national',
      contact_name: 'Jürgen Groß',
      contact_title: 'Editor',
      email: 'jg@herald.example',
      email_status: 'valid',
      email_source: 'https://herald.example/imprint',
      last_verified_at: '2026-03-01T00:00:00.000Z',
      phone: '+49 89 000000',
      audience: 123_456,
      frequency: 'daily',
      feed_url: 'https://herald.example/feed',
      platform: 'wordpress',
      linkedin_url: 'https://www.linkedin.example/herald',
    });
    expect(await backend.records.merge([record])).toEqual(['created']);
    expect(await storedRecord(backend.stored, 'full')).toEqual(record);
    expect(Object.keys((await storedRecord(backend.stored, 'full')) ?? {})).toEqual(Object.keys(record));
  });

  it('reads all records once, in batches, with what a suppression hides', async () => {
    const made = Array.from({ length: 1_201 }, (_, place) =>
      madeRecord({ id: `r${place}`, email: `e${place}@a.example` }),
    );
    await backend.records.merge(made);
    await backend.suppressions.add([
      { key: suppressionKey('record', 'r7'), reason: null, addedAt: '2026-01-01T00:00:00.000Z' },
    ]);
    const read = [];
    for await (const batch of backend.records.readAll()) read.push(...batch);
    expect(read.toSorted(byNumber)).toEqual(made);
  });

  it('says of each patch whether it created, changed or left a record', async () => {
    await backend.records.merge([madeRecord({ id: 'a', name: 'A' }), madeRecord({ id: 'b', name: 'B' })]);
    const outcomes = await backend.records.merge([
      { id: 'a', city: 'Leeds' },
      { id: 'b', name: 'B' },
      madeRecord({ id: 'c' }),
      { id: 'unheard-of', city: 'Leeds' },
    ]);
    expect(outcomes).toEqual(['updated', 'unchanged', 'created', 'incomplete']);
    expect(await storedRecord(backend.stored, 'unheard-of')).toBeNull();
    expect(await backend.records.count()).toBe(3);
  });

  it('keeps what a patch does not name and clears what it names as unknown', async () => {
    await backend.records.merge([
      madeRecord({ id: 'a', city: 'Leeds', email: 'x@leeds.example', aliases: ['one'], phone: '1' }),
    ]);
    await backend.records.merge([{ id: 'a', phone: null, aliases: [] }]);
    expect(await storedRecord(backend.stored, 'a')).toMatchObject({
      city: 'Leeds',
      email: 'x@leeds.example',
      phone: null,
      aliases: [],
    });
  });

  it('amends records by what they say at that moment, and returns those that exist before and after', async () => {
    const now = {
      id: 'now',
      action: 'check-emails',
      operator: 'ada',
      startedAt: '2026-01-01T00:00:00.000Z',
      undoes: null,
    } as const;
    await backend.changes.begin(now);
    await backend.records.merge([
      madeRecord({ id: 'a', email: 'a@one.example', email_status: 'valid' }),
      madeRecord({ id: 'b', email: 'b@two.example' }),
    ]);
    const ids = ['a', 'none', 'b', 'a'];
    const amendment = ({ email }: MediaRecord) =>
      email?.endsWith('@one.example') ? ({ email_status: 'invalid' } as const) : null;
    const shown = await backend.records.previewAmend(ids, amendment);
    expect(await storedRecord(backend.stored, 'a')).toMatchObject({ email_status: 'valid' });
    const amended = await backend.records.amend(ids, amendment, 'now');
    const statuses = (some: typeof amended) =>
      some.map(({ before, after }) => [before.id, before.email_status, after.email_status]);
    expect(statuses(amended)).toEqual([
      ['a', 'valid', 'invalid'],
      ['b', null, null],
    ]);
    expect(statuses(shown)).toEqual(statuses(amended));
    expect(amended[1]?.after).toBe(amended[1]?.before);
    expect(await storedRecord(backend.stored, 'a')).toMatchObject({ email_status: 'invalid', email: 'a@one.example' });
    expect(await backend.changes.find('now')).toMatchObject({ changes: 1 });
    expect(await backend.records.amend(ids, amendment, 'now')).toMatchObject([
      { before: { email_status: 'invalid' } },
      {},
    ]);
    expect(await backend.records.amend([], amendment, 'now')).toEqual([]);
  });

  it('loses no change when a writer amends what another one merges', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `r${index}`);
    await backend.records.merge(ids.map((id) => madeRecord({ id, email: 'old@one.example' })));
    const startedAt = new Date().toISOString();
    await backend.changes.begin({ id: 'check', action: 'check-emails', operator: 'ada', startedAt, undoes: null });
    await Promise.all([
      backend.records.merge(ids.map((id) => ({ id, email: 'new@two.example' }))),
      backend.records.amend(
        ids,
        ({ email }) => (email === 'old@one.example' ? { email_status: 'invalid' } : null),
        'check',
      ),
    ]);
    const stored = await Promise.all(ids.map((id) => storedRecord(backend.stored, id)));
    for (const record of stored) expect(record).toMatchObject({ email: 'new@two.example', email_status: null });
  });

  it('merges two patches of one record within a batch in order', async () => {
    const outcomes = await backend.records.merge([
      madeRecord({ id: 'a', name: 'First' }),
      { id: 'a', name: 'Second' },
      { id: 'a', name: 'Second' },
    ]);
    expect(outcomes).toEqual(['created', 'updated', 'unchanged']);
    expect(await storedRecord(backend.stored, 'a')).toMatchObject({ name: 'Second' });
    expect(await backend.records.count()).toBe(1);
  });

  it('loses no change when two writers merge into the same records at once', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `r${index}`);
    await backend.records.merge(ids.map((id) => madeRecord({ id })));
    await Promise.all([
      backend.records.merge(ids.map((id) => ({ id, city: 'Leeds' }))),
      backend.records.merge(ids.map((id) => ({ id, phone: '1234' }))),
      backend.records.merge(ids.map((id) => ({ id, platform: 'ghost' }))),
    ]);
    for (const id of ids) {
      expect(await storedRecord(backend.stored, id)).toMatchObject({ city: 'Leeds', phone: '1234', platform: 'ghost' });
    }
  });

  it('previews what a merge would do without doing it', async () => {
    await backend.records.merge([madeRecord({ id: 'a', name: 'A' })]);
    const patches = [
      { id: 'a', city: 'Leeds' },
      { id: 'a', city: 'Leeds' },
      madeRecord({ id: 'b' }),
      { id: 'b', city: 'York' },
      { id: 'unheard-of', city: 'York' },
    ];
    expect(await backend.records.preview(patches)).toEqual([
      'updated',
      'unchanged',
      'created',
      'updated',
      'incomplete',
    ]);
    expect(await storedRecord(backend.stored, 'a')).toMatchObject({ city: null });
    expect(await backend.records.count()).toBe(1);
  });

  it('deletes records by id and says how many existed', async () => {
    await backend.records.merge([madeRecord({ id: 'a' }), madeRecord({ id: 'b' }), madeRecord({ id: 'c' })]);
    expect(await backend.records.remove(['a', 'a', 'b', 'unheard-of'])).toBe(2);
    expect(await storedRecord(backend.stored, 'a')).toBeNull();
    expect(await backend.records.count()).toBe(1);
  });

  it('deletes records by the start of their id, whatever characters it has', async () => {
    await backend.records.merge(
      ['sample-1', 'sample-2', 'sample', 'Sample-3', 'a%b-1', 'axb-1', 'a.b'].map((id) => madeRecord({ id })),
    );
    expect(await backend.records.removeByIdPrefix('sample-')).toBe(2);
    expect(await backend.records.removeByIdPrefix('a%b')).toBe(1);
    expect(await backend.records.removeByIdPrefix('a.b')).toBe(1);
    expect(await backend.records.count()).toBe(3);
  });

  it('reads all records in the order of their ids, each once', async () => {
    const ids = Array.from({ length: 1_200 }, (_, index) => `r${index}`).concat(
      ['', 'Ä', '\u{1f5de}', '\uff21', 'Z'].map((id) => `x${id}`),
    );
    await backend.records.merge(ids.map((id) => madeRecord({ id, email: 'desk@a.example' })));
    const read = await readAll();
    expect(read.map(({ id }) => id)).toEqual(ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect(read[0]).toEqual(await backend.records.find('r0'));
  });

  it('reads all records of an empty store, and stops when the reader does', async () => {
    expect(await readAll()).toEqual([]);
    await backend.records.merge([madeRecord({ id: 'a' })]);
    for await (const _ of backend.records.readAll()) break;
    expect(await backend.records.remove(['a'])).toBe(1);
  });

  it('lets others write while all records are read, and repeats or leaves out none', async () => {
    const ids = Array.from({ length: 1_200 }, (_, index) => `r${String(index).padStart(4, '0')}`);
    await backend.records.merge(ids.map((id) => madeRecord({ id })));
    const read: string[] = [];
    for await (const batch of backend.records.readAll()) {
      read.push(...batch.map(({ id }) => id));
      const last = batch.at(-1)?.id ?? '';
      await backend.records.merge([{ id: last, city: 'Leeds' }, madeRecord({ id: `a${last}` })]);
    }
    expect(read).toEqual(ids);
  });
});
