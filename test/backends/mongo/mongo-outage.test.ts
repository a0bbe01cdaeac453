import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MongoStore, openMongo } from '#backends/mongo/open-mongo.ts';
import { engines } from '#test/engines.ts';
import { type BreakableProxy, startBreakableProxy } from '#testing/engines/breakable-proxy.ts';
import { eventually } from '#testing/eventually.ts';
import { newTestDatabase, type TestDatabase } from '#testing/mongo-database.ts';

const url = engines.mongodb;
const unavailable = {
  code: 'store_unavailable',
  extras: { headers: { 'Retry-After': expect.stringMatching(/^\d+$/) } },
};

describe.skipIf(url === null)('MongoDB that goes down and comes back', () => {
  let proxy: BreakableProxy;
  let database: TestDatabase;
  let store: MongoStore;
  const lines: string[] = [];
  const open = () => {
    const throughProxy = proxy.url.replace(/\/(?=\?|$)/, `/${database.name}`);
    return openMongo({ uri: throughProxy, logLine: (line) => lines.push(line) });
  };
  const ask = (asked: MongoStore) => asked.keys.findByHash('no such key');

  beforeAll(async () => {
    proxy = await startBreakableProxy(url ?? '');
    database = newTestDatabase(url ?? '');
    store = await open();
  });
  afterAll(async () => {
    await store.close();
    await proxy.close();
    await database.drop();
  });

  it.each(['cut', 'hang'] as const)(
    'is store_unavailable for all callers while it is down (%s), and works again when it is back',
    async (way) => {
      await Promise.all(Array.from({ length: 16 }, () => ask(store)));
      await proxy[way]();
      // Each is answered although the engine is not back: nobody waits for it.
      const refusals = await Promise.all(Array.from({ length: 16 }, () => ask(store).catch((error: unknown) => error)));
      for (const refusal of refusals) expect(refusal).toMatchObject(unavailable);
      await proxy.mend();
      expect(await eventually(() => ask(store))).toBeNull();
    },
  );

  it('is waited for if it is down at the start, and used as soon as it is up', async () => {
    await proxy.cut();
    lines.length = 0;
    const late = await open();
    expect(lines).toEqual([expect.stringMatching(/^MongoDB .*; waiting$/)]);
    await expect(ask(late)).rejects.toMatchObject({ code: 'store_unavailable' });
    await proxy.mend();
    await late.whenPrepared();
    expect(lines.at(-1)).toBe('MongoDB is ready');
    expect(await ask(late)).toBeNull();
    await late.close();
  });
});
