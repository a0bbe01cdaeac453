import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Maintained, openIndexer } from '../../indexer/open-indexer.ts';
import { everything } from '../../src/search/search-query.ts';
import { byText, inGermany, makeDataFolder, page, steady } from '../../test/support/embedded-store.ts';
import { isLong, ofForm } from '../../test/support/form.ts';
import { readMemory } from '../../test/support/process-figures.ts';
import { startIndexer, startService } from '../../test/support/processes.ts';
import { useFolders } from '../../test/support/use.ts';
import { Traffic } from './traffic.ts';

const newFolder = useFolders();
let parent: string;
let dataDir: string;
beforeEach(() => {
  parent = newFolder();
  dataDir = join(parent, 'data');
});

function inFile<Result>(work: (database: DatabaseSync) => Result): Result {
  using database = new DatabaseSync(join(dataDir, 'masthead.db'));
  return work(database);
}

describe('rebuilding the embedded index in place', () => {
  let backends: Maintained;
  beforeEach(async () => {
    backends = await openIndexer({ dataDir });
    return () => backends.close();
  });

  const runIndexer = (args: string[]) => startIndexer(args, { MASTHEAD_DATA_DIR: dataDir });
  const totalOf = async (query: Parameters<typeof backends.index.search>[0]) =>
    (await backends.index.search(query, page, 'masked')).total;
  async function differences(): Promise<number> {
    const { missing, extra, stale } = await backends.maintenance.verify({ repairs: false });
    return missing + extra + stale;
  }

  it('fails no import, search or export of other processes', async () => {
    await backends.records.merge(steady(2_000));
    let isImporting = true;
    let imports = 0;
    const importing = (async () => {
      for (; isImporting; imports += 1) {
        const rows = Array.from({ length: 400 }, (_, place) => `w${place},outlet,Written ${imports} ${place}\n`);
        await writeFile(join(parent, 'written.csv'), `id,kind,name\n${rows.join('')}`);
        const run = runIndexer(['import', join(parent, 'written.csv')]);
        expect([await run.ended, run.output()]).toEqual([0, expect.any(String)]);
      }
    })();
    const asks = [inGermany, ...byText].map((query) => async () => {
      const total = await totalOf(query);
      return total === 2_000 ? null : `${total} found`;
    });
    const traffic = new Traffic(asks, 10);
    const exported = new Set<string>();
    let batches = 0;
    for await (const batch of await backends.index.scan(inGermany)) {
      for (const { id } of batch) exported.add(id);
      batches += 1;
      if (batches > 1) continue;
      while (imports < 3) {
        const run = runIndexer(['reindex']);
        expect([await run.ended, run.output()]).toEqual([0, expect.stringContaining('indexed again in place')]);
      }
    }
    isImporting = false;
    await Promise.all([traffic.stop(), importing]);
    expect([batches > 1, exported.size]).toEqual([true, 2_000]);
    expect(traffic.wrong).toEqual([]);
    // On a busy machine, there may be more searches than the threads can answer.
    expect(traffic.failed.filter((failure) => isLong || !failure.includes('more is asked'))).toEqual([]);
    expect(await differences()).toBe(0);
    expect(await totalOf(everything)).toBe(2_400);
  });

  it('leaves every record to be found when its process is killed, and begins again when it runs again', async () => {
    await backends.records.merge(steady(3_000));
    inFile((database) => database.exec('UPDATE search_index SET version = 0'));
    const readIndexRow = () => inFile((database) => database.prepare('SELECT * FROM search_index').get());
    const start = Number(readIndexRow()?.edition);
    const run = runIndexer(['reindex']);
    await vi.waitUntil(() => Number(readIndexRow()?.edition) >= start + 500, { timeout: 60_000, interval: 2 });
    run.kill('SIGKILL');
    expect(await run.ended).toBe('SIGKILL');
    expect(readIndexRow()?.version).toBe(0);
    for (const query of [everything, inGermany, ...byText]) expect(await totalOf(query)).toBe(3_000);
    const { read, indexed } = await backends.maintenance.rebuild({ allowsShrink: false });
    expect([read, indexed]).toEqual([3_000, 3_000]);
    expect(await differences()).toBe(0);
  });
});

describe('the service on an embedded store', () => {
  /* The long form runs for ten minutes, in which memory must not grow. */
  it('breaks and fails no answer under load, also while it stops', async () => {
    if (!isLong) await makeDataFolder(dataDir);
    const service = await startService({ MASTHEAD_DATA_DIR: dataDir, RATE_LIMIT_ANONYMOUS: '1000000' });
    onTestFinished(() => void service.close());
    // Its threads start with the first search.
    await expect.poll(async () => (await fetch(`${service.url}/api/v1/search`)).status).toBe(200);
    let isStopping = false;
    const asks = ['search?q=radio', 'search?q=health+podcasts&per_page=100', 'facets?kind=podcast', 'plans'].map(
      (path) => async () => {
        const asked = fetch(`${service.url}/api/v1/${path}`, { headers: { Connection: 'close' } });
        const answer = await asked.catch((error) => {
          // It no longer listens.
          if (isStopping) return null;
          throw error;
        });
        if (answer === null) return null;
        const body = await answer.text();
        // On a busy machine, there may be more searches than the threads can answer.
        if (!isLong && body.includes('more is asked')) return null;
        return answer.status === 200 && JSON.parse(body) ? null : `${path}: ${answer.status} ${body.slice(0, 200)}`;
      },
    );
    const traffic = new Traffic(asks, ofForm(10, 50));
    const memory: number[] = [];
    for (let second = 0; second < ofForm(2, 600); second += 1) {
      await pause(1_000);
      memory.push(readMemory(service.process.pid ?? 0) ?? 0);
    }
    isStopping = true;
    service.kill('SIGTERM');
    await pause(1_000);
    await traffic.stop();
    expect(await service.ended, service.output().slice(-2_000)).toBe(0);
    expect(traffic).toMatchObject({ failed: [], wrong: [] });
    expect(traffic.requests).toBeGreaterThan(20);
    // Garbage collection frees a fifth of the memory at a time, so only the maximum says how much is needed.
    if (isLong) expect(Math.max(...memory.slice(-120))).toBeLessThan(1.1 * Math.max(...memory.slice(60, 180)));
  }, 900_000);
});
