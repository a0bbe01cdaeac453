import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateSample } from '../../src/sample/generate-sample.ts';
import { readTestSettings } from '../../test/support/engines/test-settings.ts';
import { measureDuplicates, shareOf } from './measure-duplicates.ts';
import { readRecords } from './read-records.ts';

const { relevanceData } = readTestSettings();
/** The least share of copies that a search for duplicates must find. */
const minRecall = 0.95;

test('nearly every copy with another spelling is found among generated records', async () => {
  const { recall, ofOriginals } = await measureDuplicates(generateSample({ count: 20_000 }), { every: 4, seed: 1 });
  expect(recall.copies).toBe(5_000);
  expect(shareOf(recall)).toBeGreaterThan(minRecall);
  // Few generated media have the same name, and with it the same site, by chance.
  expect(ofOriginals.length).toBeLessThan(200);
});

if (relevanceData === null) {
  console.log('Set MASTHEAD_RELEVANCE_DATA to look for duplicates among real records too (docs/measuring.md).');
} else {
  test('nearly every copy is found among real records', async () => {
    const files = ['newspapers.ndjson', 'outlets.csv'].map((name) => join(relevanceData, name));
    const { recall } = await measureDuplicates(readRecords(files), { every: 1, seed: 1 });
    expect(shareOf(recall)).toBeGreaterThan(minRecall);
  });
}
