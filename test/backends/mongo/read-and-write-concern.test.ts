import { type CommandStartedEvent, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { claimKey, replaceKey } from '#accounts/change-order.ts';
import { endKey } from '#accounts/stored-key.ts';
import { probeKind } from '#backends/mongo/mongo-health.ts';
import { generationKind } from '#backends/mongo/mongo-index-journal.ts';
import { type MongoStore, openMongo } from '#backends/mongo/open-mongo.ts';
import { keyedKinds } from '#backends/stores.ts';
import { appearanceOf } from '#records/change-feed.ts';
import type { KeyedKind } from '#records/keyed-store.ts';
import { engines } from '#testing/engines.ts';
import { madeCheckoutEvent, madeKey, madeOrder, madePaymentEvent } from '#testing/made-order.ts';
import { madeRecord } from '#testing/made-record.ts';
import { newTestDatabase } from '#testing/mongo-database.ts';
import { useOne } from '#testing/use.ts';

const url = engines.mongodb;
const now = new Date('2026-03-01T10:06:00.000Z');
const reads = ['find', 'aggregate', 'count', 'distinct'];
const writes = ['insert', 'update', 'delete', 'findAndModify', 'createIndexes', 'commitTransaction'];

describe.skipIf(url === null)('with a URI that asks for secondaries and a single acknowledgement', () => {
  const database = useOne(() => newTestDatabase(url ?? ''));
  let store: MongoStore;
  const sent: CommandStartedEvent[] = [];

  beforeAll(async () => {
    const connect = vi.spyOn(MongoClient.prototype, 'connect').mockImplementation(function (this: MongoClient) {
      this.on('commandStarted', (event) => sent.push(event));
      connect.mockRestore();
      return this.connect();
    });
    const end = 'readPreference=secondaryPreferred&w=1&journal=false&monitorCommands=true';
    store = await openMongo({
      uri: `${database.uri}${database.uri.includes('?') ? '&' : '?'}${end}`,
      logLine: () => {},
    });
    await useEveryStore(store);
  });
  afterAll(() => store.close());

  const collectionOf = ({ command, commandName }: CommandStartedEvent) => String(command[commandName]);

  it('this test reads and writes every collection', async () => {
    const used = (names: readonly string[]) =>
      new Set(sent.filter(({ commandName }) => names.includes(commandName)).map(collectionOf));
    const all = (await database.client.db(database.name).listCollections().toArray()).map(({ name }) => name);
    expect(all.length).toBeGreaterThan(15);
    // Marks are read by the change stream.
    expect(all.filter((name) => !used(reads).has(name) || !used(writes).has(name))).toEqual(['sync_marks']);
  });

  it('every read is from the primary', () => {
    // To a server in Docker the client connects directly, and the driver then sends primaryPreferred for primary.
    const isDirect = url?.includes('directConnection=true');
    const asked = sent.filter(({ commandName }) => [...reads, 'getMore'].includes(commandName));
    for (const { command, commandName } of asked) {
      const { mode = 'primary' } = command.$readPreference ?? {};
      expect(
        isDirect ? ['primary', 'primaryPreferred'] : ['primary'],
        `${commandName} ${command[commandName]}`,
      ).toContain(mode);
    }
  });

  it('every write waits for a majority, except request counts, which wait for one server', () => {
    for (const event of sent.filter(({ commandName }) => writes.includes(commandName))) {
      const { command, commandName } = event;
      const isWithinTransaction = command.autocommit === false && commandName !== 'commitTransaction';
      const isCount = collectionOf(event) === 'rate_limits' && commandName !== 'createIndexes';
      const expected = isCount ? { w: 1, j: false } : { w: 'majority' };
      const what = `${commandName} ${collectionOf(event)}`;
      if (isWithinTransaction) expect(command.writeConcern, what).toBeUndefined();
      else expect(command.writeConcern, what).toMatchObject(expected);
    }
  });
});

async function useEveryStore(store: MongoStore): Promise<void> {
  const { records, changes, mergedIds, keys, orders, pepper, audit, suppressions, syncDeps } = store;
  const startedAt = now.toISOString();
  await changes.begin({ id: '1', action: 'import', operator: 'ada', startedAt, undoes: null });
  await records.merge([madeRecord({ id: 'a' })], '1');
  await records.merge([madeRecord({ id: 'b' })], '1');
  await records.mergeDuplicates('a', ['b'], '1');
  await mergedIds.resolve(['b']);
  await changes.end('1', { endedAt: startedAt, files: [], counts: {} });
  await records.revert(await changes.listChangesOf('a', 1), '1');
  await changes.rewrite(['a'], () => null);
  await changes.list();
  await changes.remove('1');
  await records.preview([madeRecord({ id: 'a' })]);
  await records.count();
  await records.remove(['b']);

  const order = madeOrder();
  const [first, second] = [madeKey(), madeKey()];
  await orders.save(order);
  await orders.receive(madeCheckoutEvent(order), now);
  await orders.change(order.id, (found) => claimKey(found, first, now));
  await orders.change(order.id, (found) => replaceKey(found, second, now));
  await orders.receive(madePaymentEvent('refunded', `pi_${order.id}`), now);
  await keys.findByHash(second.hash);
  await keys.list('');
  await orders.purge(now);
  await keys.change(second.hash, (key) => endKey(key, startedAt));
  await suppressions.add([{ key: 'domain example.org', reason: null, addedAt: startedAt }]);
  await suppressions.listKeysSince(now);
  await suppressions.remove(['domain example.org']);

  const position = await syncDeps.source.now();
  await syncDeps.source.read(['a']);
  await syncDeps.source.readRange({ after: '', upTo: null }, 10);
  await syncDeps.source.findBoundaries(2);
  await syncDeps.source.count();
  await syncDeps.journal.save({ index: 'i', identity: 'x', position, reachedAt: startedAt });
  const feed = await syncDeps.feed.openWriter();
  const version = await feed.note([appearanceOf('a', madeRecord({ id: 'a' }))]);
  await syncDeps.feed.confirm({ index: 'i', identity: 'x', position, version });
  await syncDeps.deadLetters.save([{ id: 'a', reason: 'none' }], now);
  await syncDeps.deadLetters.findAmong(['a']);
  await syncDeps.deadLetters.removeBefore(now);
  await pepper.replace('q', { audit, operator: 'ada' }, now);
  await store.health.findFault();
  for (const kind of [...keyedKinds, generationKind, probeKind])
    await store.keyed<object>(kind as KeyedKind<object>).find('none');
  await store.openRequestCounter().read('somebody');
  await store.openRequestCounter().add('somebody', 1);
}
