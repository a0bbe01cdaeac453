import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { forgetContacts } from '#indexer/records/forget-history.ts';
import { idOfOnlyContact } from '#records/contacts/contact-id.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const store = useOne(openEmbeddedForTest);

it('forgetContacts takes the only contact out of a history of before 1.3, with all that the change says of it', async () => {
  const startedAt = '2026-01-01T00:00:00.000Z';
  await store.changes.begin({ id: '1', action: 'set', operator: 'ada', startedAt, undoes: null });
  await store.records.merge([madeRecord({ id: 'a', city: 'Leeds' })]);
  const contact = { contact_name: 'Ann Roe', email: 'ann@old.example' };
  const body = {
    is: 'changed',
    before: { city: 'York', email: null, phone: '+44 113 000' },
    after: { city: 'Leeds', ...contact, phone: null },
  };
  const database = new DatabaseSync(join(store.stored.dataDir, 'masthead.db'));
  database
    .prepare(
      "INSERT INTO changes (change_set, record_id, at, body) SELECT number, 'a', 0, ? FROM change_sets WHERE id = '1'",
    )
    .run(JSON.stringify(body));
  database.close();
  await forgetContacts(store, 'a', new Set(['of somebody else']), []);
  expect(await store.changes.listChangesOf('a', 2)).toMatchObject([body]);
  await forgetContacts(store, 'a', new Set([idOfOnlyContact('a')]), []);
  const [change] = await store.changes.listChangesOf('a', 2);
  expect(change).toMatchObject({ is: 'changed', before: { city: 'York' }, after: { city: 'Leeds' } });
  expect(JSON.stringify(change)).not.toMatch(/ann|113/i);
});
