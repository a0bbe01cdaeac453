import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SlotsDocument } from '#backends/mongo/mongo-work-slots.ts';
import { type MongoStore, openMongo } from '#backends/mongo/open-mongo.ts';
import { engines } from '#test/engines.ts';
import { newTestDatabase, type TestDatabase } from '#testing/mongo-database.ts';

const url = engines.mongodb;

describe.skipIf(url === null)('slots that processes share through MongoDB', () => {
  let database: TestDatabase;
  let here: MongoStore;
  let there: MongoStore;
  const documents = () => database.client.db(database.name).collection<SlotsDocument>('work_slots');

  beforeAll(async () => {
    database = newTestDatabase(url as string);
    const open = () => openMongo({ uri: database.uri, logLine: () => {} });
    [here, there] = await Promise.all([open(), open()]);
  });
  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    await database.drop();
  });

  /** A separate process that takes a slot and then does nothing. */
  async function startHolder(key: string): Promise<ChildProcess> {
    const script = `
      import { openMongo } from '#backends/mongo/open-mongo.ts';
      const { slots } = await openMongo({ uri: process.env.URI, logLine: () => {} });
      const slot = await slots.take('push', '${key}', 2);
      console.log(slot === null ? 'refused' : 'taken');
      setInterval(() => {}, 1_000);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, URI: database.uri },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
    expect(String(said).trim()).toBe('taken');
    return child;
  }

  it('are counted over all processes', async () => {
    const key = randomUUID();
    const one = await here.slots.take('export', key, 2);
    const two = await there.slots.take('export', key, 2);
    expect([one, two]).not.toContain(null);
    expect(await here.slots.take('export', key, 2)).toBeNull();
    expect(await there.slots.take('export', key, 2)).toBeNull();
    await two?.release();
    expect(await here.slots.take('export', key, 2)).not.toBeNull();
  });

  it('are free as soon as the process of this host that held them is killed', async () => {
    const key = randomUUID();
    const holders = [await startHolder(key), await startHolder(key)];
    try {
      expect(await here.slots.take('push', key, 2)).toBeNull();
    } finally {
      for (const holder of holders) {
        holder.kill('SIGKILL');
        await once(holder, 'exit');
      }
    }
    expect(await here.slots.take('push', key, 2)).not.toBeNull();
    expect(await there.slots.take('push', key, 2)).not.toBeNull();
    expect(await there.slots.take('push', key, 2)).toBeNull();
  });

  it('are free within half a minute after another host is lost, when their lease expires', async () => {
    const key = randomUUID();
    const _id = `push ${key}`;
    const slot = await there.slots.take('push', key, 1);
    expect(slot).not.toBeNull();
    const taken = await documents().findOne({ _id });
    const [own] = taken?.slots ?? [];
    const [, space] = /^process \d+ on .* \((.+)\)$/.exec(own?.holder ?? '') ?? [];
    expect(own?.holder).toBe(`process ${process.pid} on ${hostname()} (${space})`);
    const left = Number(own?.expires_at) - Number((await database.client.db('admin').command({ hello: 1 })).localTime);
    expect(left).toBeLessThanOrEqual(30_000);
    expect(left).toBeGreaterThan(0);

    // As if it had been taken elsewhere, almost half a minute ago.
    const elsewhere = { 'slots.0.holder': 'process 1 on a host that is lost', 'slots.0.token': randomUUID() };
    await documents().updateOne({ _id }, { $set: elsewhere });
    expect(await here.slots.take('push', key, 1)).toBeNull();
    // Another container of this name: numbers of its processes say nothing here.
    const namesake = { 'slots.0.holder': `process 4194304 on ${hostname()} (another)`, 'slots.0.token': randomUUID() };
    await documents().updateOne({ _id }, { $set: namesake });
    expect(await here.slots.take('push', key, 1)).toBeNull();
    await documents().updateOne({ _id }, [
      { $set: { slots: { $map: { input: '$slots', in: { $mergeObjects: ['$$this', { expires_at: '$$NOW' }] } } } } },
    ]);
    expect(await here.slots.take('push', key, 1)).not.toBeNull();
  });

  it('leave nothing behind: their documents expire with the last slot', async () => {
    const indexes = await documents().indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 60 }));
    const key = randomUUID();
    const slot = await here.slots.take('export', key, 2);
    expect((await documents().findOne({ _id: `export ${key}` }))?.expires_at).toBeInstanceOf(Date);
    await slot?.release();
    expect((await documents().findOne({ _id: `export ${key}` }))?.slots).toEqual([]);
  });
});
