import { describe, expect, it } from 'vitest';
import { cityPopulation } from '#records/places/city-populations.ts';
import { citySizeOf } from '#records/vocabularies.ts';

describe('the size of a city', () => {
  it.each([
    ['New York', 'New York', 'US', 'mega'],
    ['Washington', 'District of Columbia', 'US', 'large'],
    ['Springfield', 'Illinois', 'US', 'small'],
    ['Springfield', 'IL', 'US', 'small'],
    ['Paris', 'Texas', 'US', 'town'],
    ['Paris', null, 'FR', 'mega'],
    ['Saint Paul', 'Minnesota', 'US', 'medium'],
    ['ST. PAUL', 'Minnesota', 'US', 'medium'],
    ['München', null, 'DE', 'large'],
    ['Kiev', null, 'UA', 'mega'],
    ['zürich', null, 'CH', 'medium'],
    ['Newport', 'Wales', 'GB', 'medium'],
    ['London', 'Constructor', 'GB', 'mega'],
    ['東京', null, 'JP', 'mega'],
    ['Санкт-Петербург', null, 'RU', 'mega'],
    ['Kochi', null, 'IN', 'large'],
    ['Donostia', null, 'ES', 'small'],
  ])('%s, %s, %s is %s', (city, region, country, size) => {
    const population = cityPopulation(city, region, country);
    expect(population === null ? null : citySizeOf(population)).toBe(size);
  });

  it.each([
    [0, 49_999, 'town'],
    [50_000, 199_999, 'small'],
    [200_000, 499_999, 'medium'],
    [500_000, 1_499_999, 'large'],
    [1_500_000, 40_000_000, 'mega'],
  ])('from %i to %i inhabitants is %s', (from, to, size) => {
    expect([citySizeOf(from), citySizeOf(to)]).toEqual([size, size]);
  });

  it.each([
    ['Nowhere at all', null, 'US'],
    ['Paris', null, null],
    ['Chicago', 'Texas', 'US'],
  ])('%s, %s, %s is unknown', (city, region, country) => {
    expect(cityPopulation(city, region, country)).toBeNull();
  });
});

it('reads no name from the prototype of an object', () => {
  expect(cityPopulation('constructor', null, 'US')).toBeNull();
});
