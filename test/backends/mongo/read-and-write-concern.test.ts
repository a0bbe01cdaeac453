import { type CommandStartedEvent, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { claimKey, replaceKey } from '#accounts/change-order.ts';
import { newOrderId } from '#accounts/order.ts';
import { startSession } from '#accounts/session.ts';
import { endKey } from '#accounts/stored-key.ts';
import { type MongoStore, openMongo } from '#backends/mongo/open-mongo.ts';
import { noCounts } from '#outbound/push.ts';
import { engines } from '#testing/engines.ts';
import { madeCheckoutEvent, madeKey, madeOrder, madePaymentEvent } from '#testing/made-order.ts';
import { madeRecord } from '#testing/made-record.ts';
import { newTestDatabase, type TestDatabase } from '#testing/mongo-database.ts';

const url = engines.mongodb;
const now = new Date('2026-03-01T10:06:00.000Z');
const reads = ['find', 'aggregate', 'count', 'distinct'];
const writes = ['insert', 'update', 'delete', 'findAndModify', 'createIndexes', 'commitTransaction'];

describe.skipIf(url === null)('with a URI that asks for secondaries and a single acknowledgement', () => {
  let database: TestDatabase;
  let store: MongoStore;
  const sent: CommandStartedEvent[] = [];

  beforeAll(async () => {
    database = newTestDatabase(url ?? '');
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
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const collectionOf = ({ command, commandName }: CommandStartedEvent) => String(command[commandName]);

  it('this test reads and writes every collection', () => {
    const kinds = (names: readonly string[]) =>
      new Set(sent.filter(({ commandName }) => names.includes(commandName)).map(collectionOf));
    const all = [
      ...[
        'api_keys',
        'audit_log',
        'change_sets',
        'changes',
        'dead_letters',
        'index_generations',
        'job_locks',
        'key_pepper',
        'key_usage',
      ],
      ...[
        'media_lists',
        'merged_ids',
        'orders',
        'page_sessions',
        'payment_events',
        'pushes',
        'rate_limits',
        'records',
        'reservations',
      ],
      ...['store_form', 'suppressions', 'work_slots'],
    ];
    // Marks are read by the change stream.
    expect([...kinds(reads)].filter((name) => name !== '1').toSorted()).toEqual(all);
    const written = [...kinds(writes)].filter((name) => name !== '1');
    expect(written.toSorted()).toEqual([...all, 'sync_marks'].toSorted());
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
  const {
    records,
    changes,
    mergedIds,
    keys,
    orders,
    reservations,
    audit,
    pepper,
    pushes,
    suppressions,
    usage,
    syncDeps,
    openRequestCounter,
    slots,
    lists,
    sessions,
  } = store;
  const startedAt = now.toISOString();
  await changes.begin({ id: '1', action: 'import', operator: 'ada', startedAt, undoes: null });
  await records.merge([madeRecord({ id: 'a' })], '1');
  await records.merge([madeRecord({ id: 'b' })], '1');
  await records.mergeDuplicates('a', ['b'], '1');
  await mergedIds.resolve(['b']);
  await changes.end('1', { endedAt: startedAt, files: [], counts: {} });
  await records.revert(await changes.listChangesOf('a', 1), '1');
  await changes.forget(['a']);
  await changes.size();
  await changes.remove('1');
  await records.merge([madeRecord({ id: 'a' })]);
  await records.preview([madeRecord({ id: 'a' })]);
  await records.count();
  await records.remove(['b']);

  const asked = { key: 'k', request: 'r', subjectId: newOrderId() };
  const reservation = await reservations.reserve(asked, 'a pepper', now);
  await reservations.use(reservation);
  const order = madeOrder({ id: reservation.subjectId });
  const [first, second] = [madeKey(), madeKey()];
  await orders.save(order);
  await reservations.release(reservation);
  await orders.receive(madeCheckoutEvent(order), now);
  await orders.change(order.id, (found) => claimKey(found, first, now));
  await orders.change(order.id, (found) => replaceKey(found, second, now));
  await orders.receive(madePaymentEvent('refunded', `pi_${order.id}`), now);
  await keys.findByHash(second.hash);
  await keys.list('');
  await pepper.findOther('p', now);
  await pepper.find();
  await pepper.replace('q', { audit, operator: 'ada' }, now);
  await orders.purge(now);
  await keys.change(second.hash, (key) => endKey(key, now.toISOString()));

  const at = now.toISOString();
  await audit.append({ at, operator: 'ada', action: 'keys issue', subject: 'mh_12345678', outcome: null });
  await audit.list(1);
  const push = { id: 'psh_1', keyHash: 'h', keyPrefix: 'mh_12345678', tool: 'instantly', campaignId: 'c' } as const;
  const state = { status: 'done', counts: noCounts, details: {}, failure: null, startedAt: at, updatedAt: at } as const;
  await pushes.save({ ...push, ...state });
  await pushes.find(push.id);
  await pushes.list(1);
  await usage.add([
    { keyHash: 'h', date: at.slice(0, 10), lastUsedAt: at, requests: 1, exportedRows: 0, pushedLeads: 0 },
  ]);
  await usage.list('h', at.slice(0, 10));
  await usage.findLastUse('h');
  await suppressions.add([{ key: 'domain example.org', reason: null, addedAt: at }]);
  await suppressions.list();
  await suppressions.listKeysSince(now);
  await suppressions.remove(['domain example.org']);

  const position = await syncDeps.source.now();
  await syncDeps.source.read(['a']);
  await syncDeps.source.readRange({ after: '', upTo: null }, 10);
  await syncDeps.source.findBoundaries(2);
  await syncDeps.source.count();
  const generation = { index: 'i', identity: 'x', isComplete: true, position, reachedAt: at };
  await syncDeps.journal.save(generation);
  await syncDeps.journal.find('i');
  await syncDeps.journal.remove('i');
  await syncDeps.deadLetters.save([{ id: 'a', reason: 'none' }], now);
  await syncDeps.deadLetters.findAmong(['a']);
  await syncDeps.deadLetters.count();
  for await (const _ of syncDeps.deadLetters.scan()) await syncDeps.deadLetters.remove(['a']);
  await syncDeps.deadLetters.removeBefore(now);
  const lock = await syncDeps.locks.acquire('sync');
  await syncDeps.locks.list();
  await lock.release();

  const list = { id: 'l', account: 'h', name: 'L', createdAt: at, updatedAt: at, version: 1, entries: [] };
  await lists.create(list);
  await lists.replace({ ...list, version: 2 });
  await lists.list('h');
  await lists.find('h', 'l');
  await lists.remove('h', 'l', null);
  const { session } = startSession({ hash: 'h', secret: 's' }, 'A browser', now);
  await sessions.save(session);
  await sessions.find(session.hash);
  await sessions.list('h');
  await sessions.remove('h', session.id);
  const slot = await slots.take('export', 'h', 2);
  await slot?.release();

  const counter = openRequestCounter();
  await counter.read('somebody');
  await counter.add('somebody', 1);
}
