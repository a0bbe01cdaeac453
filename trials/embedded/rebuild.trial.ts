import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Maintained, openIndexer } from '../../indexer/open-indexer.ts';
import { startIndexer } from '../../test/support/indexer-process.ts';
import { processEnvironment } from '../../test/support/process-environment.ts';
import { byText, everything, inGermany, page, steady } from '../../test/support/steady-records.ts';

const writer = fileURLToPath(new URL('./write-embedded.ts', import.meta.url));

describe('rebuilding the embedded index in place', () => {
  let dataDir: string;
  let backends: Maintained;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'masthead-rebuild-'));
    backends = await openIndexer({ dataDir });
  });
  afterEach(async () => {
    await backends.close();
    await rm(dataDir, { recursive: true });
  });

  const reindex = () => startIndexer(['reindex'], { MASTHEAD_DATA_DIR: dataDir });
  const total = async () => (await backends.index.search(everything, page, 'masked')).total;
  async function differences(): Promise<number> {
    const { missing, extra, stale } = await backends.maintenance.verify({ repairs: false });
    return missing + extra + stale;
  }
  function inFile<Result>(work: (database: DatabaseSync) => Result): Result {
    const database = new DatabaseSync(join(dataDir, 'masthead.db'));
    try {
      return work(database);
    } finally {
      database.close();
    }
  }
  const readIndexRow = () => inFile((database) => database.prepare('SELECT * FROM search_index').get());
  /** Searches again and again for records that nobody changes. */
  function keepSearching(expected: number) {
    const faults: unknown[] = [];
    let asked = 0;
    let isStopped = false;
    const searching = (async () => {
      while (!isStopped) {
        for (const query of [inGermany, ...byText]) {
          try {
            const { total } = await backends.index.search(query, page, 'masked');
            if (total !== expected) faults.push(total);
          } catch (error) {
            faults.push(error);
          }
          asked += 1;
        }
        await pause(10);
      }
    })();
    const stop = async () => {
      isStopped = true;
      await searching;
      return { asked, faults };
    };
    return { stop };
  }

  it('fails no import, deletion, search or export of other processes', async () => {
    await backends.records.merge(steady(2_000));
    const writing = spawn(process.execPath, [writer, dataDir], { env: processEnvironment() });
    await once(writing.stdout, 'data');
    const searches = keepSearching(2_000);
    const scan = await backends.index.scan(inGermany);
    const exported = new Set<string>();
    const rows = scan[Symbol.asyncIterator]();
    const takeRows = async (batches: number) => {
      for (let taken = 0; taken < batches; taken += 1) {
        const next = await rows.next();
        if (next.done) return;
        for (const { id } of next.value) exported.add(id);
      }
    };
    await takeRows(1);
    for (let round = 0; round < 2; round += 1) {
      const run = reindex();
      expect([await run.ended, run.output()]).toEqual([0, expect.stringContaining('indexed again in place')]);
    }
    await takeRows(Number.POSITIVE_INFINITY);
    const { asked, faults } = await searches.stop();
    writing.kill('SIGTERM');
    const [written] = await once(writing.stdout, 'data');
    await once(writing, 'close');
    expect(Number(String(written))).toBeGreaterThan(50);
    expect(exported.size).toBe(2_000);
    expect(asked).toBeGreaterThan(20);
    expect(faults).toEqual([]);
    expect(await differences()).toBe(0);
    expect(await total()).toBe(await backends.records.count());
  });

  it('leaves every record to be found when its process is killed, and goes on from there when it runs again', async () => {
    await backends.records.merge(steady(3_000));
    inFile((database) => database.exec('UPDATE search_index SET version = 0'));
    const run = reindex();
    await vi.waitUntil(() => Number(readIndexRow()?.renewed_to) >= 500, { timeout: 60_000, interval: 2 });
    run.kill('SIGKILL');
    expect(await run.ended).toBe('SIGKILL');
    const { version, renewed_to } = readIndexRow() ?? {};
    expect(version).toBe(0);
    for (const query of [everything, inGermany, ...byText]) {
      expect((await backends.index.search(query, page, 'masked')).total).toBe(3_000);
    }
    const { read, indexed } = await backends.maintenance.rebuild({ allowsShrink: false });
    expect(read).toBe(3_000 - Number(renewed_to));
    expect(indexed).toBe(3_000);
    expect(await differences()).toBe(0);
  });
});
