import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { madeRecord } from '../../testing/made-record.ts';
import { readKnownItems } from './known-item.ts';
import { queryClasses, selectClasses } from './query-classes.ts';
import { formatMisses, formatScores, listMisses, missedFloors, readFloor, scoreClass } from './report.ts';
import type { ClassOutcome, QueryOutcome } from './run-queries.ts';

function outcome(group: string, rank: number | null, given: Partial<QueryOutcome> = {}): QueryOutcome {
  const item = { query: 'The Sun', expectedId: 'a-1', group };
  const first = madeRecord({ id: rank === 1 ? 'a-1' : 'b-2' });
  return { item, typed: 'The Son', rank, total: 7, first, isOtherName: false, ...given };
}

function classOutcome(name: string, outcomes: readonly QueryOutcome[]): ClassOutcome {
  const [queryClass] = selectClasses([name]);
  if (queryClass === undefined) throw new RangeError(name);
  return { queryClass, outcomes, leftOut: 3 };
}

const typo = classOutcome('typo', [
  outcome('b', 1),
  outcome('b', 4, { isOtherName: true }),
  outcome('a', null, { total: 0, first: null }),
  outcome('a', 2),
]);

describe('The scores of a class', () => {
  const score = scoreClass(typo);

  test('are given over all queries, and by group', () => {
    expect(score).toEqual({
      class: 'typo',
      queries: 4,
      'success@1': 0.25,
      'success@10': 0.75,
      mrr: 0.4375,
      empty: 1,
      left_out: 3,
      other_name: 1,
      groups: {
        a: { queries: 2, 'success@1': 0, 'success@10': 0.5, mrr: 0.25, empty: 1 },
        b: { queries: 2, 'success@1': 0.5, 'success@10': 1, mrr: 0.625, empty: 0 },
      },
    });
  });

  test('are printed in one line, and the groups below if asked for', () => {
    const row = ['typo', '4', '0.2500', '0.7500', '0.4375', '1', '1', '3'];
    expect(formatScores([score], false).split('\n')[1]?.split(/\s+/)).toEqual(row);
    expect(formatScores([score], true).split('\n')).toHaveLength(4);
  });

  test('come with the worst misses first', () => {
    expect(listMisses(typo.outcomes, 2).map(({ rank }) => rank)).toEqual([null, 4]);
    expect(formatMisses(typo, 2)).toBe(
      `typo: 3 of 4 not first
not in 10  a: The Son (meant: The Sun)
           wanted a-1, first came nothing
rank 4     b: The Son (meant: The Sun), the name of another record
           wanted a-1, first came Outlet b-2 <b-2> of 7`,
    );
  });

  test('miss a floor only if they are below it', () => {
    expect(missedFloors([readFloor('typo.success@1=0.25'), readFloor('typo.mrr=0.4')], [score])).toEqual([]);
    expect(missedFloors([readFloor('typo.success@10=0.76')], [score])).toEqual([
      'typo success@10 is 0.7500, below the floor of 0.76',
    ]);
  });

  test('miss every floor if nothing was measured', () => {
    const nothing = scoreClass(classOutcome('reversed', []));
    expect(missedFloors([readFloor('success@1=0'), readFloor('reversed.mrr=0')], [score, nothing])).toHaveLength(2);
  });
});

describe('A floor', () => {
  test('names a class, or is about the queries unchanged', () => {
    expect(readFloor('two-typos.success@10=0.9')).toEqual({ class: 'two-typos', metric: 'success@10', min: 0.9 });
    expect(readFloor('success@1=1')).toEqual({ class: 'exact', metric: 'success@1', min: 1 });
  });

  test.each(['success@1', 'success@2=0.5', 'mrr=2', 'typos.mrr=0.5', '=1', 'mrr=x'])('is rejected as %j', (text) => {
    expect(() => readFloor(text)).toThrow('is not a valid floor. Use CLASS.METRIC=SHARE');
  });
});

describe('The classes of queries', () => {
  test('are all run, or those that are named', () => {
    expect(selectClasses([])).toBe(queryClasses);
    expect(selectClasses(['typo', 'exact']).map(({ name }) => name)).toEqual(['exact', 'typo']);
    expect(() => selectClasses(['typos'])).toThrow('"typos" is not a class of queries. Use exact, typo,');
  });
});

describe('A file of known items', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'masthead-known-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = (text: string) => {
    const path = join(folder, 'queries.tsv');
    writeFileSync(path, text);
    return readKnownItems(path);
  };

  test('is read line by line, with quotes as they are', () => {
    expect(read('query\texpected_id\tclass\nThe "Sun"\ta-1\talias\r\n')).toEqual([
      { query: 'The "Sun"', expectedId: 'a-1', group: 'alias' },
    ]);
  });

  test.each([
    ['', 'the first line must be the header'],
    ['query,expected_id,class\n', 'the first line must be the header'],
    ['query\texpected_id\tclass\n', 'holds no queries'],
    ['query\texpected_id\tclass\na\tb\tc\nd\te\n', 'line 3: wanted a query, an expected_id and a class'],
  ])('is rejected with its fault: %j', (text, fault) => {
    expect(() => read(text)).toThrow(fault);
  });
});
