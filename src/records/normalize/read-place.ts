import { memoize } from '#text/memoize.ts';
import { cityPopulation, onlyRegionOf } from '../places/city-populations.ts';
import { type CountryMatch, findContinent, findCountry, findForeignCountry } from '../places/countries.ts';
import { isRegion, longRegion } from '../places/regions.ts';
import type { CellReader, Read, SourceRecord } from './cell-reader.ts';
import { findCitySize, findCoverage } from './source-words.ts';

const countryOf = memoize(findCountry);
/** `The Russian Federation`. */
const anyCountryOf = (name: string) => countryOf(name.replace(/^the /i, '')) ?? findForeignCountry(name);
const continentOf = memoize(findContinent);

interface Place {
  city: string;
  region: string | null;
  country: string | null;
}

/** A missing region may follow from a country such as Scotland, the city cell (`Houston, TX`), or a city that only one region has. */
export function readPlace(cells: CellReader, source: SourceRecord) {
  const named = readCountry(cells, source);
  const given = cells.text('region');
  const region = given ?? named?.region ?? given;
  const city = cells.text('city');
  const part = city ? partCity({ city, region: region ?? null, country: named?.code ?? null }) : null;
  const country = part?.country ?? (named === null ? null : named?.code);
  const code = country ?? null;
  const ownRegion = part?.region ?? (part && code ? onlyRegionOf(part.city, code) : null) ?? region;
  // Lists of many countries have areas of the world as regions: `Europe`, `Global`. Codes may mean anything else.
  const area = given && given.length > 3 ? given : '';
  const continent = continentOf(area) ?? undefined;
  const isGlobal = continent === undefined && findCoverage(area) === 'international';
  return {
    country,
    continent: cells.word('continent', continentOf) ?? continent,
    region: ownRegion ? longRegion(ownRegion, code) : ownRegion,
    city: part?.city ?? city,
    city_size: cells.word('city_size', findCitySize),
    coverage: cells.word('coverage', findCoverage) ?? (isGlobal ? 'international' : undefined),
  };
}

/** The country by its code or name, or by country_name. */
function readCountry(cells: CellReader, source: SourceRecord): Read<CountryMatch> {
  const country = cells.word('country', anyCountryOf);
  if (country || source.country_name === undefined) return country;
  const named = cells.word('country_name', anyCountryOf);
  return named ?? (source.country === undefined ? named : country);
}

/** If a row has no country, a code after the city is of a state here: `Houston, TX`. */
const countriesOfCodes = ['US', 'CA'];

/** `Nashville TN`, `Sorriso-MT`, `Santos / SP` */
const beforeCode = /^(.*[^ /–-])[ /–-]+([A-Z]{2,3})$/;

/** A city without the region and country that follow it, where the row has none or the same: `Toronto, ON, Canada`. */
export function partCity(place: Place): Place {
  const [, name, code = ''] = beforeCode.exec(place.city) ?? [];
  if (name && place.country !== null && isRegionIn(code, place.country, place.region))
    return partCity({ ...place, city: name, region: longRegion(code, place.country) });
  const comma = place.city.lastIndexOf(',');
  const city = place.city.slice(0, comma).trim();
  const last = place.city.slice(comma + 1).trim();
  if (comma < 0 || city === '' || last === '') return place;
  const countries = place.country === null ? countriesOfCodes : [place.country];
  const country = countryOf(last)?.code;
  const state = countries.find((code) => isRegionIn(last, code, place.region));
  const isCountry = country !== undefined && (place.country ?? country) === country;
  if (isCountry && (state === undefined || isOnlyInCountry(city, { region: last, state, country }))) {
    return partCity({ ...place, city, country });
  }
  return state === undefined ? place : { city, region: longRegion(last, state), country: state };
}

function isRegionIn(text: string, country: string, region: string | null): boolean {
  const isSame = region === null || longRegion(region, country) === longRegion(text, country);
  return isSame && isRegion(text, country);
}

/** `Toronto, CA` is not in California, `Tbilisi, Georgia` not in the US. */
function isOnlyInCountry(city: string, { region, state, country }: { region: string; state: string; country: string }) {
  return (
    state !== country && cityPopulation(city, region, state) === null && cityPopulation(city, null, country) !== null
  );
}
