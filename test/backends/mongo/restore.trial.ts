import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@elastic/elasticsearch';
import type { Db, Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '#test/engines.ts';
import { newTestDatabase, type TestDatabase } from '#testing/mongo-database.ts';
import { runHere } from '#testing/run-here.ts';
import { type ServiceProcess, startService } from '#testing/run-service.ts';

const { mongodb, elasticsearch } = engines;

/*
 * The drill of docs/operations.md on the production backend. MongoDB's own tools are not at hand in tests: the documents
 * of all collections go out and in by the driver, without indexes and options, which the tools would bring along.
 */
describe.skipIf(!mongodb || !elasticsearch)('a restored MongoDB', () => {
  let folder: string;
  let database: TestDatabase;
  let engine: Client;
  let settings: Record<string, string>;
  let service: ServiceProcess;

  const run = async (...args: string[]) => {
    const ended = await runHere(args, settings);
    expect(ended.code, ended.stderr).toBe(0);
    return ended.stdout;
  };
  const ask = (path: string, init: RequestInit = {}) => fetch(`${service.url}${path}`, init);
  const json = async (path: string, init?: RequestInit) => (await ask(path, init)).json() as Promise<Document>;
  const stop = async () => {
    service.process.kill('SIGKILL');
    await service.ended;
  };
  const dropIndexes = async () => {
    const indexes = await engine.indices.get({ index: `${settings.INDEX_ALIAS}*` });
    for (const index of Object.keys(indexes)) await engine.indices.delete({ index });
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'masthead-restore-'));
    database = newTestDatabase(mongodb ?? '');
    engine = new Client({ node: elasticsearch ?? '' });
    settings = {
      MONGODB_URI: database.uri,
      ELASTICSEARCH_URL: elasticsearch ?? '',
      INDEX_ALIAS: `masthead-restore-${randomUUID().slice(0, 8)}`,
      KEY_PEPPER: 'a pepper for tests only, 32 or more',
      PAYMENTS: 'sandbox',
      MASTHEAD_DATA_DIR: folder,
    };
  });
  afterAll(async () => {
    await stop();
    await dropIndexes();
    await engine.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  it('has records, keys, unclaimed orders and suppressions again, and a rebuilt index', async () => {
    const file = join(folder, 'outlets.ndjson');
    const outlets = ['times', 'post', 'herald'].map((id) => ({ id, kind: 'outlet', name: `The ${id}` }));
    await writeFile(file, outlets.map((outlet) => `${JSON.stringify(outlet)}\n`).join(''));
    await run('indexer/main.ts', 'import', file);
    await run('indexer/main.ts', 'reindex');
    service = await startService(settings);
    const key = (await run('admin/main.ts', 'keys', 'issue', '--tier', 'pro', '--days', '30')).trim();
    const { order_id, claim_token } = await json('/api/v1/checkout', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"tier":"pro"}',
    });
    await ask(`/sandbox/${order_id}/pay`, { method: 'POST' });
    await run('indexer/main.ts', 'suppress', '--record', 'post');
    expect((await ask('/api/v1/records/post')).status).toBe(404);

    const copy = await readAll(database.client.db(database.name));
    await stop();
    await database.client.db(database.name).dropDatabase();
    await dropIndexes();
    await writeAll(database.client.db(database.name), copy);
    await run('indexer/main.ts', 'reindex');
    service = await startService(settings);

    const found = await json('/api/v1/search?sort=name');
    expect(found.results.map(({ id }: Document) => id)).toEqual(['herald', 'times']);
    expect((await ask('/api/v1/me', { headers: { Authorization: `Bearer ${key}` } })).status).toBe(200);
    expect((await json(`/api/v1/orders/${order_id}?claim_token=${claim_token}`)).api_key).toMatch(/^mh_/);
    // Hidden still, and hidden when it is imported once more.
    await run('indexer/main.ts', 'import', file);
    await run('indexer/main.ts', 'reindex');
    expect((await ask('/api/v1/records/post')).status).toBe(404);
    expect((await json('/api/v1/search')).total).toBe(2);
  });
});

async function readAll(db: Db): Promise<Map<string, Document[]>> {
  const copy = new Map<string, Document[]>();
  for (const collection of await db.collections()) {
    copy.set(collection.collectionName, await collection.find().toArray());
  }
  return copy;
}

async function writeAll(db: Db, copy: ReadonlyMap<string, Document[]>): Promise<void> {
  for (const [name, documents] of copy) if (documents.length > 0) await db.collection(name).insertMany(documents);
}
