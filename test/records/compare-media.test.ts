import { describe, expect, it } from 'vitest';
import { compareMedia, duplicateScore, isSameMedium } from '#records/duplicates/compare-media.ts';
import { traitsOf } from '#records/duplicates/traits.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { readCases } from '#testing/cases.ts';
import { madeRecord } from '#testing/made-record.ts';

type Given = Partial<MediaRecord>;

const times: Given = {
  name: 'The Times',
  country: 'GB',
  city: 'London',
  url: 'https://www.times.example/',
};
const show: Given = {
  kind: 'podcast',
  name: 'Morning',
  url: 'https://publisher.example/',
  feed_url: 'https://publisher.example/1',
};

/** The second record has the values of the first, but for these. */
type Pair = [what: string, Given, Given];

function twoOf([, a, change]: Pair): [MediaRecord, MediaRecord] {
  return [madeRecord({ id: 'a', ...a }), madeRecord({ id: 'b', ...a, ...change })];
}

const pairs = readCases<[kind: string, ...Pair]>(new URL('pairs.tsv', import.meta.url));
const pairsOf = (wanted: string) => pairs.flatMap(([kind, ...pair]) => (kind === wanted ? [pair] : []));

describe('duplicates are records with', () => {
  it.each(pairsOf('duplicates'))('%s', (...pair) => {
    const [one, other] = twoOf(pair);
    const comparison = compareMedia(traitsOf(one), traitsOf(other));
    expect(comparison.score).toBeGreaterThanOrEqual(duplicateScore);
    expect(comparison.score).toBeLessThanOrEqual(100);
    expect(comparison.reasons).not.toEqual([]);
    expect(compareMedia(traitsOf(other), traitsOf(one))).toEqual(comparison);
    expect(isSameMedium(one, other)).toBe(true);
  });
});

describe('no duplicates are records with', () => {
  it.each(pairsOf('different'))('%s', (...pair) => {
    const [one, other] = twoOf(pair);
    const comparison = compareMedia(traitsOf(one), traitsOf(other));
    expect(comparison.score).toBeLessThan(duplicateScore);
    expect(comparison.score).toBeGreaterThanOrEqual(0);
    expect(compareMedia(traitsOf(other), traitsOf(one))).toEqual(comparison);
  });
});

it('a comparison says what speaks against a pair', () => {
  const against = (...pair: Pair) => {
    const [one, other] = twoOf(pair);
    return compareMedia(traitsOf(one), traitsOf(other)).against;
  };
  expect(against('', times, {})).toEqual([]);
  expect(against('', times, { name: 'Evening Post' })).toEqual(['other name']);
  const elsewhere = { city: 'Leeds', url: 'https://leeds.example/', language: 'cy' };
  expect(against('', { ...times, language: 'en' }, elsewhere)).toEqual(['other site', 'other city', 'other language']);
  expect(against('', show, { feed_url: 'https://publisher.example/2', country: 'IE' })).toEqual(['other feed']);
});

/** Records that are too close to say anything. */
describe('a list of similar records leaves out one with', () => {
  it.each(pairsOf('left out'))('%s', (...pair) => {
    const [one, other] = twoOf(pair);
    expect([isSameMedium(one, other), isSameMedium(other, one)]).toEqual([true, true]);
  });
});

describe('a list of similar records keeps one with', () => {
  it.each(pairsOf('similar'))('%s', (...pair) => {
    const [one, other] = twoOf(pair);
    expect([isSameMedium(one, other), isSameMedium(other, one)]).toEqual([false, false]);
  });
});
