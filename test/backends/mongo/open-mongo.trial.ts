import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMongo } from '#backends/mongo/open-mongo.ts';
import { findFreePort } from '#testing/engines/probe-engine.ts';
import { startOwnMongod } from '#testing/engines/start-engine.ts';
import { engines, refusalOf } from '#testing/engines.ts';
import { madeRecord } from '#testing/made-record.ts';
import { newTestDatabase } from '#testing/mongo-database.ts';

const url = engines.mongodb;
const secret = 'a-secret-password';
const credentials = { user: 'root', password: secret };

const lines: string[] = [];
const open = (uri: string) => openMongo({ uri, logLine: (line) => lines.push(line) });

const refusal = (uri: string) => refusalOf(open(uri), secret);

describe('opening MongoDB with a wrong URI', () => {
  it.each([
    [`mongodb://user:${secret}@/`, /^MONGODB_URI is invalid/],
    [`mongodb://user:${secret}@db.example:99999/`, /^MONGODB_URI is invalid/],
    [`mongodb://user:${secret}@db.example/?replicaSett=rs0`, /^MONGODB_URI is invalid: .*replicasett/],
    [
      `mongodb://user:${secret}@nowhere..invalid/`,
      /^The host in MONGODB_URI could not be resolved \(nowhere..invalid:27017\)/,
    ],
  ])('%s', async (uri, expected) => {
    expect(await refusal(uri)).toMatch(expected);
  });

  it('names the host of a +srv URI that cannot be resolved, whether or not DNS answers', async () => {
    lines.length = 0;
    const opening = open(`mongodb+srv://user:${secret}@nowhere.invalid/`);
    await opening.then(
      (store) => store.close(),
      (error: Error) => lines.push(error.message),
    );
    expect(lines).toEqual([
      expect.stringMatching(
        /^The host in MONGODB_URI could not be resolved \(nowhere.invalid\)|^MongoDB does not answer at nowhere.invalid /,
      ),
    ]);
    expect(lines.join()).not.toContain(secret);
  });
});

const standalone = await startOwnMongod({ standalone: true });

describe.skipIf(standalone === null)('opening a MongoDB that is not a replica set', () => {
  afterAll(() => standalone?.stop());

  it.each(['', '/', '/?directConnection=true'])('says how to make it one: …%s', async (end) => {
    const address = new URL(standalone?.url ?? '').host;
    expect(await refusal(`mongodb://${address}${end}`)).toMatch(
      /is not a replica set, .* Start mongod with --replSet rs0, then run rs.initiate\(\) once/,
    );
  });
});

const guarded = await startOwnMongod({ credentials });

describe.skipIf(guarded === null)('opening a MongoDB with authentication', () => {
  const uriFor = (user: string, password: string, end = '') =>
    `mongodb://${user}:${password}@${new URL(guarded?.url ?? '').host}/newsroom?replicaSet=rs0&authSource=admin${end}`;
  let admin: MongoClient;
  beforeAll(async () => {
    admin = new MongoClient(uriFor('root', secret));
    const roles = [{ role: 'readWrite', db: 'newsroom' }];
    await admin.db('admin').command({ createUser: 'app', pwd: secret, roles });
  });
  afterAll(async () => {
    await admin.close();
    await guarded?.stop();
  });

  it('rejects a wrong password and an unknown user alike, and shows neither', async () => {
    const expected = 'MongoDB rejected the user or password in MONGODB_URI. Check them.';
    expect(await refusal(uriFor('root', `${secret}-not`))).toBe(expected);
    expect(await refusal(uriFor('nobody', secret))).toBe(expected);
  });

  it('says that it requires a user if the URI has none', async () => {
    const { host } = new URL(guarded?.url ?? '');
    expect(await refusal(`mongodb://${host}/newsroom?replicaSet=rs0`)).toBe(
      'MongoDB requires authentication. Add a user and password to MONGODB_URI.',
    );
  });

  it('says which rights a user lacks to set up a database', async () => {
    expect(await refusal(uriFor('app', secret, '').replace('/newsroom', '/elsewhere'))).toMatch(
      /^The user in MONGODB_URI is not allowed to set up the database\. Grant it readWrite and dbAdmin there/,
    );
  });

  it('needs only readWrite if an earlier start with more rights set up the database', async () => {
    await (await open(uriFor('root', secret))).close();
    const store = await open(uriFor('app', secret));
    expect(await store.records.merge([madeRecord({ id: 'a' })])).toEqual(['created']);
    await store.close();
    expect(await admin.db('newsroom').collection('records').countDocuments()).toBe(1);
  });
});

describe.skipIf(url === null)('opening MongoDB', () => {
  it('sets up a new database once, even if several processes start at the same time', async () => {
    const database = newTestDatabase(url ?? '');
    lines.length = 0;
    const stores = await Promise.all(Array.from({ length: 4 }, () => open(database.uri)));
    // On a busy machine they may have to wait for MongoDB.
    expect(lines.filter((line) => !line.endsWith('; waiting'))).toEqual([]);
    const db = database.client.db();
    expect((await db.collection('records').indexes()).map(({ name }) => name)).toContain('name_key_1');
    expect((await db.collection('api_keys').indexes()).map(({ name }) => name)).toContain('body.createdAt_-1__id_1');
    await Promise.all(stores.map((store) => store.close()));
    await database.close();
  });

  it('uses the database masthead if the URI names none', async () => {
    const { databaseName } = await import('#backends/mongo/connect-mongo.ts');
    expect(databaseName('mongodb://db.example')).toBe('masthead');
    expect(databaseName('mongodb://db.example/?w=1')).toBe('masthead');
    expect(databaseName('mongodb://a:1,b:2/news%20room?w=1')).toBe('news room');
  });
});

describe.skipIf(url === null)('opening a replica set under another name', () => {
  it('says what to check, and waits', async () => {
    lines.length = 0;
    await (await open(`mongodb://${new URL(url ?? '').host}/?replicaSet=other`)).close();
    expect(lines).toEqual([expect.stringMatching(/has no primary of a replica set named other\. .*; waiting$/)]);
  });
});

describe('opening a MongoDB that is down', () => {
  it('says so once, answers store_unavailable meanwhile, and can be closed', async () => {
    lines.length = 0;
    const port = await findFreePort();
    const store = await open(`mongodb://user:${secret}@127.0.0.1:${port}/?replicaSet=rs0`);
    expect(lines).toEqual([`MongoDB does not answer at 127.0.0.1:${port} (connection refused); waiting`]);
    await expect(store.keys.findByHash('x')).rejects.toMatchObject({
      code: 'store_unavailable',
      extras: { headers: { 'Retry-After': expect.stringMatching(/^\d+$/) } },
    });
    await store.close();
    expect(lines).toHaveLength(1);
  });
});
