import { ObjectId } from 'mongodb';
import { afterEach, describe, expect, it } from 'vitest';
import { suppressionKey } from '#records/suppression.ts';
import { hasEngines, openOnEngines } from '#testing/backends.ts';
import type { Following } from '#testing/open-production.ts';
import { useOne } from '#testing/use.ts';

const outlet = (id: string, name = `Name of ${id}`) => ({ _id: id, kind: 'outlet', name });

describe.skipIf(!hasEngines)('the sync', () => {
  const production = useOne(openOnEngines);
  let syncs: Following[] = [];
  /** The latest line. */
  let said: string[] = [];
  afterEach(async () => {
    await Promise.allSettled(syncs.map((sync) => sync.stop()));
    syncs = [];
  });

  function startSync(): Following {
    const sync = production.follow();
    syncs.push(sync);
    said = sync.said;
    return sync;
  }
  const nameOf = async (id: string) => (await production.index.findMany([id], 'full'))[0]?.name ?? null;
  const position = async () => {
    const served = await production.syncDeps.generations.findLive();
    return production.syncDeps.journal.find(served?.index ?? '');
  };

  it('builds an index if there is none, then shows new, changed and deleted records', async () => {
    await production.collection.insertOne(outlet('a') as never);
    startSync();
    await expect.poll(() => production.found().catch(() => null)).toEqual(['a']);
    await production.collection.insertMany([outlet('b'), outlet('c')] as never[]);
    await expect.poll(() => production.found()).toEqual(['a', 'b', 'c']);
    await production.collection.updateOne({ _id: 'a' }, { $set: { name: 'Another' } });
    await production.collection.replaceOne({ _id: 'b' }, { kind: 'podcast', name: 'Replaced' });
    await production.collection.deleteOne({ _id: 'c' });
    await expect.poll(() => nameOf('a')).toBe('Another');
    await expect.poll(() => nameOf('b')).toBe('Replaced');
    await expect.poll(() => production.found()).toEqual(['a', 'b']);
  });

  it('makes changes searchable itself, without waiting for the engine', async () => {
    startSync();
    const index = (await production.syncDeps.generations.findLive())?.index ?? '';
    const refreshesEvery = (refresh_interval: string | null) =>
      production.engine.indices.putSettings({ index, settings: { refresh_interval } as never });
    await refreshesEvery('-1');
    await production.collection.insertOne(outlet('shown') as never);
    await expect.poll(() => nameOf('shown')).not.toBeNull();
    await production.collection.deleteOne({ _id: 'shown' });
    await expect.poll(() => nameOf('shown')).toBeNull();
    await refreshesEvery(null);
  });

  it('shows the changes of a transaction, even several of one record', async () => {
    startSync();
    const { client } = production;
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await production.collection.insertOne(outlet('t1', 'First') as never, { session });
        await production.collection.insertOne(outlet('t2') as never, { session });
        await production.collection.updateOne({ _id: 't1' }, { $set: { name: 'Last' } }, { session });
        await production.collection.deleteOne({ _id: 't2' }, { session });
      }),
    );
    await expect.poll(() => nameOf('t1')).toBe('Last');
    expect(await nameOf('t2')).toBeNull();
    expect(await production.differences()).toEqual([]);
  });

  it('resumes after a stop where it was, deletions included', async () => {
    const first = startSync();
    await production.collection.insertOne(outlet('kept') as never);
    await expect.poll(() => nameOf('kept')).not.toBeNull();
    await first.stop();
    await production.collection.deleteOne({ _id: 'kept' });
    await production.collection.insertOne(outlet('while it was away') as never);
    startSync();
    await expect.poll(() => nameOf('while it was away')).not.toBeNull();
    expect(await nameOf('kept')).toBeNull();
    expect(said.join('\n')).not.toMatch(/Building/);
  });

  it('hides a record that becomes invalid, and shows it again once it is valid', async () => {
    startSync();
    await production.collection.insertOne(outlet('p') as never);
    await expect.poll(() => nameOf('p')).not.toBeNull();
    await production.collection.updateOne({ _id: 'p' }, { $set: { kind: 'secret@poison.example' } });
    await production.collection.insertOne(outlet('after poison') as never);
    await expect.poll(() => nameOf('after poison')).not.toBeNull();
    expect(await nameOf('p')).toBeNull();
    // It becomes a dead letter once the engine has the batch.
    const findDead = () => production.syncDeps.deadLetters.findAmong(['p', 'after poison']);
    await expect.poll(findDead).toEqual(new Set(['p']));
    await production.collection.updateOne({ _id: 'p' }, { $set: { kind: 'podcast' } });
    await expect.poll(() => nameOf('p')).not.toBeNull();
    await expect.poll(() => production.syncDeps.deadLetters.count()).toBe(0);
  });

  it('makes dead letters of records whose ids are not text, or not possible, whatever they are', async () => {
    startSync();
    const ids = [42, { toString: 'none' }, new ObjectId(), true, new Date(0), '', 'x'.repeat(600)];
    await production.collection.insertMany(ids.map((_id) => ({ ...outlet('x'), _id })) as never);
    await production.collection.insertOne(outlet('42') as never);
    await expect.poll(() => production.syncDeps.deadLetters.count()).toBe(ids.length);
    await expect.poll(() => nameOf('42')).not.toBeNull();
    expect(await production.syncDeps.deadLetters.findAmong(['{"$numberInt":"42"}'])).toHaveProperty('size', 1);
    await production.collection.deleteMany({ _id: { $in: ids as never[] } });
    await expect.poll(() => production.syncDeps.deadLetters.count()).toBe(0);
    expect(await nameOf('42')).not.toBeNull();
    expect(await production.differences()).toEqual([]);
  });

  it('hides what is suppressed, and keeps it out when it is written again', async () => {
    startSync();
    const record = { ...outlet('s'), email: 'Jane@Suppress.example' };
    const contactsOf = async (id: string) => {
      const [found] = await production.index.findMany([id], 'full');
      return found === undefined ? null : { name: found.name, count: found.contact_count };
    };
    await production.collection.insertOne(record as never);
    await expect.poll(() => contactsOf('s')).toMatchObject({ count: 1 });
    const before = (await production.index.findMany(['s'], 'full'))[0]?.updated_at ?? '';
    const key = suppressionKey('address', 'jane@suppress.example');
    await production.syncDeps.suppressions.add([{ key, reason: null, addedAt: new Date().toISOString() }]);
    await expect.poll(() => contactsOf('s')).toMatchObject({ count: 0 });
    const [hidden] = await production.index.findMany(['s'], 'full');
    expect((hidden?.updated_at ?? '') > before).toBe(true);
    await production.collection.updateOne({ _id: 's' }, { $set: { name: 'Again' } });
    await production.collection.insertOne(outlet('after s') as never);
    await expect.poll(() => nameOf('after s')).not.toBeNull();
    await expect.poll(() => contactsOf('s')).toEqual({ name: 'Again', count: 0 });
    expect(await production.differences()).toEqual([]);
  });

  it('switches to the index that a rebuild or a rollback publishes', async () => {
    startSync();
    await expect.poll(() => said.at(-1) ?? '').toMatch(/^Following the records with/);
    const { index } = await production.reindex();
    await production.collection.insertOne(outlet('after rebuild') as never);
    await expect.poll(() => nameOf('after rebuild')).not.toBeNull();
    expect(said.at(-1)).toContain(index);
    const back = await production.maintenance.rollBack(null);
    await production.collection.insertOne(outlet('after rollback') as never);
    await expect.poll(() => nameOf('after rollback')).not.toBeNull();
    expect(said.at(-1)).toContain(back.index);
    expect(await production.differences()).toEqual([]);
  });

  it('rebuilds an index that another version of Masthead built', async () => {
    const before = await production.syncDeps.generations.findLive();
    const _meta = { form: 'of another version' };
    await production.engine.indices.putMapping({ index: before?.index ?? '', _meta });
    startSync();
    await expect
      .poll(() => said.join('\n'))
      .toMatch(/was built by other rules[^\n]*building a new one[\s\S]*Following the records with/);
    const after = await production.syncDeps.generations.findLive();
    expect(after?.index).not.toBe(before?.index);
    await expect(production.maintenance.rollBack(before?.index ?? '')).rejects.toThrow(
      /other rules.*version that built it/,
    );
    expect(await production.differences()).toEqual([]);
  });

  it('advances its position while nothing changes, so it never gets too old', async () => {
    startSync();
    await expect.poll(() => said.at(-1) ?? '').toMatch(/^Following the records with/);
    const before = await position();
    const reachedAt = async () => Date.parse((await position())?.reachedAt ?? '');
    await expect.poll(reachedAt).toBeGreaterThan(Date.parse(before?.reachedAt ?? ''));
  });

  it('refuses to replace the index with an empty one after its collection was dropped, and says what to do', async () => {
    const { ended } = startSync();
    await expect.poll(() => said.at(-1) ?? '').toMatch(/^Following the records with/);
    const served = await production.syncDeps.generations.findLive();
    await production.collection.drop();
    await expect(ended).rejects.toThrow(/The store contains no records.*--allow-shrink/);
    expect((await production.syncDeps.generations.findLive())?.index).toBe(served?.index);
  });
});
