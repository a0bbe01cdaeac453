import { describe, expect, it, onTestFinished } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { generateSample } from '#sample/generate-sample.ts';
import { everything, firstPage, type SearchQuery } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { storedRecord, testBackends } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

describe.each(testBackends)('a scan, $name', ({ open }) => {
  const records = [...generateSample({ count: 800, seed: 7 })] as unknown as MediaRecord[];
  const backend = useOne(open, (backend) => backend.load(records.map((record) => madeRecord(record))));

  async function scanned(query: SearchQuery): Promise<{ records: MediaRecord[]; total: number }> {
    const scan = await backend.index.scan(query);
    const found = (await Array.fromAsync(scan)).flat();
    return { records: found, total: scan.total };
  }

  it('returns records as they are stored, with full addresses', async () => {
    const { records: found } = await scanned({
      text: null,
      filters: [{ present: 'email' }, { field: 'country', any: ['GB'], none: [] }],
    });
    expect(found.length).toBeGreaterThan(0);
    for (const record of found) expect(record).toEqual(await storedRecord(backend.stored, record.id));
  });

  it('is a snapshot while records are added, changed and deleted, and blocks nobody', async () => {
    const own = await open();
    onTestFinished(() => own.close());
    const ids = Array.from({ length: 1_100 }, (_, index) => `r${index}`);
    await own.load(ids.map((id) => madeRecord({ id, name: 'Before' })));
    const scan = await own.index.scan(everything);
    const seen: MediaRecord[] = [];
    let round = 0;
    for await (const batch of scan) {
      seen.push(...batch);
      const some = ids.slice(round * 400, round * 400 + 400);
      await own.records.merge(some.map((id) => ({ id, name: 'After' })));
      await own.records.remove(ids.slice(-100 * (round + 1)));
      await own.records.merge([madeRecord({ id: `new-${round}`, name: 'After' })]);
      await own.settle();
      round += 1;
    }
    expect(round).toBeGreaterThan(1);
    expect(seen.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(seen.every(({ name }) => name === 'Before')).toBe(true);
    const later = await own.index.scan(everything);
    await later.close();
    expect(later.total).toBe(await own.records.count());
  });

  it('leaves nothing behind: at its end, when its reader leaves, when it is never read, when it is closed twice', async () => {
    await expect.poll(() => backend.holdsScan()).toBe(false);
    await scanned(everything);
    await expect.poll(() => backend.holdsScan()).toBe(false);

    const left = await backend.index.scan(everything);
    for await (const batch of left) {
      expect(batch.length).toBeGreaterThan(0);
      await backend.records.merge([{ id: records[0]?.id ?? '', city: 'Leeds' }]);
      expect(await backend.holdsScan()).toBe(true);
      break;
    }
    await expect.poll(() => backend.holdsScan()).toBe(false);

    const unread = await backend.index.scan(everything);
    await backend.records.merge([{ id: records[0]?.id ?? '', city: 'York' }]);
    expect(await backend.holdsScan()).toBe(true);
    await unread.close();
    await unread.close();
    await expect.poll(() => backend.holdsScan()).toBe(false);

    const failing = await backend.index.scan(everything);
    const fail = async () => {
      for await (const batch of failing) throw new Error(`of ${batch.length}`);
    };
    await expect(fail()).rejects.toThrow(/^of \d+$/);
    await expect.poll(() => backend.holdsScan()).toBe(false);
  });

  it('works with many scans at a time while searches answer', async () => {
    const scans = await Promise.all(Array.from({ length: 8 }, () => scanned(everything)));
    expect(scans.map(({ records: found }) => found.length)).toEqual(Array.from({ length: 8 }, () => records.length));
    const open = await Promise.all(Array.from({ length: 20 }, () => backend.index.scan(everything)));
    const page = firstPage(1);
    expect((await backend.index.search(everything, page, 'masked')).total).toBe(records.length);
    await Promise.all(open.map((scan) => scan.close()));
    await expect.poll(() => backend.holdsScan()).toBe(false);
  });

  it('reports that an empty set is empty', async () => {
    expect(await scanned({ text: understand('zzzzqqqxxx'), filters: [] })).toEqual({ records: [], total: 0 });
  });
});
