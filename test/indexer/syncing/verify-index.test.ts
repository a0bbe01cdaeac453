import { describe, expect, it, vi } from 'vitest';
import { verifyIndex } from '#indexer/syncing/compare-index.ts';
import { GenerationWriter } from '#indexer/syncing/generation-writer.ts';
import { readStatus } from '#indexer/syncing/generations.ts';
import { hasEngines, openOnEngines } from '#testing/backends.ts';
import { useOne } from '#testing/use.ts';

describe.skipIf(!hasEngines)('comparing the index with the records', () => {
  const production = useOne(openOnEngines, async (production) => {
    const records = Array.from({ length: 1_500 }, (_, place) => ({
      _id: `r${String(place).padStart(4, '0')}`,
      kind: 'outlet',
      name: `Record ${place}`,
      email: `r${place}@record.example`,
    }));
    // In the order of their UTF-8 bytes these are at the very end; in that of UTF-16 they are not.
    const last = ['ｚ', '😀', '😀 2'].map((id) => ({ _id: id, kind: 'outlet', name: `At the end ${id}` }));
    await production.collection.insertMany([...records, ...last] as never[]);
    await production.reindex();
  });

  const served = async () => (await production.syncDeps.generations.findLive())?.index ?? '';

  it('finds nothing if they are the same', async () => {
    expect(await verifyIndex(production.syncDeps, { repairs: false })).toMatchObject({
      compared: 1_503,
      missing: 0,
      extra: 0,
      stale: 0,
    });
  });

  it('names what is missing, extra or stale, at either end and in every field, and repairs it', async () => {
    const index = await served();
    await production.collection.deleteMany({ _id: { $in: ['r0000', '😀'] } });
    await production.collection.updateOne({ _id: 'r1499' }, { $set: { email: 'other@record.example' } });
    await production.collection.insertMany(
      ['A', 'r0700 a', '😀 3'].map((id) => ({ _id: id, kind: 'outlet', name: 'New' })) as never[],
    );
    // Such an update loses what _source does not keep, including the id to search by: r0100 is in the first range,
    // which also has what no range finds; r1100 is not.
    await production.engine.update({
      index,
      id: 'r0100',
      doc: { secret: { forged: { email: 'forged@record.example', email_source: null } } },
    });
    await production.engine.update({ index, id: 'r1100', doc: { by: { country: ['XX'] } } });
    await production.engine.delete({ index, id: 'r1002' });
    await production.engine.index({
      index,
      id: 'forged',
      document: { secret: { forged: { email: 'forged@record.example', email_source: null } } },
    });
    const expected = [
      ...['missing A', 'missing r1002', 'missing r0700 a', 'missing 😀 3'],
      ...['extra r0000', 'extra 😀', 'extra forged', 'stale r0100', 'stale r1499'],
      ...['missing r1100', 'extra r1100'],
    ];
    expect((await production.differences()).toSorted()).toEqual(expected.toSorted());
    await verifyIndex(production.syncDeps, { repairs: true });
    expect(await production.differences()).toEqual([]);
    expect((await production.index.findMany(['r0100'], 'full'))[0]?.email).toBe('r100@record.example');
  });

  it('reports the state of the index', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000);
    const status = await readStatus(production.syncDeps, inAnHour);
    expect(status).toMatchObject({
      index: await served(),
      kept: [],
      stored: 1_504,
      indexed: 1_504,
      suppressions: 0,
      dead_letters: 0,
      is_followed: false,
      locks: [],
    });
    expect(status.lag_seconds).toBeGreaterThanOrEqual(3_600);
  });

  it('waits for what a running sync has not written yet', async () => {
    const { journal, locks } = production.syncDeps;
    const syncing = await locks.acquire('sync');
    const index = await served();
    await production.collection.insertOne({ _id: 'late', kind: 'outlet', name: 'Late' } as never);
    const find = journal.find.bind(journal);
    const writeLate = async () => {
      const state = await find(index);
      if (state === null) throw new Error('the live index has no position');
      const writer = await GenerationWriter.open(production.syncDeps, index);
      await journal.save({ ...state, position: await writer.catchUp(state.position, new AbortController().signal) });
      return find(index);
    };
    vi.spyOn(journal, 'find').mockImplementationOnce(find).mockImplementationOnce(writeLate);
    expect(await production.differences()).toEqual([]);
    await syncing.release();
  });
});
