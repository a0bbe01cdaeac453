import { describe, expect, it, onTestFinished } from 'vitest';
import { plans } from '#accounts/plans.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { exportRecords } from '#outbound/export-records.ts';
import { type LateSuppressions, visibleBatches } from '#outbound/late-suppressions.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { type NamedKind, suppressionKey } from '#records/suppression.ts';
import type { RecordScan } from '#search/search-index.ts';
import { everything } from '#search/search-query.ts';
import { fileFormats } from '#src/encodings/formats.ts';
import { Problem } from '#src/problem.ts';
import { testBackends } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const count = 3_000;
const begun = new Date('2026-11-21T12:00:00.000Z');
const key = { plan: { tier: 'premium', expiresAt: '2030-01-01T00:00:00.000Z' } } as StoredKey;
const [csv] = fileFormats;
if (csv === undefined) throw new Error('there is no format');
const exportAll = { query: everything, format: csv, rows: 'records' } as const;

/** Each quarter of the records is to be found by another kind of suppression; the last by none. */
const records = Array.from({ length: count }, (_, index) =>
  madeRecord({
    id: `r${index}`,
    ...(index % 4 === 0 && { email: `Desk${index}@mail.gone.example` }),
    ...(index % 4 === 1 && { url: `https://www.news.gone.example/${index}` }),
    ...(index % 4 === 2 && { feed_url: `https://feeds.gone.example/${index}`, url: `https://stays${index}.example` }),
    ...(index % 4 === 3 && { url: 'https://notgone.example/gone.example' }),
  }),
);
const isHidden = ({ id }: MediaRecord) => [1, 2].includes(Number(id.slice(1)) % 4);
const isGone = (record: MediaRecord) => isHidden(record) || record.email !== null;

describe.each(testBackends)('a running export, $name', ({ open }) => {
  const backend = useOne(open, (backend) => backend.load(records));

  async function suppress(kind: NamedKind, value: string, at = begun): Promise<() => Promise<unknown>> {
    const suppression = { key: suppressionKey(kind, value), reason: null, addedAt: at.toISOString() };
    await backend.suppressions.add([suppression]);
    return () => backend.suppressions.remove([suppression.key]);
  }

  it('of a whole store leaves out what is suppressed meanwhile', async () => {
    const undo: (() => Promise<unknown>)[] = [];
    async function* batches() {
      yield records.slice(0, 8);
      undo.push(await suppress('domain', 'gone.example', new Date()));
      yield records.slice(8, 16);
    }
    const read = (await Array.fromAsync(visibleBatches(batches(), backend.suppressions))).flat().map(({ id }) => id);
    await undo[0]?.();
    expect(read).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7', 'r8', 'r11', 'r12', 'r15']);
  });

  async function begin(suppressions: LateSuppressions = backend.suppressions) {
    const scan: RecordScan = await exportRecords({ plans, index: backend.index, suppressions }, exportAll, key, begun);
    const batches = scan[Symbol.asyncIterator]();
    const first = await batches.next();
    if (first.done) throw new Error('the export gave nothing');
    return {
      scan,
      first: first.value,
      async readRest(): Promise<MediaRecord[]> {
        const rest: MediaRecord[] = [];
        for (let next = await batches.next(); !next.done; next = await batches.next()) rest.push(...next.value);
        return rest;
      },
    };
  }

  it('leaves out what is suppressed meanwhile from the next batch on: media with a page or feed at a domain, and contacts with an address there', async () => {
    const { scan, first, readRest } = await begin();
    expect(first.some(isGone)).toBe(true);
    const undo = await suppress('domain', 'gone.example');
    onTestFinished(async () => void (await undo()));
    const rest = await readRest();
    expect(rest.filter(isGone)).toEqual([]);
    expect(first.length + rest.length).toBe(count / 2 + first.filter(isHidden).length);
    expect(scan.total).toBe(count);
  });

  it('applies a suppression from a clock that is minutes behind', async () => {
    const { readRest } = await begin();
    const undo = await suppress('domain', 'gone.example', new Date(begun.getTime() - 4 * 60_000));
    onTestFinished(async () => void (await undo()));
    const rest = await readRest();
    expect(rest.length).toBeGreaterThan(0);
    expect(rest.filter(isGone)).toEqual([]);
  });

  it('is cut off if the list does not answer', async () => {
    let isAway = false;
    const { readRest } = await begin({
      async listKeysSince(at) {
        if (isAway) throw new Problem('store_unavailable', 'The store is away.');
        return backend.suppressions.listKeysSince(at);
      },
    });
    isAway = true;
    await expect(readRest()).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect.poll(() => backend.holdsScan()).toBe(false);
  });
});
