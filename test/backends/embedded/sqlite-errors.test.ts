import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databasePath } from '#backends/embedded/database.ts';
import { openEmbedded } from '#backends/embedded/open-embedded.ts';
import { WorkerSearchIndex } from '#backends/embedded/search/worker-search-index.ts';
import { runOnIndex, runOnStore } from '#backends/embedded/sqlite-errors.ts';
import { everything, firstPage } from '#search/search-query.ts';
import { Problem } from '#src/problem.ts';
import { useFolder } from '#testing/use.ts';

const page = firstPage(1);

const folder = useFolder();
let database: DatabaseSync;
beforeAll(async () => {
  database = new DatabaseSync(join(folder, 'any.db'), { timeout: 0 });
  database.exec("CREATE TABLE words (word TEXT UNIQUE NOT NULL) STRICT; INSERT INTO words VALUES ('known')");
  database.exec('CREATE VIRTUAL TABLE texts USING fts5 (text)');
});
afterAll(async () => {
  database.close();
});

const failureOf = (work: () => unknown) => runOnStore(work).catch((error: unknown) => error);

it('a lock, a full disk, a missing file, a file that is not a database, and a closed database are outages', async () => {
  const other = new DatabaseSync(join(folder, 'any.db'), { timeout: 0 });
  const closed = new DatabaseSync(':memory:');
  closed.close();
  await writeFile(join(folder, 'no.db'), 'This file holds words and no pages of a database.'.repeat(100));
  const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count);
  other.exec(`PRAGMA max_page_count = ${pages}`);
  const insert = "INSERT INTO words VALUES ('more')";
  database.exec('BEGIN IMMEDIATE');
  const outages = [
    () => other.exec(insert),
    () => new DatabaseSync(join(folder, 'absent.db'), { readOnly: true }),
    () => new DatabaseSync(join(folder, 'no.db')).exec('SELECT * FROM words'),
    () => closed.exec(insert),
    () => database.exec('SELECT * FROM dropped_behind_our_back'),
  ];
  for (const work of outages) {
    expect(await failureOf(work), String(work)).toMatchObject({ code: 'store_unavailable' });
    await expect(runOnIndex(work)).rejects.toMatchObject({ code: 'search_unavailable' });
  }
  database.exec('ROLLBACK');
  const long = 'a'.repeat(50_000);
  expect(await failureOf(() => other.exec(`INSERT INTO words VALUES ('${long}')`))).toMatchObject({
    code: 'store_unavailable',
  });
  other.close();
});

it('a TypeError, a wrong query and a violated constraint are our own errors, and quote nothing', async () => {
  const faults = [
    () => (null as unknown as string[]).length,
    () => database.exec('SELECT nothing FROM words'),
    () => database.exec('SELEKT'),
    () => database.prepare('SELECT * FROM texts WHERE texts MATCH ?').all('jane@example.org AND'),
    () => database.exec("INSERT INTO words VALUES ('known')"),
    () => database.prepare('INSERT INTO words VALUES (?)').run(null),
    () => database.prepare('SELECT ?').get({ no: 'value' } as never),
    () => database.prepare('SELECT 1 LIMIT ?').get('many'),
  ];
  for (const work of faults) {
    const error = await failureOf(work);
    expect(error, String(work)).toBeInstanceOf(Error);
    expect(error, String(work)).not.toBeInstanceOf(Problem);
    expect((error as Error).message).not.toContain('jane');
    expect((error as Error).stack).toContain('sqlite-errors.test.ts');
  }
  await expect(runOnStore(() => 7)).resolves.toBe(7);
});

it('an index whose file cannot be opened is unavailable, and works as soon as the file is back', async () => {
  const dataDir = join(folder, 'late');
  const index = new WorkerSearchIndex(databasePath(dataDir));
  const unavailable = { code: 'search_unavailable' };
  await expect(index.search(everything, page, 'masked')).rejects.toMatchObject(unavailable);
  await expect(index.scan(everything)).rejects.toMatchObject(unavailable);
  expect(await index.findFault()).not.toBeNull();
  const store = openEmbedded(dataDir);
  expect(await index.search(everything, page, 'masked')).toMatchObject({ records: [], total: 0 });
  expect(await index.findFault()).toBeNull();
  await index.close();
  await store.close();
});

it('a closed index answers at once that it is unavailable, and starts no threads', async () => {
  const { index, close } = openEmbedded(join(folder, 'closed'));
  await index.search(everything, page, 'masked');
  await close();
  const unavailable = { code: 'search_unavailable' };
  await expect(index.search(everything, page, 'masked')).rejects.toMatchObject(unavailable);
  await expect(index.scan(everything)).rejects.toMatchObject(unavailable);
  expect(await index.findFault()).not.toBeNull();
});
