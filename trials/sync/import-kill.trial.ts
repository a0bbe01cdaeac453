import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MongoStore, openMongo } from '../../src/backends/mongo/open-mongo.ts';
import type { Engine } from '../../test/support/engines/engine.ts';
import { eventually } from '../../test/support/eventually.ts';
import { madeRecord } from '../../test/support/made-record.ts';
import { newTestDatabase, type TestDatabase } from '../../test/support/mongo-database.ts';
import { mongodb } from '../breakable-engines.ts';

describe.skipIf(mongodb === null)('an import into a MongoDB that is killed', () => {
  const mongod = mongodb as Engine;
  let database: TestDatabase;
  let store: MongoStore;
  beforeAll(async () => {
    database = newTestDatabase(mongod.url);
    store = await openMongo({ uri: database.uri, logLine: () => {} });
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  it('never saves half a batch', async () => {
    const batch = (number: number) =>
      Array.from({ length: 100 }, (_, index) => madeRecord({ id: `batch-${number}-${index}` }));
    let saved = 0;
    const importing = (async () => {
      for (let number = 0; ; number += 1) {
        await store.records.merge(batch(number));
        saved = number + 1;
      }
    })();
    const outcome = importing.catch((error: unknown) => error);
    while (saved < 3) await pause(10);
    await mongod.kill();
    const failure = await outcome;
    // Before any check: the other trials use the same MongoDB.
    await mongod.start();
    expect(failure).toMatchObject({ code: 'store_unavailable' });
    const count = await eventually(() => store.records.count());
    // The batch whose commit was cut off may be there, wholly.
    expect([saved * 100, (saved + 1) * 100]).toContain(count);
    await store.records.merge(batch(saved));
    expect(await store.records.count()).toBe((saved + 1) * 100);
  });
});
