import { describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { suppressionKey } from '#records/suppression.ts';
import { generateSample } from '#sample/generate-sample.ts';
import { storedRecord, testStores } from '#testing/backends.ts';
import { withFirstContact } from '#testing/made-contact.ts';
import { madePatch, madeRecord } from '#testing/made-record.ts';
import { useEach } from '#testing/use.ts';

describe.each(testStores)('the record store, $name', ({ open }) => {
  const backend = useEach(open);

  async function readAll(): Promise<MediaRecord[]> {
    return (await Array.fromAsync(backend.records.readAll())).flat();
  }

  it('returns every field of a record as it was saved', async () => {
    const [sample] = generateSample({ count: 1, seed: 7 });
    const texts = { name: 'Ünïcode „Herald“ 人民 🗞️', aliases: ['$set', '{"$gt":""}'], description: '"a" \\ < b & c' };
    const record = madeRecord({ ...sample, ...texts, id: 'full', kind: 'outlet', audience: 123_456 } as MediaRecord);
    expect(await backend.records.merge([record])).toEqual(['created']);
    expect(await storedRecord(backend.stored, 'full')).toEqual(record);
    expect(Object.keys((await storedRecord(backend.stored, 'full')) ?? {})).toEqual(Object.keys(record));
  });

  it('amends records by what they say at that moment, and returns those that exist before and after', async () => {
    const startedAt = '2026-01-01T00:00:00.000Z';
    await backend.changes.begin({ id: 'now', action: 'check-emails', operator: 'ada', startedAt, undoes: null });
    await backend.records.merge([
      madeRecord({ id: 'a', email: 'a@one.example', email_status: 'valid' }),
      madeRecord({ id: 'b', email: 'b@two.example' }),
    ]);
    const ids = ['a', 'none', 'b', 'a'];
    const amendment = (record: MediaRecord) =>
      record.email?.endsWith('@one.example')
        ? { contacts: withFirstContact(record, { email_status: 'invalid' }) }
        : null;
    const expected = [
      { before: { id: 'a', email_status: 'valid' }, after: { email_status: 'invalid' } },
      { before: { id: 'b' }, after: { email_status: null } },
    ];
    expect(await backend.records.amend(ids, amendment, null)).toMatchObject(expected);
    expect(await storedRecord(backend.stored, 'a')).toMatchObject({ email_status: 'valid' });
    expect(await backend.records.amend(ids, amendment, 'now')).toMatchObject(expected);
    expect(await storedRecord(backend.stored, 'a')).toMatchObject({ email_status: 'invalid', email: 'a@one.example' });
    expect(await backend.changes.find('now')).toMatchObject({ changes: 1 });
  });

  it('loses no change when two writers merge into the same records at once', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `r${index}`);
    await backend.records.merge(ids.map((id) => madeRecord({ id })));
    await Promise.all([
      backend.records.merge(ids.map((id) => ({ id, city: 'Leeds' }))),
      backend.records.merge(ids.map((id) => madePatch({ id, phone: '1234' }))),
      backend.records.merge(ids.map((id) => ({ id, platform: 'ghost' }))),
    ]);
    for (const id of ids) {
      expect(await storedRecord(backend.stored, id)).toMatchObject({ city: 'Leeds', phone: '1234', platform: 'ghost' });
    }
  });

  it('says of each patch whether it creates, changes or leaves a record, and previews that without doing it', async () => {
    await backend.records.merge([madeRecord({ id: 'a', name: 'A' })]);
    const patches = [
      { id: 'a', city: 'Leeds' },
      { id: 'a', city: 'Leeds' },
      madeRecord({ id: 'b' }),
      { id: 'b', city: 'York' },
      { id: 'unheard-of', city: 'York' },
    ];
    const outcomes = ['updated', 'unchanged', 'created', 'updated', 'incomplete'];
    expect(await backend.records.preview(patches)).toEqual(outcomes);
    expect(await storedRecord(backend.stored, 'a')).toMatchObject({ city: null });
    expect(await backend.records.count()).toBe(1);
    expect(await backend.records.merge(patches)).toEqual(outcomes);
    expect(await storedRecord(backend.stored, 'b')).toMatchObject({ city: 'York' });
    expect(await backend.records.count()).toBe(2);
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

  it('reads all records in the order of their ids, each once, with what a suppression hides', async () => {
    const ids = Array.from({ length: 1_200 }, (_, index) => `r${index}`).concat(
      ['', 'Ä', '\u{1f5de}', '\uff21', 'Z'].map((id) => `x${id}`),
    );
    await backend.records.merge(ids.map((id) => madeRecord({ id, email: 'desk@a.example' })));
    const hidden = { key: suppressionKey('record', 'r7'), reason: null, addedAt: '2026-01-01T00:00:00.000Z' };
    await backend.suppressions.add([hidden]);
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
