import { describe, expect, it } from 'vitest';
import { findCategory, partTopics } from '#records/normalize/source-words.ts';
import { cityPopulation, onlyRegionOf } from '#records/places/city-populations.ts';
import { categories, citySizeOf } from '#records/vocabularies.ts';
import { readCases } from '#testing/cases.ts';

describe('the size of a city', () => {
  it.each(
    readCases<[city: string, region: string | null, country: string, size: string]>(
      new URL('city-sizes.tsv', import.meta.url),
    ),
  )('%s, %s, %s is %s', (city, region, country, size) => {
    const population = cityPopulation(city, region, country);
    expect(population === null ? null : citySizeOf(population)).toBe(size);
  });

  it.each([
    ['Nowhere at all', null, 'US'],
    ['Paris', null, null],
    ['Chicago', 'Texas', 'US'],
  ])('%s, %s, %s is unknown', (city, region, country) => {
    expect(cityPopulation(city, region, country)).toBeNull();
  });
});

it('tells the region of a Russian city', () => expect(onlyRegionOf('Kazan', 'RU')).toBe('Tatarstan'));

it('reads no name from the prototype of an object', () => {
  expect(cityPopulation('constructor', null, 'US')).toBeNull();
});

/** The categories of Apple Podcasts with their subcategories. */
const apple =
  'Arts|Books|Design|Fashion & Beauty|Food|Performing Arts|Visual Arts|Business|Careers|Entrepreneurship|Investing|Management|Marketing|Non-Profit|Comedy|Comedy Interviews|Improv|Stand-Up|Education|Courses|How To|Language Learning|Self-Improvement|Fiction|Comedy Fiction|Drama|Science Fiction|Government|History|Health & Fitness|Alternative Health|Fitness|Medicine|Mental Health|Nutrition|Sexuality|Kids & Family|Education for Kids|Parenting|Pets & Animals|Stories for Kids|Leisure|Animation & Manga|Automotive|Aviation|Crafts|Games|Hobbies|Home & Garden|Video Games|Music|Music Commentary|Music History|Music Interviews|News|Business News|Daily News|Entertainment News|News Commentary|Politics|Sports News|Tech News|Religion & Spirituality|Buddhism|Christianity|Hinduism|Islam|Judaism|Religion|Spirituality|Science|Astronomy|Chemistry|Earth Sciences|Life Sciences|Mathematics|Natural Sciences|Nature|Physics|Social Sciences|Society & Culture|Documentary|Personal Journals|Philosophy|Places & Travel|Relationships|Sports|Baseball|Basketball|Cricket|Fantasy Sports|Football|Golf|Hockey|Rugby|Running|Soccer|Swimming|Tennis|Volleyball|Wilderness|Wrestling|Technology|True Crime|TV & Film|After Shows|Film History|Film Interviews|Film Reviews|TV Reviews';

/** The roots of the IPTC Media Topics. */
const iptc =
  'arts, culture, entertainment and media|conflict, war and peace|crime, law and justice|disaster, accident and emergency incident|economy, business and finance|education|environment|health|human interest|labour|lifestyle and leisure|politics and government|religion|science and technology|society|sport|weather';

describe('topic words', () => {
  it('of Apple Podcasts and of the IPTC all have a category, and the categories are their own', () => {
    expect(categories.map(findCategory)).toEqual(categories);
    const words = [...apple.split('|'), ...iptc.split('|')].flatMap((phrase) => partTopics(phrase));
    expect(words.filter((word) => findCategory(word) === null)).toEqual([]);
  });

  it('without a meaning have none', () => {
    expect(['', 'Fayette County', 'cat 17', 'constructor'].map(findCategory)).toEqual([null, null, null, null]);
  });
});
