import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChangeBatch, IdRange, Position } from '#backends/mongo/mongo-record-source.ts';
import { suppressionKey } from '#records/suppression.ts';
import type { DeadLetter } from '#search/index-maintenance.ts';
import { parseTextQuery } from '#search/parse-text-query.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';
import { type ProductionTestBackend, productionBackends } from '#test/backends.ts';
import { recordsThatDiffer } from '#test/records-that-differ.ts';
import { madeRecord } from '#testing/made-record.ts';

const everything = { after: '', upTo: null };
const inGermany = { text: null, filters: [{ field: 'country', any: ['DE'], none: [] }] } as const;
const firstPage = { sort: { key: 'name', reversed: false }, offset: 0, limit: 100 } as const;
/** Beyond the first plane, where the orders of UTF-16 and UTF-8 differ. */
const oddIds = ['Z', 'a', 'a-b', 'ab', 'é', '中', '\ud7ff', '\ue000', 'ﬁ', '\uffee', '𐀀', '😀', '😀😀'];

describe.each(productionBackends)('keeping the index in sync with the records, $name', ({ open }) => {
  let backend: ProductionTestBackend;
  let syncDeps: SyncDeps;
  beforeAll(async () => {
    backend = await open();
    syncDeps = backend.syncDeps;
  });
  afterEach(async () => {
    await backend.collection.deleteMany({});
  });
  afterAll(() => backend.close());

  /** All batches from a position to a mark that is set now. */
  async function followToNow(from: Position): Promise<ChangeBatch[]> {
    const mark = await syncDeps.source.mark();
    const batches: ChangeBatch[] = [];
    for await (const batch of syncDeps.source.follow(from, AbortSignal.timeout(60_000))) {
      batches.push(batch);
      if (batch.marks.includes(mark)) return batches;
    }
    throw new Error('the mark never came');
  }

  async function changedSince(from: Position): Promise<string[]> {
    return (await followToNow(from)).flatMap(({ changed }) => [...changed.keys()]);
  }

  /** What a job that reads these records now would write. */
  async function readChanges(ids: readonly string[]) {
    const { version } = await syncDeps.source.now();
    const states = await syncDeps.source.read(ids);
    return ids.map((id) => {
      const state = states.get(id);
      const record = state !== undefined && 'record' in state ? state.record : null;
      return syncDeps.generations.prepare({ id, version, record });
    });
  }

  async function servedIndex(): Promise<string> {
    const served = await syncDeps.generations.findLive();
    if (served === null) throw new Error('nothing is served');
    return served.index;
  }

  /** A generation beside the live one with the records of these ids. */
  async function buildBeside(ids: readonly string[]): Promise<string> {
    const index = await syncDeps.generations.create(new Date());
    expect(await syncDeps.generations.write(index, await readChanges(ids))).toEqual([]);
    await syncDeps.generations.finish(index);
    return index;
  }

  async function findNames(): Promise<string[]> {
    const { records } = await backend.index.search({ text: null, filters: [] }, firstPage, 'masked');
    return records.map(({ name }) => name);
  }

  async function digestIds(index: string, range: IdRange): Promise<string[]> {
    return [...(await syncDeps.generations.readDigests(index, range)).keys()].toSorted(byBytes);
  }

  describe('the history', () => {
    it('contains what was added, changed and deleted after a position, in order, and nothing from before', async () => {
      await backend.records.merge([madeRecord({ id: 'before' })]);
      const from = await syncDeps.source.now();
      await backend.records.merge([madeRecord({ id: 'a' }), madeRecord({ id: 'b' })]);
      await backend.records.merge([{ id: 'before', city: 'Leeds' }]);
      await backend.records.remove(['a']);
      const batches = await followToNow(from);
      const last = new Map(batches.flatMap(({ changed }) => [...changed]));
      expect([...last].toSorted(([, a], [, b]) => Number(a - b)).map(([id]) => id)).toEqual(['b', 'before', 'a']);
      expect(batches.reduce((sum, { events }) => sum + events, 0)).toBe(4);
    });

    it('gives every version and position higher than where it began, and never lower ones later', async () => {
      const from = await syncDeps.source.now();
      for (const city of ['Leeds', 'York', 'Hull']) await backend.records.merge([madeRecord({ id: 'a', city })]);
      const versions = (await followToNow(from)).flatMap(({ changed, position }) => [
        ...changed.values(),
        position.version,
      ]);
      expect(versions).toEqual(versions.toSorted((a, b) => Number(a - b)));
      expect(versions.every((version) => version > from.version)).toBe(true);
    });

    it('loses nothing written while its position is taken: it can be read by then, or it follows', async () => {
      const ids = Array.from({ length: 40 }, (_, place) => `r${place}`);
      const writing = Promise.all(ids.map((id) => backend.records.merge([madeRecord({ id })])));
      const from = await syncDeps.source.now();
      const read = await syncDeps.source.readRange(everything, 100);
      await writing;
      const followed = await changedSince(from);
      expect(new Set([...read.keys(), ...followed])).toEqual(new Set(ids));
    });

    it('can be resumed after any batch', async () => {
      const from = await syncDeps.source.now();
      await backend.records.merge([madeRecord({ id: 'a' })]);
      const position = (await followToNow(from)).at(-1)?.position ?? from;
      await backend.records.merge([madeRecord({ id: 'b' })]);
      expect(await changedSince(position)).toEqual(['b']);
      expect(await changedSince(from)).toEqual(['a', 'b']);
    });

    it('continues while nothing changes, and ends with its signal', async () => {
      const stop = new AbortController();
      const batches: ChangeBatch[] = [];
      for await (const batch of syncDeps.source.follow(await syncDeps.source.now(), stop.signal)) {
        batches.push(batch);
        stop.abort();
      }
      expect(batches).toHaveLength(1);
      expect(batches[0]?.changed.size).toBe(0);
      expect(await changedSince(batches[0]?.position ?? expect.fail('no batch'))).toEqual([]);
    });

    it('tells which suppressions were added, and that some were removed', async () => {
      const from = await syncDeps.source.now();
      const key = suppressionKey('domain', 'x.example');
      await backend.suppressions.add([{ key, reason: null, addedAt: new Date().toISOString() }]);
      const added = await followToNow(from);
      expect(added.flatMap(({ suppressed }) => [...suppressed.keys()])).toEqual([key]);
      expect(added.some(({ hasNewSuppressions }) => hasNewSuppressions)).toBe(true);
      await backend.suppressions.remove([key]);
      const removed = await followToNow(added.at(-1)?.position ?? from);
      expect(removed.flatMap(({ suppressed }) => [...suppressed.keys()])).toEqual([]);
      expect(removed.some(({ hasNewSuppressions }) => hasNewSuppressions)).toBe(true);
    });
  });

  describe('the records', () => {
    it('are read by id in their current state, without those that do not exist', async () => {
      const record = madeRecord({ id: 'a', name: 'A', email: 'x@a.example', email_source: 'https://a.example/' });
      await backend.records.merge([record]);
      expect(await syncDeps.source.read(['a', 'nobody'])).toEqual(new Map([['a', { record }]]));
      expect(await syncDeps.source.read([])).toEqual(new Map());
    });

    it('come in the order of the UTF-8 bytes of their ids, page by page', async () => {
      await backend.records.merge(oddIds.map((id) => madeRecord({ id })));
      const read: string[] = [];
      for (let after = ''; ; ) {
        const page = [...(await syncDeps.source.readRange({ after, upTo: null }, 2)).keys()];
        if (page.length === 0) break;
        read.push(...page);
        after = page.at(-1) ?? '';
      }
      expect(read).toEqual(oddIds.toSorted(byBytes));
    });

    it('are in a range from after its start up to its end', async () => {
      await backend.records.merge(['a', 'b', 'c', 'd'].map((id) => madeRecord({ id })));
      const ids = async (range: IdRange) => [...(await syncDeps.source.readRange(range, 10)).keys()];
      expect(await ids({ after: 'a', upTo: 'c' })).toEqual(['b', 'c']);
      expect(await ids({ after: 'aa', upTo: 'bb' })).toEqual(['b']);
      expect(await ids({ after: 'd', upTo: null })).toEqual([]);
    });

    it('are split into ranges that contain each of them once', async () => {
      expect(await syncDeps.source.findBoundaries(4)).toEqual([]);
      const ids = Array.from({ length: 200 }, (_, place) => `r${place}`).concat(oddIds);
      await backend.records.merge(ids.map((id) => madeRecord({ id })));
      expect(await syncDeps.source.count()).toBe(ids.length);
      const boundaries = await syncDeps.source.findBoundaries(4);
      expect(boundaries).toEqual([...new Set(boundaries)].toSorted(byBytes));
      expect(boundaries.length).toBeGreaterThan(0);
      expect(boundaries.length).toBeLessThan(4);
      const ends = [...boundaries, null];
      const ranges = ends.map((upTo, place) => ({ after: ends[place - 1] ?? '', upTo }));
      const pages = await Promise.all(ranges.map((range) => syncDeps.source.readRange(range, 1_000)));
      expect(pages.flatMap((page) => [...page.keys()]).toSorted()).toEqual(ids.toSorted());
    });
  });

  describe('the generations', () => {
    // Nothing is in the one that is served.
    beforeEach(() => backend.reindex(true));

    it('make writes searchable, and report by digests that they are correct', async () => {
      const record = madeRecord({ id: 'a', name: 'A', categories: ['food', 'arts'], email: 'x@a.example' });
      await backend.records.merge([record]);
      const index = await servedIndex();
      expect(await syncDeps.generations.write(index, await readChanges(['a']))).toEqual([]);
      await syncDeps.generations.refresh(index);
      expect(await findNames()).toEqual(['A']);
      expect(await syncDeps.generations.readDigests(index, everything)).toEqual(
        new Map([['a', syncDeps.generations.digestOf(record)]]),
      );
      expect((await syncDeps.generations.findLive())?.records).toBe(1);
    });

    it('keep a later state, whatever an earlier one writes', async () => {
      await backend.records.merge([madeRecord({ id: 'a', name: 'Old' })]);
      const older = await readChanges(['a']);
      await backend.records.merge([{ id: 'a', name: 'New' }]);
      const newer = await readChanges(['a']);
      const index = await servedIndex();
      await syncDeps.generations.write(index, newer);
      await syncDeps.generations.write(index, older);
      await syncDeps.generations.refresh(index);
      expect(await findNames()).toEqual(['New']);
    });

    it('keep a deletion, whatever an earlier state writes', async () => {
      await backend.records.merge([madeRecord({ id: 'a' })]);
      const older = await readChanges(['a']);
      const index = await servedIndex();
      await syncDeps.generations.write(index, older);
      await backend.records.remove(['a']);
      await syncDeps.generations.write(index, await readChanges(['a']));
      await syncDeps.generations.write(index, older);
      await syncDeps.generations.refresh(index);
      expect(await findNames()).toEqual([]);
      expect(await digestIds(index, everything)).toEqual([]);
    });

    it('give the same result for one write and its repeat', async () => {
      await backend.records.merge([madeRecord({ id: 'a', name: 'A' })]);
      const index = await servedIndex();
      const changes = await readChanges(['a']);
      await syncDeps.generations.write(index, [...changes, ...changes]);
      await syncDeps.generations.write(index, changes);
      await syncDeps.generations.refresh(index);
      expect(await findNames()).toEqual(['A']);
    });

    it('are built beside the live one, and replace it', async () => {
      await backend.load(['a', 'b', 'c'].map((id) => madeRecord({ id, name: id })));
      const served = await syncDeps.generations.findLive();
      const index = await buildBeside(['b']);
      expect(await findNames()).toEqual(['a', 'b', 'c']);
      expect((await syncDeps.generations.findLive())?.index).toBe(served?.index);
      const built = await syncDeps.generations.find(index);
      expect(built).toMatchObject({ index, records: 1 });
      expect(built?.identity).not.toBe(served?.identity);
      expect(await digestIds(index, everything)).toEqual(['b']);
      await syncDeps.generations.publish(index);
      expect(await findNames()).toEqual(['b']);
      expect(await syncDeps.generations.findLive()).toEqual(built);
      // Under the name it was built as.
      await syncDeps.generations.write(index, await readChanges(['a', 'b', 'c']));
      await syncDeps.generations.refresh(index);
      expect(await findNames()).toEqual(['a', 'b', 'c']);
    });

    it('are listed from oldest to newest, and are gone once deleted', async () => {
      const before = await syncDeps.generations.list();
      const index = await syncDeps.generations.create(new Date());
      expect(await syncDeps.generations.list()).toEqual([...before, index]);
      expect(await syncDeps.generations.remove(index, false)).toBe(true);
      expect(await syncDeps.generations.list()).toEqual(before);
      expect(await syncDeps.generations.find(index)).toBeNull();
    });

    it('are swapped without a search that fails or sees only some records', async () => {
      const ids = Array.from({ length: 60 }, (_, place) => `r${place}`);
      await backend.load(ids.map((id) => madeRecord({ id, name: `Herald ${id}`, country: 'DE' })));
      let isDone = false;
      const totals = new Set<number>();
      const search = async () => {
        while (!isDone) {
          for (const query of [inGermany, { text: parseTextQuery('herald'), filters: [] }]) {
            totals.add((await backend.index.search(query, firstPage, 'masked')).total);
          }
          totals.add((await backend.index.countFacets({ text: null, filters: [] })).total);
        }
      };
      const searching = search();
      try {
        for (let round = 0; round < 3; round += 1) {
          const old = await servedIndex();
          const index = await buildBeside(ids);
          await syncDeps.generations.publish(index);
          await syncDeps.generations.remove(old, true);
        }
      } finally {
        isDone = true;
        await searching;
      }
      expect([...totals]).toEqual([60]);
    });

    it('give different digests for any difference that affects searches', async () => {
      const digests = recordsThatDiffer.map(syncDeps.generations.digestOf);
      expect(new Set(digests).size).toBe(recordsThatDiffer.length);
      expect(recordsThatDiffer.map((record) => syncDeps.generations.digestOf(structuredClone(record)))).toEqual(
        digests,
      );
    });

    it('give the digests of a range of ids, in any script', async () => {
      await backend.load(oddIds.map((id) => madeRecord({ id })));
      const index = await servedIndex();
      const ids = oddIds.toSorted(byBytes);
      expect(await digestIds(index, everything)).toEqual(ids);
      expect(await digestIds(index, { after: ids[3] ?? '', upTo: ids[10] ?? '' })).toEqual(ids.slice(4, 11));
      expect(await digestIds(index, { after: ids.at(-2) ?? '', upTo: null })).toEqual(ids.slice(-1));
    });

    it('say which of their records a suppression applies to', async () => {
      await backend.load([
        madeRecord({ id: 'by-address', email: 'Jane@a.example' }),
        madeRecord({ id: 'by-host', url: 'https://news.b.example/' }),
        madeRecord({ id: 'by-id' }),
        madeRecord({ id: 'other', email: 'joe@a.example', url: 'https://c.example/' }),
      ]);
      const keys = [
        suppressionKey('address', 'jane@a.example'),
        suppressionKey('domain', 'b.example'),
        suppressionKey('record', 'by-id'),
      ];
      const index = await servedIndex();
      expect((await syncDeps.generations.findSuppressed(index, keys)).toSorted()).toEqual([
        'by-address',
        'by-host',
        'by-id',
      ]);
      expect(await syncDeps.generations.findSuppressed(index, [])).toEqual([]);
    });
  });

  it('the journal stores the position of each generation', async () => {
    const state = {
      index: 'some-index',
      identity: 'first',
      isComplete: false,
      position: { token: '{"_data":"8266"}', version: 7_300_000_000_000_000_001n },
      reachedAt: '2026-11-21T13:00:00.000Z',
    };
    expect(await syncDeps.journal.find('some-index')).toBeNull();
    await syncDeps.journal.save(state);
    expect(await syncDeps.journal.find('some-index')).toEqual(state);
    await syncDeps.journal.save({ ...state, isComplete: true });
    expect(await syncDeps.journal.find('some-index')).toEqual({ ...state, isComplete: true });
    await syncDeps.journal.remove('some-index');
    expect(await syncDeps.journal.find('some-index')).toBeNull();
  });

  it('the dead letters keep the latest entry per record, until the record is valid', async () => {
    const { deadLetters } = syncDeps;
    const listLetters = async () => {
      const letters: (DeadLetter & { at: string })[] = [];
      for await (const letter of deadLetters.scan()) letters.push(letter);
      return letters;
    };
    const early = new Date('2026-11-21T10:00:00.000Z');
    const late = new Date('2026-11-21T11:00:00.000Z');
    await deadLetters.save(
      ['b', 'c', 'a'].map((id) => ({ id, reason: 'no name' })),
      early,
    );
    await deadLetters.save([{ id: 'c', reason: 'no kind' }], late);
    expect(await deadLetters.count()).toBe(3);
    expect(await deadLetters.findAmong(['a', 'c', 'z'])).toEqual(new Set(['a', 'c']));
    await deadLetters.remove(['a', 'never-there']);
    expect(await listLetters()).toEqual([
      { id: 'b', reason: 'no name', at: early.toISOString() },
      { id: 'c', reason: 'no kind', at: late.toISOString() },
    ]);
    await deadLetters.removeBefore(late);
    expect((await listLetters()).map(({ id }) => id)).toEqual(['c']);
  });
});

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
