import { describe, expect, it } from 'vitest';
import { compareMedia, duplicateScore, isSameMedium } from '#records/duplicates/compare-media.ts';
import { traitsOf } from '#records/duplicates/traits.ts';
import type { MediaRecord } from '#records/media-record.ts';
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
const herald: Given = { ...times, type: 'newspaper', name: 'Springfield Herald', city: 'Springfield', country: 'US' };
const station: Given = { ...times, type: 'radio', name: 'WABC 99.5 FM', url: 'https://wabc.example/' };

/** The second record has the values of the first, but for these. */
type Pair = [what: string, Given, Given];

function twoOf([, a, change]: Pair): [MediaRecord, MediaRecord] {
  return [madeRecord({ id: 'a', ...a }), madeRecord({ id: 'b', ...a, ...change })];
}

const duplicates: Pair[] = [
  ['the same name, case and punctuation aside', times, { name: 'the “times”', url: null }],
  ['the same name, spaces aside', { ...times, name: 'Sea Coast' }, { name: 'Seacoast', url: null }],
  ['the same name without its article', times, { name: 'Times', url: null }],
  ['an article before a name that has one', { ...times, name: 'La Stampa' }, { name: 'The La Stampa' }],
  ['the same name and city on two hosts', { ...times, name: 'Die Zeit' }, { url: 'https://other.example/' }],
  ['a name that is an alias', times, { name: 'London Times', aliases: ['The Times'] }],
  ['the city added to the name', { ...herald, name: 'Herald' }, { name: 'Herald Springfield' }],
  ['the city in front of the name', { ...herald, name: 'The Herald' }, { name: 'Springfield Herald' }],
  ['one letter changed, of one site', herald, { name: 'Springfield Hezald', url: 'http://times.example' }],
  ['one letter dropped, in one city', herald, { name: 'Sprngfield Herald', url: null }],
  ['two letters swapped, of one site', herald, { name: 'Springfield Hearld' }],
  ['one letter changed in a call sign, of one site and city', station, { name: 'WABD 99.5 FM' }],
  ['the same name with a lost letter', { ...times, name: 'El Diário' }, { name: 'El Di\ufffdrio' }],
  [
    'the same page under http and without www',
    { ...times, city: null },
    { url: 'http://times.example', name: 'Times' },
  ],
  ['the same name and page, where sources name two cities', times, { city: 'Barnet' }],
  ['two spellings of one city', { ...herald, city: 'St. Louis' }, { city: 'Saint Louis', url: null }],
  ['a region that repeats the city', { ...herald, region: 'Illinois' }, { region: 'Springfield', url: null }],
  ['the same name, where one has no site and an unknown place', herald, { country: null, city: null, url: null }],
  ['the same feed under another name', show, { name: 'Good Morning' }],
  ['the same page under another name', times, { name: 'Evening Post' }],
];

const different: Pair[] = [
  ['the same name in another country', times, { country: 'IE', url: null }],
  ['the same name in another city', times, { city: 'Leeds', url: null }],
  [
    'the same name in a city of that name in another region',
    { ...herald, region: 'Ohio' },
    { region: 'Oregon', url: null },
  ],
  ['a common name, where nothing else is known', { name: 'Daily News' }, {}],
  ['a radio and a television station', station, { type: 'tv' }],
  ['another kind', times, { kind: 'newsletter' }],
  ['another frequency', station, { name: 'WABC 99.7 FM', url: null }],
  ['another band', { ...station, name: 'WKAR AM 88' }, { name: 'WKAR FM 88', url: null }],
  ['one call sign on two sites', station, { url: 'https://sports.example/' }],
  ['another call sign in the same city', station, { name: 'WABD 99.5 FM', url: 'https://wabd.example/' }],
  ['another name on the same page in another city', times, { name: 'Evening Post', city: 'Leeds' }],
  ['another name on another page of a site', times, { name: 'Evening Post', url: 'https://times.example/post' }],
  [
    'the same feed of a publisher under another name',
    { ...times, feed_url: 'https://x.example/rss' },
    { name: 'Post', url: null },
  ],
  ['editions for two cities', { ...herald, name: 'Springfield Patch' }, { name: 'Salem Patch', city: 'Salem' }],
  [
    'two blogs of one platform',
    { name: 'One', url: 'https://one.blogspot.com/' },
    { name: 'Two', url: 'https://two.blogspot.com/' },
  ],
  [
    'two pages of one platform',
    { ...times, url: 'https://facebook.com/a' },
    { name: 'Post', url: 'https://facebook.com/b' },
  ],
  ['two feeds of one publisher', show, { name: 'Evening', feed_url: 'https://publisher.example/2' }],
  ['two podcasts of one name with feeds of their own', show, { feed_url: 'https://other.example/2', url: null }],
];

describe('duplicates are records with', () => {
  it.each(duplicates)('%s', (...pair) => {
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
  it.each(different)('%s', (...pair) => {
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

/** What a list of similar records leaves out besides: records that are too close to say anything. */
const similar: [...Pair, boolean][] = [
  ['the same name where one place is not known', times, { country: null, city: null, url: null }, true],
  ['the same site under another name', times, { name: 'Evening Post', url: 'http://times.example' }, true],
  ['a page of the same site under another name', times, { name: 'Post', url: 'http://times.example/about' }, true],
  ['two pages of one site', { ...times, url: 'https://x.example/a' }, { name: 'B', url: 'https://x.example/b' }, false],
  ['another site and another name', times, { name: 'The Echo', url: 'https://echo.example/' }, false],
  ['neither name nor site in common', { name: 'One' }, { name: 'Two' }, false],
];

describe('a list of similar records leaves out or keeps, as it should, one with', () => {
  it.each(similar)('%s', (what, a, change, isSame) => {
    const [one, other] = twoOf([what, a, change]);
    expect([isSameMedium(one, other), isSameMedium(other, one)]).toEqual([isSame, isSame]);
  });
});
