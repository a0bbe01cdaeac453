import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { Dice } from '../../src/sample/dice.ts';
import { generateSample } from '../../src/sample/generate-sample.ts';
import { everything, firstPage } from '../../src/search/search-query.ts';
import { understand } from '../../src/search/understanding/understand.ts';
import { readTestSettings } from '../../test/support/engines/test-settings.ts';
import { engines } from '../../test/support/engines.ts';
import { ofForm, readSeed } from '../../test/support/form.ts';
import { importRecords } from '../relevance/import-records.ts';
import { readNames } from '../relevance/names.ts';
import { openScratch, openScratchOn, type Scratch } from '../relevance/open-scratch.ts';
import { searchPatiently } from '../relevance/run-queries.ts';
import { type RandomRequest, randomRequest } from './random-requests.ts';

const { mongodb, elasticsearch } = engines;
const { relevanceData } = readTestSettings();
const requests = ofForm(40, 300);
/** Of so many values, Elasticsearch estimates the number (buildDistinct). */
const estimated = 5_000;
/** More than the first thirty, which names order. */
const page = firstPage(50);

test.skipIf(mongodb === null || elasticsearch === null)(
  'both backends find the same records in the same order',
  async () => {
    const dice = new Dice(readSeed());
    await using stack = new AsyncDisposableStack();
    const open = async (opening: Promise<Scratch>) => stack.adopt(await opening, (scratch) => scratch.close());
    const embedded = await open(openScratch());
    const production = await open(openScratchOn(mongodb ?? '', elasticsearch ?? ''));
    for (const { records, settle } of [embedded, production]) {
      await records.merge([...generateSample({ count: ofForm(1_000, 2_000) })]);
      if (relevanceData !== null)
        await importRecords(
          records,
          ['newspapers.ndjson', 'outlets.csv'].map((file) => join(relevanceData, file)),
        );
      await settle();
    }
    const { lastWords } = await readNames(embedded.index);
    const all = (await Array.fromAsync(await embedded.index.scan(everything))).flat();
    all.sort((a, b) => (a.id < b.id ? -1 : 1));
    const differences: unknown[] = [];
    for (let count = 0; count < requests; count += 1) {
      const request = randomRequest(all, lastWords, dice);
      const [one, other] = await Promise.all([answerOf(embedded, request), answerOf(production, request)]);
      if (JSON.stringify(one) !== JSON.stringify(other))
        differences.push({ request, embedded: one, production: other });
    }
    expect(differences).toEqual([]);
  },
);

/** What a request finds, in its order, with its facets, and what an export of it has, in any order. */
async function answerOf({ index }: Scratch, { text, ...of }: RandomRequest) {
  const query = { text: understand(text), ...of };
  const answer = await searchPatiently(index, query, page);
  const rowOf = ({ id, contacts: [first] }: MediaRecord) => (of.rows === 'contacts' ? `${id} ${first?.id}` : id);
  const { audiences: _, more, ...facets } = await index.countFacets(query);
  const exactMore = Object.entries(more).filter(([, number]) => number < estimated);
  const scan = await index.scan(query);
  const scanned = (await Array.fromAsync(scan)).flat().map(rowOf).toSorted();
  expect(scan.total).toBe(scanned.length);
  if (answer.dropped.length === 0) expect(scanned).toHaveLength(answer.total);
  return {
    ...{ total: answer.total, isCorrected: answer.isCorrected, dropped: answer.dropped },
    ...{ rows: answer.records.map(rowOf), facets, exactMore, scanned },
  };
}
