import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { databasePath } from '#backends/embedded/database.ts';
import { wantedForms } from '#backends/embedded/index/record-forms.ts';
import type { FieldDefinition } from '#records/field-definition.ts';
import { fields } from '#records/fields.ts';
import { suppressionKey } from '#records/suppression.ts';
import { everything } from '#search/search-query.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { page, steady } from '#testing/embedded-store.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useEach } from '#testing/use.ts';

/* trials/drills/embedded.trial.ts kills its process, and has others write meanwhile. */
describe('rebuilding the embedded index in place', () => {
  const backends = useEach(openEmbeddedForTest);

  const rebuild = () => backends.maintenance.rebuild({ allowsShrink: false });
  const total = async () => (await backends.index.search(everything, page, 'masked')).total;
  const verify = () => backends.maintenance.verify({ repairs: false });
  async function differences(): Promise<number> {
    const { missing, extra, stale } = await verify();
    return missing + extra + stale;
  }
  async function letters() {
    const found = [];
    for await (const { id, reason } of backends.maintenance.readDeadLetters()) found.push({ id, reason });
    return found;
  }
  function inFile<Result>(work: (database: DatabaseSync) => Result): Result {
    using database = new DatabaseSync(databasePath(backends.stored.dataDir), { enableForeignKeyConstraints: false });
    return work(database);
  }
  const tamper = (sql: string) =>
    inFile((database) => {
      database.enableDefensive(false);
      database.exec(sql);
    });
  const readIndexRow = () => inFile((database) => database.prepare('SELECT * FROM search_index').get());
  /** What an earlier version leaves: another form, a filter column that it did not know, and other full text. */
  const age = () =>
    tamper(`
      UPDATE search_index SET version = 0;
      UPDATE documents SET audience = NULL, text_digest = NULL`);
  /** Rebuilds until this many records have the new form. */
  async function rebuildUpTo(reached: number): Promise<void> {
    const stop = new AbortController();
    const onProgress = (phase: string, done: number) => {
      if (phase === 'filling' && done >= reached) stop.abort();
    };
    const rebuilding = backends.maintenance.rebuild({ allowsShrink: false, onProgress, signal: stop.signal });
    await expect(rebuilding).rejects.toThrow('aborted');
  }
  it('leaves the full text of a record that says the same after a change, and writes one that was lost', async () => {
    const texts = () => inFile((database) => database.prepare('SELECT hex(block) FROM search_text_data').all());
    await backends.records.merge([madeRecord({ id: 'a', name: 'Daily Herald' })]);
    const before = texts();
    await backends.records.merge([{ id: 'a', audience: 7 }]);
    expect(texts()).toEqual(before);
    expect(await differences()).toBe(0);
    inFile((database) => database.exec('DELETE FROM search_text'));
    await backends.records.merge([{ id: 'a', audience: 8 }]);
    expect(await differences()).toBe(0);
    await backends.records.merge([{ id: 'a', name: 'Evening Post' }]);
    expect(texts()).not.toEqual(before);
    expect(await differences()).toBe(0);
  });

  it('keeps what is written, deleted and suppressed while it is cut off, behind and before the place where it stopped', async () => {
    const all = steady(1_000);
    await backends.records.merge(all);
    const addedAt = '2026-11-22T08:00:00.000Z';
    const hide = (id: string) => ({ key: suppressionKey('record', id), reason: null, addedAt });
    await backends.maintenance.suppress([hide('s2'), hide('s902')]);
    age();
    await rebuildUpTo(500);
    expect(readIndexRow()).toMatchObject({ version: 0 });
    await backends.records.merge([
      { id: 's0', city: 'Leeds' },
      { id: 's900', city: 'Leeds' },
      madeRecord({ id: 'new' }),
    ]);
    await backends.records.remove(['s1', 's901']);
    await backends.maintenance.suppress([hide('s3'), hide('s903')]);
    await backends.maintenance.unsuppress([hide('s2').key, hide('s902').key]);
    expect(await total()).toBe(997);
    await rebuild();
    expect(await total()).toBe(997);
    expect(await differences()).toBe(0);
    const inLeeds = { text: null, filters: [{ field: 'city', any: ['leeds'], none: [] }] } as const;
    expect((await backends.index.search(inLeeds, page, 'masked')).total).toBe(2);
  });

  it('changes nothing where the index is as it should be', async () => {
    await backends.records.merge(steady(600));
    const tables = () =>
      inFile((database) => [
        database.prepare('SELECT * FROM records ORDER BY record').all(),
        database.prepare('SELECT * FROM documents ORDER BY record').all(),
        database.prepare('SELECT * FROM search_terms').all(),
        database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2').all(),
      ]);
    const before = tables();
    for (let round = 0; round < 3; round += 1) {
      expect(await rebuild()).toMatchObject({ read: 600, indexed: 600, deadLetters: 0 });
      expect(tables()).toEqual(before);
      expect(await differences()).toBe(0);
    }
    inFile((database) => {
      expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
      expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
      database.exec("INSERT INTO search_text (search_text) VALUES ('integrity-check')");
    });
  });

  it.each([
    ['a row that was changed', "UPDATE documents SET country = 'FR' WHERE id = 's3'", { stale: 1 }],
    ['a list that was changed', "UPDATE documents SET categories = '[]' WHERE record = 3", { stale: 1 }],
    ['a full text that is lost', 'DELETE FROM search_text WHERE rowid = 5', { stale: 1 }],
    ['rows that an earlier version wrote', 'UPDATE documents SET text_digest = NULL WHERE record < 4', { stale: 3 }],
    ['a row that is lost', "DELETE FROM documents WHERE id = 's4'", { missing: 1 }],
    ['a record that is gone', "DELETE FROM records WHERE id = 's5'", { extra: 1 }],
  ])('fixes %s, like verify --repair, which names it', async (_, sql, found) => {
    await backends.records.merge(steady(20));
    expect(await differences()).toBe(0);
    const none = { missing: 0, extra: 0, stale: 0 };
    for (const mend of [() => backends.maintenance.verify({ repairs: true }), rebuild]) {
      tamper(sql);
      expect(await verify()).toMatchObject({ ...none, ...found });
      await mend();
      expect(await verify()).toMatchObject(none);
      expect(await total()).toBe(await backends.records.count());
      await backends.records.merge(steady(20));
    }
  });

  it('reports unreadable records, with a reason that quotes nothing, and continues', async () => {
    await backends.records.merge(steady(20));
    tamper(`UPDATE records SET body = '{"id":"s7","name":"secret' WHERE id = 's7'`);
    tamper(`UPDATE records SET body = '["secret"]' WHERE id = 's8'`);
    expect(await rebuild()).toMatchObject({ indexed: 18, deadLetters: 2 });
    expect(await total()).toBe(18);
    expect(await letters()).toEqual([
      { id: 's7', reason: 'its body is not JSON' },
      { id: 's8', reason: 'its body is not a record' },
    ]);
    expect(await differences()).toBe(0);
  });

  it('shows no record that it put apart, whatever is imported of it or taken off the suppressions', async () => {
    const key = suppressionKey('record', 's1');
    await backends.records.merge([...steady(20), madeRecord({ id: 'bad', name: 'quill@harbour.example' })]);
    await backends.maintenance.suppress([{ key, reason: null, addedAt: '2026-11-22T08:00:00.000Z' }]);
    tamper(`UPDATE records SET body = '["secret"]' WHERE id = 's8'`);
    await rebuild();
    expect((await letters()).map(({ id }) => id)).toEqual(['bad', 's8']);
    expect(await backends.maintenance.unsuppress([key])).toEqual({ removed: 1, shown: 1, shown_contacts: 0 });
    expect(await backends.records.merge([{ id: 'bad', city: 'Leeds' }])).toEqual(['incomplete']);
    expect(await backends.index.findMany(['bad', 's8', 's1'], 'full')).toMatchObject([{ id: 's1' }]);
    expect(await backends.records.merge([madeRecord({ id: 'bad', name: 'The Quill' })])).toEqual(['created']);
    expect(await backends.index.findMany(['bad'], 'full')).toMatchObject([{ name: 'The Quill' }]);
  });

  it('is refused, and changes nothing, where far fewer records would be found than now', async () => {
    await backends.records.merge(steady(100));
    tamper("UPDATE records SET body = '{}' WHERE record > 79");
    await expect(rebuild()).rejects.toThrow('would have 79 records, but the live index has 100.');
    expect(await total()).toBe(100);
    expect(await letters()).toEqual([]);
    expect(await backends.maintenance.rebuild({ allowsShrink: true })).toMatchObject({ indexed: 79, deadLetters: 21 });
    tamper('DELETE FROM records');
    await expect(rebuild()).rejects.toThrow('The store contains no records.');
    expect(await backends.maintenance.rebuild({ allowsShrink: true })).toMatchObject({ read: 0, indexed: 0 });
    expect(await total()).toBe(0);
  });

  it('compares all that a search goes by', () => {
    const one = madeRecord({ id: 'a', name: 'Leeds Post', url: 'https://post.example/', email: 'x@post.example' });
    const { contacts, contact_count, ...withoutContacts } = one;
    const byType = { text: 'other', integer: 1, list: ['other'], url: 'https://other.example/', date: '2027-01-01' };
    const byKey: Record<string, string> = {
      country: 'GB',
      language: 'en',
      continent: 'asia',
      email: 'y@other.example',
    };
    const shownAlone = 'country_name, email_source, frequency, platform, linkedin_url, contacts, contact_count'.split(
      ', ',
    );
    for (const field of fields.filter((field) => !shownAlone.includes(field.key))) {
      const { key, type, vocabulary = [] }: FieldDefinition = field;
      const word = type === 'list' ? vocabulary.slice(-1) : vocabulary.at(-1);
      const other = byKey[key] ?? (vocabulary.length > 0 ? word : byType[type as keyof typeof byType]);
      expect(wantedForms(madeRecord({ ...withoutContacts, [key]: other })), key).not.toBe(wantedForms(one));
    }
  });
});
