import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDuplicates } from '../../indexer/records/find-duplicates.ts';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { Dice } from '../../src/sample/dice.ts';
import { generateSample } from '../../src/sample/generate-sample.ts';
import { readTestSettings } from '../../test/support/engines/test-settings.ts';
import { importRecords } from '../relevance/import-records.ts';
import { mistype, replaceLetter } from '../relevance/mistype.ts';
import { openScratch } from '../relevance/open-scratch.ts';

/** The least share of copies that a search for duplicates must find. */
const minRecall = 0.95;

test('nearly every copy with another spelling is found among generated records', async () => {
  const { copies, found, ofOriginals } = await measureDuplicates(generateSample({ count: 20_000 }), 4);
  expect(copies).toBe(5_000);
  expect(found / copies).toBeGreaterThan(minRecall);
  // Few generated media have the same name, and with it the same site, by chance.
  expect(ofOriginals).toBeLessThan(200);
});

const { relevanceData } = readTestSettings();
if (relevanceData !== null) {
  test('nearly every copy is found among real records', async () => {
    const scratch = await openScratch();
    const files = ['newspapers.ndjson', 'outlets.csv'].map((name) => join(relevanceData, name));
    await importRecords(scratch.records, files);
    async function* records() {
      for await (const batch of await scratch.index.scan({ text: null, filters: [] })) yield* batch;
    }
    const { copies, found } = await measureDuplicates(records(), 1).finally(() => scratch.close());
    expect(found / copies).toBeGreaterThan(minRecall);
  });
}

const copyOf = (id: string) => `copy-of-${id}`;

/**
 * Adds a copy of every so many records, and says how many of them were found with their originals, and how many pairs of
 * originals were proposed.
 */
async function measureDuplicates(records: AsyncIterable<MediaRecord> | Iterable<MediaRecord>, every: number) {
  const dice = new Dice(1);
  const counts = { copies: 0, found: 0, ofOriginals: 0 };
  async function* withCopies() {
    let read = 0;
    for await (const record of records) {
      yield [record];
      read += 1;
      if (read % every !== 0) continue;
      counts.copies += 1;
      yield [dirtyCopy(record, dice)];
    }
  }
  const search = await findDuplicates(withCopies());
  for (const { keep, drop } of search.groups) {
    const ids = new Set([keep.id, ...drop.map(({ record }) => record.id)]);
    counts.found += [...ids].filter((id) => ids.has(copyOf(id))).length;
    const isCopy = (id: string) => id.startsWith(copyOf(''));
    counts.ofOriginals += drop.filter(({ record, like }) => !isCopy(record.id) && !isCopy(like)).length;
  }
  return counts;
}

/** Ways in which another source writes a name or a URL. Null where one does not apply to the record. */
type Dirt = (record: MediaRecord, dice: Dice) => string | null;

const dirtOfNames: readonly Dirt[] = [
  ({ name }, dice) => dice.pick([name.toUpperCase(), name.toLowerCase()]),
  ({ name }) => (/^the /i.test(name) ? name.slice(4) : `The ${name}`),
  ({ name }, dice) => dice.pick([mistype, replaceLetter])(name, dice.below(1_000_000)),
  ({ name, city }) => city && `${name} ${city}`,
];
const dirtOfUrls: readonly Dirt[] = [
  ({ url }) => {
    const other = url?.includes('://www.') ? url.replace('://www.', '://') : url?.replace('://', '://www.');
    // An IP address has none.
    return other !== undefined && URL.canParse(other) ? other : null;
  },
  ({ url }) => url && (url.startsWith('https') ? url.replace('https', 'http') : url.replace('http', 'https')),
  ({ url }) => url && (url.endsWith('/') ? url.slice(0, -1) : `${url}/`),
];

/** A copy as another source may have it: under another id, written differently, with no alias, feed or address to tell by. */
function dirtyCopy(record: MediaRecord, dice: Dice): MediaRecord {
  const change = (ways: readonly Dirt[]) => {
    const values = ways.map((way) => way(record, dice)).filter((value) => value !== null);
    return values.length === 0 ? null : dice.pick(values);
  };
  const name = change(dirtOfNames) ?? record.name;
  const url = change(dirtOfUrls) ?? record.url;
  const hidden = { aliases: [], feed_url: null, email: null, email_source: null };
  return { ...record, id: copyOf(record.id), name, url, ...hidden };
}
