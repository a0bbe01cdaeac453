import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { median, medianOfRatios, percentile, timeCalls } from './measure.ts';
import { formatFigures } from './table.ts';

describe('The statistics of the benchmarks', () => {
  test('take percentiles by nearest rank, in any order of the values', () => {
    const values = Array.from({ length: 100 }, (_, place) => 100 - place);
    expect(percentile(values, 0.5)).toBe(50);
    expect(percentile(values, 0.99)).toBe(99);
    expect(percentile(values, 1)).toBe(100);
    expect(percentile([7], 0.01)).toBe(7);
    expect(percentile([], 0.5)).toBeNaN();
  });

  test('take the middle, or the mean of the two in the middle', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  test('compare within a round, so that a slow round changes no ratio', () => {
    const base = [
      [1, 1, 1],
      [10, 10, 10],
      [1, 1, 1],
    ];
    expect(
      medianOfRatios(
        [
          [2, 2, 2],
          [20, 20, 20],
          [2, 2, 2],
        ],
        base,
      ),
    ).toBe(2);
    expect(
      medianOfRatios(
        [
          [2, 2, 2],
          [90, 90, 90],
          [2, 2, 2],
        ],
        base,
      ),
    ).toBe(2);
  });
});

describe('Timing', () => {
  test('runs every call once, keeps their order, and limits how many run at a time', async () => {
    const ran: number[] = [];
    let running = 0;
    let most = 0;
    const calls = Array.from({ length: 20 }, (_, place) => async () => {
      running += 1;
      most = Math.max(most, running);
      for (let turns = place % 3; turns >= 0; turns -= 1) await nextTurn();
      ran.push(place);
      running -= 1;
    });
    const times = await timeCalls(calls, 4);
    expect(times).toHaveLength(20);
    expect(times.every((time) => time > 0)).toBe(true);
    expect(ran.toSorted((a, b) => a - b)).toEqual(calls.map((_, place) => place));
    expect(most).toBe(4);
  });

  test('fails when a call does', async () => {
    const calls = [() => {}, () => Promise.reject(new Error('no answer'))];
    await expect(timeCalls(calls, 2)).rejects.toThrow('no answer');
  });
});

test('A table is as wide as its cells', () => {
  expect(
    formatFigures([
      ['', 'p50'],
      ['phrase', '1.25'],
      ['all', '10.5'],
    ]),
  ).toBe('         p50\nphrase  1.25\nall     10.5');
});
