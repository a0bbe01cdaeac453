import { MongoClient, MongoServerError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { isDuplicateKey, runOnMongo } from '#backends/mongo/mongo-faults.ts';
import { Problem } from '#src/problem.ts';
import { findFreePort } from '#testing/engines/probe-engine.ts';
import { engines } from '#testing/engines.ts';
import { newTestDatabase } from '#testing/mongo-database.ts';
import { useOne } from '#testing/use.ts';

const url = engines.mongodb;

describe.skipIf(url === null)('errors of MongoDB and its driver', () => {
  const database = useOne(
    () => newTestDatabase(url ?? ''),
    (database) => database.collection('people').insertOne({ _id: 'jane@example.org' }),
  );
  const people = () => database.collection('people');

  const failureOf = (work: () => Promise<unknown>) => runOnMongo(work).catch((error: unknown) => error);

  it('are outages if no server answers, answers are late, or the client was closed', async () => {
    const nowhere = `mongodb://127.0.0.1:${await findFreePort()}`;
    const away = new MongoClient(nowhere, { serverSelectionTimeoutMS: 50 });
    const closed = new MongoClient(url as string);
    await closed.connect();
    await closed.close();
    const slow = { $where: 'sleep(2000) || true' };
    const insert = (client: MongoClient) =>
      client
        .db('any')
        .collection('some')
        .bulkWrite([{ insertOne: { document: {} } }]);
    const late = { signal: AbortSignal.timeout(20) };
    const outages = [
      ...[away, closed].flatMap((client) => [() => client.db('any').command({ ping: 1 }), () => insert(client)]),
      () => people().find(slow).maxTimeMS(5).toArray(),
      () => people().find(slow, late).toArray(),
      // The error that Node gives a stream whose peer is gone, and that the driver passes on.
      () =>
        Promise.reject(Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' })),
    ];
    for (const work of outages) {
      expect(await failureOf(work), String(work)).toMatchObject({
        code: 'store_unavailable',
        extras: { headers: { 'Retry-After': '5' } },
      });
    }
    await away.close();
  });

  it.each([
    ['NotWritablePrimary', 10107, true],
    ['Unauthorized', 13, true],
    ['OutOfDiskSpace', 14031, true],
    ['WriteConflict', 112, true],
    ['InvalidOptions', 72, true],
    ['BadValue', 2, false],
    ['DocumentValidationFailure', 121, false],
    ['DuplicateKey', 11000, false],
    ['BSONObjectTooLarge', 10334, false],
    ['Location40324', 40324, false],
  ])('%s (%i) is an outage: %s', async (codeName, code, isOutage) => {
    const error = await failureOf(() => Promise.reject(new MongoServerError({ ok: 0, code, codeName, errmsg: 'x' })));
    expect(error instanceof Problem).toBe(isOutage);
    if (!isOutage) expect((error as Error).message).toBe(`MongoDB: ${codeName}`);
  });

  it('are our own errors if the request is wrong, and quote nothing', async () => {
    const faults = [
      () => people().findOne({ $jane: 'jane@example.org' } as never),
      () => people().insertOne({ _id: 'jane@example.org' }),
      () => people().updateOne({ _id: 'jane@example.org' }, { jane: 1 } as never),
      async () => (null as unknown as string[]).length,
    ];
    for (const work of faults) {
      const error = await failureOf(work);
      expect(error, String(work)).toBeInstanceOf(Error);
      expect(error, String(work)).not.toBeInstanceOf(Problem);
      expect((error as Error).message).not.toContain('@');
    }
    const insert = people().insertOne({ _id: 'jane@example.org' });
    expect(await insert.catch(isDuplicateKey)).toBe(true);
  });
});
