import { describe, expect, it, vi } from 'vitest';
import { rebuildIndex } from '#indexer/syncing/rebuild-index.ts';
import { suppressionKey } from '#records/suppression.ts';
import { RebuildRefused } from '#search/indexed/index-maintenance.ts';
import { LockTaken } from '#search/job-locks.ts';
import { everything } from '#search/search-query.ts';
import { hasEngines, openOnEngines } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { runCommand } from '#testing/processes.ts';
import { useOne } from '#testing/use.ts';
import { page } from '../../support/embedded-store.ts';

const numbered = (count: number) =>
  Array.from({ length: count }, (_, place) => ({
    _id: `r${String(place).padStart(4, '0')}`,
    kind: 'outlet',
    name: `Record ${place}`,
    updated_at: '2026-01-01T00:00:00.000Z',
  }));

describe.skipIf(!hasEngines)('rebuilding the index', () => {
  const production = useOne(openOnEngines);

  const total = async () => (await production.index.search(everything, page, 'masked')).total;
  const generations = () => production.syncDeps.generations.list();
  async function storeOnly(documents: ReturnType<typeof numbered>): Promise<void> {
    await production.collection.deleteMany({});
    if (documents.length > 0) await production.collection.insertMany(documents);
  }

  it('publishes an empty index if there is nothing yet', async () => {
    const { read, indexed, replaced } = await production.reindex();
    expect({ read, indexed, replaced }).toEqual({ read: 0, indexed: 0, replaced: null });
    expect(await total()).toBe(0);
  });

  it('indexes every record, and keeps the two previous indices', async () => {
    const [empty] = await generations();
    await storeOnly(numbered(600));
    const first = await production.reindex();
    expect(first).toMatchObject({ read: 600, indexed: 600, deadLetters: 0, repaired: 0 });
    expect(await total()).toBe(600);
    const second = await production.reindex();
    expect(second.replaced).toMatchObject({ index: first.index, records: 600 });
    expect(await generations()).toEqual([empty, first.index, second.index]);
    const third = await production.reindex();
    expect(await generations()).toEqual([first.index, second.index, third.index]);
  });

  it('contains every change and deletion made while it ran', async () => {
    await storeOnly(numbered(1_100));
    let changed = 0;
    await rebuildIndex(production.syncDeps, {
      allowsShrink: false,
      // At every step of the filling and behind it.
      onProgress() {
        changed += 1;
        const id = `r${String(changed).padStart(4, '0')}`;
        void production.collection.updateOne({ _id: id }, { $set: { name: `Changed ${changed}` } });
        void production.collection.deleteOne({ _id: `r${String(1_099 - changed).padStart(4, '0')}` });
      },
    });
    expect(changed).toBeGreaterThan(10);
    await production.reindex();
    expect(await production.differences()).toEqual([]);
  });

  it('lists documents that are not records by id with reasons that quote nothing, and continues', async () => {
    const poison = [
      { _id: 'no-name', kind: 'outlet' },
      { _id: 'odd-kind', kind: 'person@secret.example', name: 'secret' },
      { _id: 'wrong types', kind: 4, name: ['secret'] },
      { _id: ' space ', kind: 'outlet', name: 'Space' },
      { _id: 'someone@secret.example', kind: 'nothing', name: 'x' },
    ];
    await production.collection.insertMany(poison);
    await production.collection.insertOne({ kind: 'outlet', name: 'No id' } as never);
    await production.collection.insertOne({
      _id: 'nul',
      kind: 'outlet',
      name: 'Nul\0 Post',
      unknown: { field: true },
      audience: 'many',
    });
    const summary = await production.reindex();
    expect(summary).toMatchObject({ deadLetters: poison.length + 1, repaired: 0 });
    const found = [];
    for await (const letter of production.syncDeps.deadLetters.scan()) found.push(letter);
    expect(found.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['no-name', 'odd-kind', 'wrong types', ' space ']),
    );
    expect(JSON.stringify(found)).not.toContain('secret');
    expect((await production.index.findMany(['nul'], 'full'))[0]?.name).toBe('Nul Post');
    expect(await production.differences()).toEqual([]);

    await production.collection.deleteMany({ _id: { $in: [...poison.map(({ _id }) => _id), 'nul'] } });
    await production.collection.deleteMany({ name: 'No id' });
    await production.reindex();
    expect(await production.syncDeps.deadLetters.count()).toBe(0);
  });

  it('is filled by several threads as by one, dead letters included', async () => {
    await storeOnly(numbered(300));
    await production.collection.insertOne({ _id: 'no-name', kind: 'outlet' });
    const command = ['indexer/main.ts', 'reindex', '--workers', '2', '--allow-shrink', '--json'];
    const { stdout, stderr } = await runCommand(command, production.settings);
    expect(stderr).toMatch(/^masthead: 1 record could not be indexed\./m);
    expect(JSON.parse(stdout)).toMatchObject({ read: 301, indexed: 300, deadLetters: 1, repaired: 0 });
    expect(await production.differences()).toEqual([]);
  });

  it('refuses an index that is empty or much smaller, and leaves everything unchanged', async () => {
    await storeOnly(numbered(50));
    await production.reindex(true);
    const before = await generations();
    await storeOnly([]);
    await expect(production.reindex()).rejects.toThrow(/The store contains no records.*--allow-shrink/);
    await storeOnly(numbered(39));
    const refusal = await production.reindex().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RebuildRefused);
    expect(String(refusal)).toMatch(/would have 39 records.*has 50.*--allow-shrink/);
    await production.collection.deleteMany({});
    await production.collection.insertOne({ _id: 'x', kind: 'x' } as never);
    await expect(production.reindex(true)).rejects.toThrow(/None of the records/);
    expect(await generations()).toEqual(before);
    expect(await total()).toBe(50);
  });

  it('runs in one process at a time: the second says who does it', async () => {
    await storeOnly(numbered(60));
    const outcomes = await Promise.allSettled([production.reindex(), production.reindex()]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refusal = outcomes.find((outcome) => outcome.status === 'rejected')?.reason;
    expect(refusal).toBeInstanceOf(LockTaken);
    expect(refusal.message).toMatch(new RegExp(`^Another reindex is running: process ${process.pid} on .+, since 20`));
    expect(await total()).toBe(60);
  });

  it('leaves everything unchanged if it is interrupted, and the next one deletes what was built', async () => {
    const before = await generations();
    const stop = new AbortController();
    const rebuilding = rebuildIndex(production.syncDeps, {
      allowsShrink: false,
      signal: stop.signal,
      onProgress: (phase) => phase === 'comparing' && stop.abort(new Error('stopped')),
    });
    await expect(rebuilding).rejects.toThrow('stopped');
    expect(await generations()).toEqual(before);
    const leftByAKill = await production.syncDeps.generations.create(new Date());
    expect(await generations()).toContain(leftByAKill);
    await production.reindex();
    expect(await generations()).not.toContain(leftByAKill);
    expect(await total()).toBe(60);
  });

  it('leaves an index alone that a scan still reads', async () => {
    await storeOnly(numbered(600));
    await production.reindex();
    const scan = await production.index.scan(everything);
    await storeOnly(numbered(10));
    for (let again = 0; again < 3; again += 1) await production.reindex(true);
    let read = 0;
    for await (const batch of scan) read += batch.length;
    expect(read).toBe(600);
    expect(await generations()).toHaveLength(4);
    await production.reindex();
    expect(await generations()).toHaveLength(3);
  });

  it('rolls back to the previous index, with every change since and nothing that was suppressed meanwhile', async () => {
    await storeOnly(numbered(100));
    await production.reindex(true);
    const { replaced, index } = await production.reindex();
    const { suppressions } = production.syncDeps;
    await production.records.merge([madeRecord({ id: 'r0001', name: 'Renamed' }), madeRecord({ id: 'new' })]);
    await production.collection.deleteOne({ _id: 'r0002' });
    const key = suppressionKey('record', 'r0003');
    await suppressions.add([{ key, reason: null, addedAt: new Date().toISOString() }]);
    expect(await production.maintenance.rollBack(null)).toEqual({ index: replaced?.index, replaced: index });
    expect(await production.differences()).toEqual([]);
    expect((await production.index.findMany(['r0001'], 'full'))[0]?.name).toBe('Renamed');
    expect(await production.index.findMany(['r0003'], 'full')).toEqual([]);
    await suppressions.remove([key]);
    expect((await production.maintenance.rollBack(index)).index).toBe(index);
    expect(await production.differences()).toEqual([]);
    await expect(production.maintenance.rollBack('masthead-nothing')).rejects.toThrow(/Available: /);
  });

  it('publishes an index on rollback that already has every change, and nothing that is suppressed', async () => {
    await storeOnly(numbered(3));
    const { generations, suppressions, source } = production.syncDeps;
    const key = suppressionKey('record', 'ghost');
    await suppressions.add([{ key, reason: null, addedAt: new Date().toISOString() }]);
    const kept = (await production.reindex(true)).index;
    await production.reindex();
    // As another version could have left it.
    const ghost = generations.prepare({ id: 'ghost', ...(await source.now()), record: madeRecord({ id: 'ghost' }) });
    await generations.write(kept, [ghost]);
    await production.collection.updateOne({ _id: 'r0001' }, { $set: { name: 'Changed Before' } });

    const publish = generations.publish.bind(generations);
    let published: Record<string, string> = {};
    vi.spyOn(generations, 'publish').mockImplementationOnce(async (index) => {
      const { hits } = await production.engine.search<{ record: { id: string; name: string } }>({ index, size: 10 });
      published = Object.fromEntries(hits.hits.map(({ _source }) => [_source?.record.id, _source?.record.name]));
      await publish(index);
      await production.collection.updateOne({ _id: 'r0002' }, { $set: { name: 'Changed Meanwhile' } });
    });
    expect((await production.maintenance.rollBack(kept)).index).toBe(kept);
    expect(published).toEqual({ r0000: 'Record 0', r0001: 'Changed Before', r0002: 'Record 2' });
    expect((await production.index.findMany(['r0002'], 'full'))[0]?.name).toBe('Changed Meanwhile');
    await suppressions.remove([key]);
  });

  it('contains a change made while the alias moves', async () => {
    await storeOnly(numbered(3));
    const { generations } = production.syncDeps;
    const publish = generations.publish.bind(generations);
    vi.spyOn(generations, 'publish').mockImplementationOnce(async (index) => {
      await production.collection.updateOne({ _id: 'r0001' }, { $set: { name: 'Changed Meanwhile' } });
      await publish(index);
    });
    await rebuildIndex(production.syncDeps, { allowsShrink: true });
    expect(await production.differences()).toEqual([]);
  });
});
