import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findLastBackup } from '#backends/backups.ts';
import { productionBackends } from '#testing/backends.ts';
import { engines } from '#testing/engines.ts';
import { madeOrder } from '#testing/made-order.ts';
import { madeRecord } from '#testing/made-record.ts';
import { newTestDatabase } from '#testing/mongo-database.ts';
import { openProduction } from '#testing/open-production.ts';
import { runHere } from '#testing/run-here.ts';
import { useFolder, useOne } from '#testing/use.ts';

const records = Array.from({ length: 1_200 }, (_, at) =>
  madeRecord({ id: `r-${at}`, name: `Herald ${at}`, email: `desk${at}@herald.example`, audience: 3_000_000_000 + at }),
);

/** What is true only of the running service, or of the store that was copied. */
const left = [
  'job_locks',
  'work_slots',
  'write_probes',
  'index_generations',
  'store_identity',
  'rate_limits',
  'sync_marks',
];

// A file without any test fails the run.
if (productionBackends.length === 0) it.skip('needs MongoDB and Elasticsearch');

/* The drill of docs/operations.md, command by command. */
describe.each(productionBackends)('a backup of MongoDB, $name', ({ open }) => {
  const folder = useFolder();
  const store = useOne(open, (backend) => backend.load(records));

  const admin = async (settings: Record<string, string>, ...args: string[]) =>
    runHere(['admin/main.ts', ...args], settings);
  const contentOf = async (client: typeof store.client, database: string) => {
    const db = client.db(database);
    const names = (await db.listCollections().toArray()).map(({ name }) => name).filter((name) => !left.includes(name));
    const all = await Promise.all(
      names.map(
        async (name) => [name, await db.collection(name).find({}, { raw: true }).sort({ _id: 1 }).toArray()] as const,
      ),
    );
    return new Map(all.filter(([, documents]) => documents.length > 0));
  };

  it('restores every document, to the byte, as another store', async () => {
    await store.orders.save(madeOrder({ id: 'an-order' }));
    await runHere(['indexer/main.ts', 'suppress', 'desk7@herald.example'], store.settings);
    const before = await store.identity.find();
    expect(await findLastBackup(store.keyed)).toBeNull();
    const file = join(folder, 'whole.masthead.gz');
    expect(await admin(store.settings, 'backup', file)).toMatchObject({ code: 0, stderr: '' });
    expect(await findLastBackup(store.keyed)).not.toBeNull();

    const empty = newTestDatabase(engines.mongodb ?? '');
    const settings = { ...store.settings, MONGODB_URI: empty.uri };
    expect(await admin(settings, 'restore', file)).toMatchObject({ code: 0, stderr: '' });
    const source = store.collection.dbName;
    const copy = await contentOf(store.client, empty.name);
    const original = await contentOf(store.client, source);
    original.delete('backups');
    expect(copy).toEqual(original);
    expect(copy.get('records')).toHaveLength(1_200);

    const again = await admin(settings, 'restore', file);
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/is not empty: \w+ has documents/);

    const restored = await openProduction(
      { mongodb: engines.mongodb ?? '', elasticsearch: engines.elasticsearch ?? '' },
      {},
      empty,
    );
    onTestFinished(() => restored.close());
    await restored.reindex();
    expect(await restored.found()).toHaveLength(1_000);
    expect(await restored.orders.find('an-order')).toMatchObject({ id: 'an-order' });
    const { id, restoredFrom } = await restored.identity.open();
    expect(id).not.toBe(before);
    expect(restoredFrom).toMatch(/^20\d\d-/);
    expect(await restored.identity.open()).toEqual({ id, restoredFrom: null });
  });

  it('is refused if it is cut off or something else', async () => {
    const file = join(folder, 'cut.masthead.gz');
    await admin(store.settings, 'backup', file);
    const bytes = await readFile(file);
    await writeFile(file, bytes.subarray(0, bytes.length - 100));
    const empty = newTestDatabase(engines.mongodb ?? '');
    const settings = { ...store.settings, MONGODB_URI: empty.uri };
    try {
      const cut = await admin(settings, 'restore', file);
      expect([cut.code, cut.stderr]).toEqual([1, expect.stringMatching(/cut\.masthead\.gz is cut off/)]);
      await writeFile(file, 'name,url\n');
      const other = await admin(settings, 'restore', file);
      expect([other.code, other.stderr]).toEqual([1, expect.stringMatching(/no backup that `admin backup` made/)]);
    } finally {
      await empty.close();
    }
  });
});
