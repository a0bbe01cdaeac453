import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { KeyedDocument } from '#backends/mongo/mongo-keyed-store.ts';
import type { MongoStore } from '#backends/mongo/open-mongo.ts';
import { engines } from '#testing/engines.ts';
import { newTestDatabase } from '#testing/mongo-database.ts';
import { useOne } from '#testing/use.ts';

const url = engines.mongodb;

describe.skipIf(url === null)('slots that processes share through MongoDB', () => {
  let here: MongoStore;
  let there: MongoStore;
  const database = useOne(
    () => newTestDatabase(url ?? ''),
    async (database) => {
      [here, there] = await Promise.all([database.open(), database.open()]);
    },
  );
  const documents = () => database.collection<KeyedDocument>('work_slots');

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
    const _id = `push ${key} 1`;
    expect(await there.slots.take('push', key, 1)).not.toBeNull();
    const taken = await documents().findOne({ _id });
    const { localTime } = await database.client.db('admin').command({ hello: 1 });
    const left = Number(taken?.expires_at) - Number(localTime);
    expect([left > 0, left <= 30_000]).toEqual([true, true]);

    // As if it had been taken elsewhere, almost half a minute ago; then by another container of this name.
    for (const elsewhere of ['process 1 on a host that is lost', `process 4194304 on ${hostname()} (another)`]) {
      const body = { ...taken?.body, holder: elsewhere, token: randomUUID() };
      await documents().updateOne({ _id }, { $set: { body } });
      expect(await here.slots.take('push', key, 1)).toBeNull();
    }
    await documents().updateOne({ _id }, [{ $set: { expires_at: '$$NOW' } }]);
    expect(await here.slots.take('push', key, 1)).not.toBeNull();
  });
});
