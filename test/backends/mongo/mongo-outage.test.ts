import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MongoStore, openMongo } from '#backends/mongo/open-mongo.ts';
import { Problem } from '#domain/problem.ts';
import type { Engine } from '#test/engines/engine.ts';
import { startOwnEngine } from '#test/engines/own-engine.ts';
import { madeRecord } from '#test/made-record.ts';
import { newTestDatabase, type TestDatabase } from '#test/mongo-database.ts';

const engine = await startOwnEngine('mongodb');

/** Requests at the same time. */
const askers = 16;
/** Connections that are no asker's: those by which the store's driver and the test's own watch the server, and ask it this. */
const watchers = 6;

describe.skipIf(engine === null)('MongoDB that goes away and comes back', () => {
  let mongod: Engine;
  let database: TestDatabase;
  let store: MongoStore;
  const lines: string[] = [];
  const open = () => openMongo({ uri: database.uri, say: (line) => lines.push(line) });

  beforeAll(async () => {
    mongod = engine as Engine;
    database = newTestDatabase(mongod.url);
    store = await open();
  });
  afterAll(async () => {
    await store.close();
    await database.client.close();
    await mongod.stop();
  });

  /** Asks for a key as requests do, over and over, many at a time, until told to stop. */
  function startLoad() {
    const answers: Array<{ error: unknown; startedAt: number; tookMs: number }> = [];
    let isRunning = true;
    const ask = async () => {
      while (isRunning) {
        const startedAt = Date.now();
        const error = await store.keys.findByHash('no such key').then(
          () => null,
          (reason: unknown) => reason,
        );
        answers.push({ error, startedAt, tookMs: Date.now() - startedAt });
        await wait(5);
      }
    };
    const running = Promise.all(Array.from({ length: askers }, ask));
    return {
      answers,
      async stop() {
        isRunning = false;
        await running;
      },
    };
  }

  it.each(['killed', 'hung'])('answers store_unavailable within 2 s while %s, and again within 5 s', async (how) => {
    const load = startLoad();
    const { answers } = load;
    await until(() => answers.length > 100);
    expect(answers.filter(({ error }) => error !== null)).toEqual([]);

    await (how === 'killed' ? mongod.kill() : mongod.pause());
    await until(() => answers.filter(({ error }) => error !== null).length > 32);
    await (how === 'killed' ? mongod.start() : mongod.resume());
    const backAt = Date.now();
    await until(() => answers.some(({ error, startedAt }) => error === null && startedAt > backAt));
    const servedAt = Date.now();
    await until(() => answers.filter(({ startedAt }) => startedAt > servedAt).length > 100);
    await load.stop();

    for (const { error } of answers) {
      if (error === null) continue;
      expect(error).toBeInstanceOf(Problem);
      expect(error).toMatchObject({
        code: 'store_unavailable',
        extras: { headers: { 'Retry-After': expect.stringMatching(/^\d+$/) } },
      });
    }
    expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThan(2_000);
    expect(servedAt - backAt).toBeLessThan(5_000);
    expect(answers.filter(({ error, startedAt }) => error !== null && startedAt > servedAt + 2_000)).toEqual([]);
    expect(await connectionCount(database)).toBeLessThanOrEqual(askers + watchers);
  });

  it('saves no half of a batch when killed in the middle of an import', async () => {
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
    await until(() => saved > 2);
    await mongod.kill();
    expect(await outcome).toMatchObject({ code: 'store_unavailable' });
    await mongod.start();
    const count = await store.records.count();
    // The batch whose commit was cut off may be there, wholly.
    expect([saved * 100, (saved + 1) * 100]).toContain(count);
    await store.records.merge(batch(saved));
    expect(await store.records.count()).toBe((saved + 1) * 100);
  });

  it('is waited for when it is down at the start, and used as soon as it is there', async () => {
    await mongod.kill();
    lines.length = 0;
    const late = await open();
    expect(late.isPrepared()).toBe(false);
    expect(lines).toEqual([expect.stringMatching(/^MongoDB .*; waiting for it$/)]);
    await expect(late.keys.findByHash('no such key')).rejects.toMatchObject({ code: 'store_unavailable' });
    await mongod.start();
    const startedAt = Date.now();
    await late.whenPrepared();
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    expect(late.isPrepared()).toBe(true);
    expect(lines.at(-1)).toBe('MongoDB is ready');
    expect(await late.keys.findByHash('no such key')).toBeNull();
    await late.close();
  });
});

/** Connections to the server, the one that asks not counted. */
async function connectionCount({ client }: TestDatabase): Promise<number> {
  const { connections } = await client.db('admin').command({ serverStatus: 1 });
  return connections.current;
}

/** Asks until the answer is yes; the test's time limit ends it otherwise. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await wait(10);
}
