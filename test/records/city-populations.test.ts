import { describe, expect, it } from 'vitest';
import { cityPopulation } from '#records/places/city-populations.ts';
import { citySizeOf } from '#records/vocabularies.ts';

describe('the size of a city', () => {
  it.each([
    ['New York', 'New York', 'US', 'mega'],
    ['Washington', 'District of Columbia', 'US', 'large'],
    ['Springfield', 'Illinois', 'US', 'small'],
    ['Paris', 'Texas', 'US', 'town'],
    ['Paris', null, 'FR', 'mega'],
    ['ST. PAUL', 'Minnesota', 'US', 'medium'],
    ['München', null, 'DE', 'large'],
    ['London', 'Constructor', 'GB', 'mega'],
    ['Санкт-Петербург', null, 'RU', 'mega'],
    ['Donostia', null, 'ES', 'small'],
  ])('%s, %s, %s is %s', (city, region, country, size) => {
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

it('reads no name from the prototype of an object', () => {
  expect(cityPopulation('constructor', null, 'US')).toBeNull();
});
