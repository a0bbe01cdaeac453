import { describe, expect, it } from 'vitest';
import type { MediaRecord } from '#domain/media-record.ts';
import { isSameMedium } from '#domain/same-medium.ts';
import { madeRecord } from '#testing/made-record.ts';

const times: Partial<MediaRecord> = {
  name: 'The Times',
  country: 'GB',
  city: 'London',
  url: 'https://www.times.example/',
};
const show: Partial<MediaRecord> = {
  kind: 'podcast',
  name: 'Morning',
  url: 'https://publisher.example/',
  feed_url: 'https://publisher.example/1',
};

/** The second record has the values of the first, but for these. */
const pairs: [string, Partial<MediaRecord>, Partial<MediaRecord>, boolean][] = [
  ['the same name, case and punctuation aside', times, { name: 'the “times”', url: null }, true],
  ['the same name without its article', times, { name: 'Times', url: null }, true],
  ['a name that is an alias', times, { name: 'London Times', aliases: ['The Times'], url: null }, true],
  ['the same name where one place is not known', times, { country: null, city: null, url: null }, true],
  ['the same name in another country', times, { country: 'IE', url: null }, false],
  ['the same name in another city', times, { city: 'Leeds', url: null }, false],
  ['the same site under another name', times, { name: 'Times Online', url: 'http://times.example' }, true],
  [
    'a page of the same site under another name',
    times,
    { name: 'Times Online', url: 'http://times.example/about' },
    true,
  ],
  [
    'two pages of one site under two names',
    { ...times, url: 'https://pages.example/a' },
    { name: 'Another', url: 'https://pages.example/b' },
    false,
  ],
  ['another site and another name', times, { name: 'The Echo', url: 'https://echo.example/' }, false],
  ['neither name nor site in common', { name: 'One' }, { name: 'Two' }, false],
  ['two feeds of one publisher', show, { name: 'Evening', feed_url: 'https://publisher.example/2' }, false],
  ['the same feed under another name', show, { name: 'Good Morning' }, true],
];

describe('records with', () => {
  it.each(pairs)('%s', (_, a, change, isSame) => {
    const [one, other] = [madeRecord({ id: 'a', ...a }), madeRecord({ id: 'b', ...a, ...change })];
    expect([isSameMedium(one, other), isSameMedium(other, one)]).toEqual([isSame, isSame]);
  });
});
