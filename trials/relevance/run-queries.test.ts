import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '../../src/domain/problem.ts';
import type { SearchIndex } from '../../src/ports/search-index.ts';
import { madeRecord } from '../../testing/made-record.ts';
import { type Names, readNames, sampleNames } from './names.ts';
import { openScratch, type Scratch } from './open-scratch.ts';
import { selectClasses } from './query-classes.ts';
import { runClass } from './run-queries.ts';

describe('A run of a class', () => {
  let scratch: Scratch;
  let names: Names;
  beforeAll(async () => {
    scratch = await openScratch();
    await scratch.records.merge([
      madeRecord({ id: 'a', name: 'Quarrymen Herald' }),
      madeRecord({ id: 'b', name: 'Herald Quarrymen' }),
      madeRecord({ id: 'c', name: 'Wherryman' }),
    ]);
    names = await readNames(scratch.index);
  });
  afterAll(() => scratch.close());

  const run = (name: string, index: SearchIndex = scratch.index) =>
    Promise.all(selectClasses([name]).map((each) => runClass(index, names, sampleNames(names, 3, 1), each, 1)));

  test('ranks the expected record, and leaves out and counts what the class cannot change', async () => {
    const [exact] = await run('exact');
    expect(exact?.outcomes.map(({ rank }) => rank)).toEqual([1, 1, 1]);
    const [reversed] = await run('reversed');
    expect(reversed?.leftOut).toBe(1);
    expect(reversed?.outcomes.map(({ rank, isOtherName }) => [rank, isOtherName])).toEqual([
      [2, true],
      [2, true],
    ]);
  });

  test('repeats a search that a busy engine did not answer in time', async () => {
    let failures = 2;
    const search: SearchIndex['search'] = async (...request) => {
      failures -= 1;
      if (failures >= 0) throw new Problem('search_unavailable', 'The search engine is not available right now.');
      return scratch.index.search(...request);
    };
    const index = Object.create(scratch.index, { search: { value: search } });
    const [exact] = await run('exact', index);
    expect(exact?.outcomes.map(({ rank }) => rank)).toEqual([1, 1, 1]);
  });
});
