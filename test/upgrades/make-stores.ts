/**
 * Runs old versions of Masthead to make the stores in `stores/`, on both backends. The program itself is theirs: it is checked
 * out with git, with the packages of its lockfile. `node test/upgrades/make-stores.ts FOLDER [VERSION]` needs a folder for the
 * checkouts, and MASTHEAD_TEST_MONGODB_URI and MASTHEAD_TEST_ELASTICSEARCH_URL.
 */
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { BSON, MongoClient } from 'mongodb';
import { fixturePepper, type KnownFacts, liveInOldStore } from './live-in-old-store.ts';
import { checkOut, type OldVersion, oldVersions, runOld, startOld } from './old-version.ts';

const stores = join(import.meta.dirname, 'stores');
const [folder, wanted] = process.argv.slice(2);
const { MASTHEAD_TEST_MONGODB_URI: mongodb, MASTHEAD_TEST_ELASTICSEARCH_URL: elasticsearch } = process.env;
if (folder === undefined || !mongodb || !elasticsearch) {
  throw new Error(
    'Pass a folder for the checkouts, and set MASTHEAD_TEST_MONGODB_URI and MASTHEAD_TEST_ELASTICSEARCH_URL.',
  );
}

await mkdir(stores, { recursive: true });
for (const version of oldVersions) {
  if (wanted !== undefined && version.name !== wanted) continue;
  const checkout = await checkOut(version, folder);
  const work = await mkdtemp(join(tmpdir(), 'masthead-old-'));
  await makeEmbedded(version, checkout, work);
  await makeMongo(version, checkout, work);
  await rm(work, { recursive: true });
}

async function makeEmbedded(version: OldVersion, checkout: string, work: string): Promise<void> {
  const dataDir = join(work, 'data');
  const settings = { MASTHEAD_DATA_DIR: dataDir, KEY_PEPPER: fixturePepper };
  const facts = await liveInOldStore(version, { checkout, settings, folder: work });
  const snapshot = join(work, 'store.db');
  await copyFile(join(dataDir, 'masthead.db'), snapshot);
  const database = new DatabaseSync(snapshot);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  await save(`${version.name}-embedded`, 'db', await readFile(snapshot), facts);
}

/** The documents of all collections, as extended JSON. The index in Elasticsearch is made of them. */
async function makeMongo(version: OldVersion, checkout: string, work: string): Promise<void> {
  const name = `masthead-made-${version.commit}`;
  const uri = (mongodb ?? '').replace(/^(mongodb:\/\/[^/?]+)\/?/, `$1/${name}`);
  const settings = {
    ...{ MONGODB_URI: uri, ELASTICSEARCH_URL: elasticsearch ?? '', INDEX_ALIAS: name, PAYMENTS: 'sandbox' },
    ...{ KEY_PEPPER: fixturePepper, MASTHEAD_DATA_DIR: join(work, 'unused') },
  };
  const client = new MongoClient(uri);
  try {
    await client.db().dropDatabase();
    await runOld(checkout, [version.indexer, 'status'], settings);
    await runOld(checkout, [version.indexer, 'reindex', '--allow-shrink'], settings).catch(() => {});
    const sync = await startOld(checkout, [version.indexer, 'sync'], settings, /Following the records/);
    const facts = await liveInOldStore(version, { checkout, settings, folder: work });
    // Killed, it leaves its lock behind, as in life.
    await sync.stop('SIGKILL');
    const documents: Record<string, unknown[]> = {};
    for (const { collectionName } of await client.db().collections()) {
      documents[collectionName] = await client
        .db()
        .collection(collectionName)
        .find({}, { promoteLongs: false })
        .toArray();
    }
    const json = BSON.EJSON.stringify(documents, { relaxed: false });
    await save(`${version.name}-mongodb`, 'json', Buffer.from(json), facts);
  } finally {
    await client.db().dropDatabase();
    await client.close();
    const indexes = Object.keys((await (await fetch(`${elasticsearch}/${name}-*`)).json()) as object);
    for (const index of indexes) await fetch(`${elasticsearch}/${index}`, { method: 'DELETE' });
  }
}

async function save(name: string, ending: string, content: Buffer, facts: KnownFacts): Promise<void> {
  const packed = gzipSync(content, { level: 9 });
  await writeFile(join(stores, `${name}.${ending}.gz`), packed);
  await writeFile(join(stores, `${name}.facts.json`), `${JSON.stringify(facts, null, 2)}\n`);
  console.log(`${name}: ${packed.length} bytes`);
}
