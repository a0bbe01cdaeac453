import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { AuditLog } from '#accounts/audit.ts';
import { SqliteKeyedStore } from '#backends/embedded/store/sqlite-keyed-store.ts';
import { SqliteOrderStore } from '#backends/embedded/store/sqlite-order-store.ts';
import { SqliteRecordStore } from '#backends/embedded/store/sqlite-record-store.ts';
import { tables } from '#backends/embedded/store/upgrade-store.ts';
import { describeStartFault } from '#src/start/describe-start-fault.ts';
import { madeOrder } from '#testing/made-order.ts';
import { madeRecord } from '#testing/made-record.ts';

/** As on a disk without a free page: SQLite returns SQLITE_FULL for both. */
function openFull(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(tables);
  const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count);
  database.exec(`PRAGMA max_page_count = ${pages}`);
  return database;
}

it('a full disk gives store_unavailable, no partial writes, and working reads', async () => {
  const database = openFull();
  const records = new SqliteRecordStore(database);
  const orders = new SqliteOrderStore(database);
  const audit = new AuditLog((kind) => new SqliteKeyedStore(database, kind));
  const unavailable = { code: 'store_unavailable' };
  const long = 'a'.repeat(20_000);
  const many = [madeRecord({ id: 'short' }), madeRecord({ id: 'long', description: long })];

  const fault = await records.merge(many).catch((error: unknown) => error);
  expect(fault).toMatchObject(unavailable);
  // Who runs the command learns more than a caller of the API.
  expect(describeStartFault(fault)).toMatch(
    /masthead\.db in the data folder cannot be used \(.*full\)\. The disk is full\. Make room/,
  );
  expect((fault as Error).message).toMatch(/its disk is full\. The operator .* nothing was changed/);
  await expect(orders.save(madeOrder({ email: long }))).rejects.toMatchObject(unavailable);
  const entry = { at: '', operator: long, action: 'keys issue', subject: '', outcome: null } as const;
  await expect(audit.append(entry)).rejects.toMatchObject(unavailable);

  expect(await records.count()).toBe(0);
  expect(await audit.list(1)).toEqual([]);
  database.close();
  await expect(orders.find('any')).rejects.toMatchObject(unavailable);
});
