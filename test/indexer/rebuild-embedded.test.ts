import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MediaRecord } from '#domain/media-record.ts';
import { suppressionKey } from '#domain/suppression.ts';
import { HistoryLost } from '#ports/record-source.ts';
import { type Backends, openBackends } from '#src/start/open-backends.ts';
import { rebuildIndex } from '#src/syncing/rebuild-index.ts';
import { verifyIndex } from '#src/syncing/verify-index.ts';
import { startIndexer } from '#testing/indexer-process.ts';
import { madeRecord } from '#testing/made-record.ts';

const page = { sort: { key: 'name', reversed: false }, offset: 0, limit: 100 } as const;
const everything = { text: null, filters: [] };
const steady = (count: number): MediaRecord[] =>
  Array.from({ length: count }, (_, place) =>
    madeRecord({ id: `s${place}`, name: `Herald ${place}`, country: 'DE', categories: ['arts'], audience: place }),
  );

describe('rebuilding the embedded index', () => {
  let dataDir: string;
  let backends: Backends;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'masthead-rebuild-'));
    backends = await openBackends({ dataDir });
  });
  afterEach(async () => {
    await backends.close();
    await rm(dataDir, { recursive: true });
  });

  const settings = () => ({ MASTHEAD_DATA_DIR: dataDir });
  const reindex = () => startIndexer(['reindex'], settings());
  const total = async () => (await backends.index.search(everything, page, 'masked')).total;
  async function differences(): Promise<number> {
    const { missing, extra, stale } = await verifyIndex(backends.upkeep, { repairs: false });
    return missing + extra + stale;
  }
  function tamper(sql: string): void {
    const database = new DatabaseSync(join(dataDir, 'masthead.db'), { enableForeignKeyConstraints: false });
    try {
      database.exec(sql);
    } finally {
      database.close();
    }
  }

  it('is refused while another is under way, with the name of who does it', async () => {
    const lock = await backends.upkeep.locks.acquire('reindex');
    const run = reindex();
    expect(await run.ended).toBe(1);
    expect(run.output()).toContain(`Another reindex is running: process ${process.pid} on `);
    await lock.release();
  });

  it('has what was written or suppressed while it was built, before anything catches up', async () => {
    const { generations, source } = backends.upkeep;
    await backends.records.merge(['a', 'b', 'c', 'd'].map((id) => madeRecord({ id, name: id })));
    const hidden = { key: suppressionKey('record', 'd'), reason: null, addedAt: new Date().toISOString() };
    await backends.suppressions.add([hidden]);
    const index = await generations.create(new Date());
    const { version } = await source.now();
    const write = (ids: string[]) =>
      generations.write(
        index,
        ids.map((id) => ({ id, version, document: null })),
      );
    await write(['a', 'b', 'c', 'd']);
    await backends.records.merge([{ id: 'a', name: 'A, renamed' }, madeRecord({ id: 'e', name: 'e' })]);
    await backends.records.remove(['b']);
    await backends.suppressions.add([{ ...hidden, key: suppressionKey('record', 'c') }]);
    await backends.suppressions.remove([hidden.key]);
    await generations.publish(index);
    const { records } = await backends.index.search(everything, page, 'masked');
    expect(records.map(({ name }) => name)).toEqual(['A, renamed', 'd', 'e']);
    expect(await differences()).toBe(0);
  });

  it('leaves the tables and indexes as they were, time after time', async () => {
    await backends.records.merge(steady(10));
    const database = new DatabaseSync(join(dataDir, 'masthead.db'), { readOnly: true });
    const parts = () =>
      database
        .prepare("SELECT type, tbl_name, replace(name, '_2', '') AS name FROM sqlite_schema ORDER BY 1, 2, 3")
        .all();
    const before = parts();
    for (let round = 0; round < 3; round += 1) {
      await rebuildIndex(backends.upkeep, { allowsShrink: false });
      expect(parts()).toEqual(before);
    }
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    expect(database.prepare('SELECT count(*) AS states FROM index_journal').get()).toEqual({ states: 1 });
    database.close();
  });

  it.each([
    ['a row that was changed', "UPDATE documents SET country = 'FR' WHERE id = 's3'", { stale: 1 }],
    ['a list that was changed', "DELETE FROM document_lists WHERE record = 3 AND value = 'arts'", { stale: 1 }],
    ['a full text that is lost', 'DELETE FROM search_text WHERE rowid = 5', { stale: 1 }],
    ['rows that an earlier version wrote', 'UPDATE documents SET text_digest = NULL WHERE record < 4', { stale: 3 }],
    ['a row that is lost', "DELETE FROM documents WHERE id = 's4'", { missing: 1 }],
    ['a record that is gone', "DELETE FROM records WHERE id = 's5'", { extra: 1 }],
  ])('mends %s, as verify --repair does, which names it', async (_, sql, found) => {
    await backends.records.merge(steady(20));
    expect(await differences()).toBe(0);
    const none = { missing: 0, extra: 0, stale: 0 };
    for (const mend of [
      () => verifyIndex(backends.upkeep, { repairs: true }),
      () => rebuildIndex(backends.upkeep, { allowsShrink: false }),
    ]) {
      tamper(sql);
      expect(await verifyIndex(backends.upkeep, { repairs: false })).toMatchObject({ ...none, ...found });
      await mend();
      expect(await verifyIndex(backends.upkeep, { repairs: false })).toMatchObject(none);
      expect(await total()).toBe(await backends.records.count());
      await backends.records.merge(steady(20));
    }
  });

  it('puts records that cannot be read apart, with a reason that quotes nothing, and goes on', async () => {
    await backends.records.merge(steady(20));
    tamper(`UPDATE records SET body = '{"id":"s7","name":"secret' WHERE id = 's7'`);
    tamper(`UPDATE records SET body = '["secret"]' WHERE id = 's8'`);
    const { indexed, deadLetters } = await rebuildIndex(backends.upkeep, { allowsShrink: false });
    expect(indexed).toBe(18);
    expect(deadLetters).toBeGreaterThanOrEqual(2);
    expect(await total()).toBe(18);
    const letters = [];
    for await (const { id, reason } of backends.upkeep.deadLetters.scan()) letters.push({ id, reason });
    expect(letters).toEqual([
      { id: 's7', reason: 'its body is not JSON' },
      { id: 's8', reason: 'its body is not a record' },
    ]);
    expect(await differences()).toBe(0);
  });

  it('says that the history is lost where changes were forgotten, or are of another store', async () => {
    const { source } = backends.upkeep;
    const from = await source.now();
    await backends.records.merge(steady(10));
    tamper('DELETE FROM record_changes WHERE change <= 4');
    const follow = async (token: string) => {
      for await (const batch of source.follow({ ...from, token }, AbortSignal.timeout(60_000))) return batch;
      return null;
    };
    await expect(follow(from.token)).rejects.toThrow(HistoryLost);
    await expect(follow('4000')).rejects.toThrow(HistoryLost);
    expect((await follow('4'))?.changed.size).toBe(6);
  });

  it('has nothing to go back to, and says so', async () => {
    const run = startIndexer(['rollback'], settings());
    expect([await run.ended, run.output()]).toEqual([1, expect.stringContaining('There is no earlier index.')]);
  });
});
