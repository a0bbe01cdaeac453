import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIndexer } from '#indexer/open-indexer.ts';
import { jobTimeoutMs } from '#src/start/open-backends.ts';
import { engines } from '#testing/engines.ts';
import { newTestDatabase } from '#testing/mongo-database.ts';
import { openProduction } from '#testing/open-production.ts';
import { runCommand } from '#testing/processes.ts';
import { useFolders } from '#testing/use.ts';
import { oldDocuments, putOldDocuments, putOldStore } from './open-old-store.ts';

describe('an embedded store of 1.1', () => {
  const newFolder = useFolders();

  it('is upgraded by the commands that an operator runs, and each says what it does', async () => {
    const dataDir = join(newFolder(), 'data');
    await mkdir(dataDir);
    putOldStore('1.1', dataDir);
    const settings = { MASTHEAD_DATA_DIR: dataDir };
    const check = await runCommand(['admin/main.ts', 'check'], settings);
    expect(check.stdout).toMatch(
      /upgrade: an upgrade is due: keys, orders .*; the search index is built again\. It takes up to/,
    );
    expect(await runCommand(['admin/main.ts', 'upgrade'], settings)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^masthead: Upgrading the store in /),
    });
    const status = await runCommand(['indexer/main.ts', 'status'], settings);
    expect(status.stdout).toMatch(/^Form: +outdated\. To build a new index: npm run indexer -- reindex/m);
    expect(await runCommand(['indexer/main.ts', 'verify'], settings)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/built by other rules .*npm run indexer -- reindex$/m),
    });
    expect((await runCommand(['indexer/main.ts', 'sync'], settings)).stderr).toMatch(
      /built by other rules .*: rebuilding it\./,
    );
    const backends = await openIndexer({ dataDir });
    const { missing, extra, stale } = await backends.maintenance.verify({ repairs: false });
    await backends.close();
    expect({ missing, extra, stale }).toEqual({ missing: 0, extra: 0, stale: 0 });
    expect((await runCommand(['admin/main.ts', 'check'], settings)).stdout).toContain(
      "upgrade: the store has this version's form",
    );
  });
});

const { mongodb, elasticsearch } = engines;

describe.skipIf(!mongodb || !elasticsearch)('a MongoDB store that 1.1 still uses', () => {
  it('gets an index of this version ahead, and only that: the upgrade takes it over with what changed since', async () => {
    const database = newTestDatabase(mongodb ?? '');
    await putOldDocuments('1.1', database);
    const places = { mongodb: mongodb ?? '', elasticsearch: elasticsearch ?? '' };
    const ahead = await openProduction(places, { timeoutMs: jobTimeoutMs, isAhead: true }, database);
    const { index } = await ahead.reindex();
    const untouched = async (name: string) => database.collection(name).find({}, { promoteLongs: false }).toArray();
    for (const [name, documents] of Object.entries(oldDocuments('1.1'))) {
      if (name === 'sync_marks') continue;
      expect((await untouched(name)).map((one) => JSON.stringify(one)).toSorted(), name).toEqual(
        documents.map((one) => JSON.stringify(one)).toSorted(),
      );
    }
    await database.collection('records').updateOne({ _id: 'up-02' }, { $set: { name: 'Bertram Radio' } });

    const upgraded = await openProduction(
      places,
      { timeoutMs: jobTimeoutMs, sharesServer: true, alias: ahead.settings.INDEX_ALIAS },
      database,
    );
    const sync = upgraded.follow();
    await expect.poll(async () => (await upgraded.syncDeps.generations.findLive())?.index).toBe(index);
    await expect.poll(() => upgraded.differences()).toEqual([]);
    await sync.stop();
    expect(sync.said.join()).toMatch(/Following the records with/);
    await ahead.syncDeps.generations.remove(index);
    await upgraded.close();
  });
});
