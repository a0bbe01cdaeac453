import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwnMongod } from '#testing/engines/start-engine.ts';
import { engines } from '#testing/engines.ts';
import { openProduction, type Production } from '#testing/open-production.ts';

const { elasticsearch } = engines;
const mongod = await startOwnMongod({ isForgetful: true });

describe.skipIf(!mongod || !elasticsearch)('a history that MongoDB no longer has', () => {
  let production: Production;
  beforeAll(async () => {
    production = await openProduction({ mongodb: mongod?.url ?? '', elasticsearch: elasticsearch ?? '' });
    await production.collection.insertOne({ _id: 'goes', kind: 'outlet', name: 'Goes' } as never);
    await production.reindex();
    await production.reindex();
    await production.collection.insertOne({ _id: 'comes', kind: 'outlet', name: 'Comes' } as never);
    await production.collection.deleteOne({ _id: 'goes' });
    await writeUntilForgotten();
  });
  afterAll(async () => {
    await production.close();
    await mongod?.stop();
  });

  async function oldest(): Promise<string> {
    const oplog = production.client.db('local').collection('oplog.rs');
    const [first] = await oplog.find().sort({ $natural: 1 }).limit(1).toArray();
    return String(first?.ts);
  }

  async function writeUntilForgotten(): Promise<void> {
    const before = await oldest();
    const notes = production.client.db('others').collection('notes');
    while ((await oldest()) === before) await notes.insertOne({ note: 'x'.repeat(1_000_000) });
  }

  it('makes a rollback refuse, and say what to do instead', async () => {
    await expect(production.maintenance.rollBack(null)).rejects.toThrow(/is too old.*To build a new one: .*reindex/);
    expect(await production.found()).toEqual(['goes']);
  });

  it('makes the sync rebuild the index', async () => {
    const following = production.follow();
    await expect.poll(() => production.found()).toEqual(['comes']);
    expect(following.said).toContainEqual(
      expect.stringMatching(/no longer has all changes.*ChangeStreamHistoryLost.*Rebuilding/),
    );
    await following.stop();
    expect(await production.differences()).toEqual([]);
  });
});
