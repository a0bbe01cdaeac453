import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endKey } from '#accounts/stored-key.ts';
import { MongoRecordSource } from '#backends/mongo/mongo-record-source.ts';
import { MongoSuppressionList } from '#backends/mongo/mongo-suppression-list.ts';
import { openMongo } from '#backends/mongo/open-mongo.ts';
import { collectionsOf } from '#backends/mongo/prepare-collections.ts';
import { startOwnMongod } from '#testing/engines/start-engine.ts';
import { madeKey } from '#testing/made-order.ts';

const engine = await startOwnMongod({ hasLaggingSecondary: true });
afterAll(() => engine?.stop());

/* The secondary shows nothing after some moment, like a server that was primary until a failover. */
describe.skipIf(engine === null)('with a server that is behind', () => {
  let client: MongoClient;
  let secondary: MongoClient;
  beforeAll(async () => {
    // A read that has to wait for the secondary fails after so long.
    client = new MongoClient(engine?.url ?? '', { socketTimeoutMS: 5_000, retryReads: false });
    const { members } = await client.db('admin').command({ replSetGetStatus: 1 });
    const { name } = members.find(({ stateStr }: { stateStr: string }) => stateStr === 'SECONDARY');
    secondary = new MongoClient(`mongodb://${name}/`, { directConnection: true });
  });
  beforeEach(async () => {
    await catchUp();
    await stopApplying();
  });
  afterAll(async () => {
    await client.close();
    await secondary.close();
  });

  const failPoint = 'rsSyncApplyStop';

  async function catchUp(): Promise<void> {
    await secondary.db('admin').command({ configureFailPoint: failPoint, mode: 'off' });
    await client.db('masthead').collection<{ _id: string }>('records').deleteMany({});
    await client.db('masthead').collection<{ _id: string }>('suppressions').deleteMany({});
    const { insertedId } = await client.db('masthead').collection('steps').insertOne({});
    const steps = secondary.db('masthead').collection('steps', { readConcern: { level: 'majority' } });
    await expect.poll(() => steps.findOne({ _id: insertedId })).not.toBeNull();
  }

  async function stopApplying(): Promise<void> {
    const admin = secondary.db('admin');
    const { count } = await admin.command({ configureFailPoint: failPoint, mode: 'alwaysOn' });
    await admin.command({ waitForFailPoint: failPoint, timesEntered: count + 1, maxTimeMS: 60_000 });
  }

  /** Follows changes on the primary and reads from the secondary. */
  function openSync() {
    const db = client.db('masthead', { readPreference: 'secondary' });
    const primary = client.db('masthead');
    db.watch = primary.watch.bind(primary);
    const source = new MongoRecordSource(db);
    return { source, suppressions: new MongoSuppressionList(collectionsOf(db).suppressions, source) };
  }

  const unavailable = expect.objectContaining({ code: 'store_unavailable' });

  it('a sync that follows the primary does not accept records and suppressions from before a change, and accepts them once the server has it', async () => {
    const before = openSync();
    const start = await before.source.now();
    await insertBoth();
    const { source, suppressions } = openSync();
    // A source that has followed nothing accepts the state of that server.
    expect(await source.read(['a'])).toEqual(new Map());
    expect(await suppressions.listKeysSince(new Date(0))).toEqual(new Set());

    for await (const batch of source.follow(start, new AbortController().signal)) {
      if (batch.hasOtherSuppressions) break;
    }
    await expect(source.read(['a'])).rejects.toEqual(unavailable);
    await expect(source.readRange({ after: '', upTo: null }, 10)).rejects.toEqual(unavailable);
    await expect(suppressions.listKeysSince(new Date(0))).rejects.toEqual(unavailable);

    await secondary.db('admin').command({ configureFailPoint: failPoint, mode: 'off' });
    await expect.poll(() => source.read(['a']).catch(() => null)).toEqual(new Map([['a', expect.anything()]]));
    const keys = () => suppressions.listKeysSince(new Date(0)).catch(() => null);
    await expect.poll(keys).toEqual(new Set(['domain example.org']));
  });

  it('a sync does not accept records from before the mark that it set', async () => {
    await insertBoth();
    const { source } = openSync();
    await source.now();
    await expect(source.read(['a'])).rejects.toEqual(unavailable);
  });

  it('finds keys while the primary hangs, but none from before what was read last, and never that there is none', async () => {
    await secondary.db('admin').command({ configureFailPoint: failPoint, mode: 'off' });
    const { keys, furtherKeys, close } = await openMongo({ uri: engine?.url ?? '', logLine: () => {} });
    const plan = { tier: 'pro', expiresAt: '2027-01-01T00:00:00.000Z' };
    const made = { plan, email: null, orderId: null, createdAt: '2026-01-01T00:00:00.000Z', revokedAt: null };
    const [key, later] = [
      { ...madeKey(), ...made },
      { ...madeKey(), ...made },
    ] as const;
    const further = { ...madeKey(), id: '1', account: key.hash, name: 'A', scopes: [], createdAt: made.createdAt };
    for (const one of [key, later]) await keys.save(one);
    await furtherKeys.change(further.hash, () => further);
    const behind = secondary.db('masthead').collection('further_keys', { readConcern: { level: 'majority' } });
    await expect.poll(() => behind.countDocuments()).toBe(1);
    try {
      await engine?.pause();
      expect(await keys.findByHash(key.hash)).toEqual(key);
      expect([await keys.findByHash(further.hash), await furtherKeys.find(further.hash)]).toEqual([null, further]);
      await expect(keys.findByHash(madeKey().hash)).rejects.toEqual(unavailable);
      await engine?.resume();

      await stopApplying();
      const revoke = () => keys.change(later.hash, (found) => endKey(found, made.createdAt));
      await expect.poll(() => revoke().catch(() => null)).not.toBeNull();
      const find = () => {
        keys.forget();
        return keys.findByHash(later.hash);
      };
      await expect.poll(() => find().catch(() => null)).toMatchObject({ revokedAt: made.createdAt });
      await engine?.pause();
      await expect(find()).rejects.toEqual(unavailable);
    } finally {
      await engine?.resume();
      await close();
    }
  });

  async function insertBoth(): Promise<void> {
    const db = client.db('masthead');
    const records = db.collection<{ _id: string; [field: string]: string }>('records');
    await records.insertOne({ _id: 'a', kind: 'outlet', name: 'A' });
    await collectionsOf(db).suppressions.insertOne({
      _id: 'domain example.org',
      reason: null,
      added_at: '2026-01-01T00:00:00.000Z',
    });
  }
});
