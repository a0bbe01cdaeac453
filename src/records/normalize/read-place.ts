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
  const namedCountry = readCountry(cells, source);
  const regionInCell = cells.text('region');
  const region = regionInCell ?? namedCountry?.region ?? regionInCell;
  const city = cells.text('city');
  const part = city ? partCity({ city, region: region ?? null, country: namedCountry?.code ?? null }) : null;
  const country = part?.country ?? (namedCountry === null ? null : namedCountry?.code);
  const code = country ?? null;
  const ownRegion = part?.region ?? (part && code ? onlyRegionOf(part.city, code) : null) ?? region;
  // Lists of many countries have areas of the world as regions: `Europe`, `Global`. Codes may mean anything else.
  const area = regionInCell && regionInCell.length > 3 ? regionInCell : '';
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

/** A city and what stands beside it, which may be its region or country. */
interface Split {
  city: string;
  beside: string;
}

/** `Houston, TX`, `Fresno (CA)`, `Springfield - Illinois` */
const beforeName = [/^(.*),([^,]*)$/, /^(.*)[(（]([^()（）]*)[)）]$/, /^(.*) [–—-] (.*)$/];
/** `Nashville TN`, `Washington D.C.`, `Sorriso-MT`, `Santos / SP`: the code is in capitals. */
const beforeCode = /^(.*[^\s,/–—-])[\s/–—-]+([A-Z]{2,3}|(?:[A-Z]\.){2,3})$/;
/** `SP - Campinas`, `MG/Uberaba` */
const afterCode = /^([A-Z]{2,3})\s*[/–—-](.*)$/;

/** A city by its name alone, as most are: words that do not end in a code. */
const nameAlone = /^\p{L}(?:[\p{L} ]*\p{Ll})?$/u;

/** Punctuation that belongs to no name. A full stop does in `St.` and `D.C.`, and brackets do in `Halle (Saale)`. */
const punctuation = String.raw`\s,;:|/\\_*=+–—،、，；。`;
const atStart = new RegExp(`^[${punctuation}.)-]+`);
const atEnd = new RegExp(`(?:[${punctuation}(-]|(?<=\\p{Ll}{4})\\.)+$`, 'u');

/** A city without the region and country beside it, where the row has none or the same, and without punctuation around it. */
export function partCity(place: Place): Place {
  if (nameAlone.test(place.city)) return place;
  const city = withoutPunctuation(place.city);
  const rest = withoutPlaces({ ...place, city });
  return rest === null ? { ...place, city } : partCity(rest);
}

function withoutPunctuation(city: string): string {
  return city.replace(atStart, '').replace(atEnd, '') || city;
}

/** The place with what stands beside the city as its region or country; null if nothing does. */
function withoutPlaces(place: Place): Place | null {
  for (const pattern of beforeName) {
    const [, city = '', beside = ''] = pattern.exec(place.city) ?? [];
    const named = withPlaceBeside(place, { city: withoutPunctuation(city.trim()), beside: beside.trim() });
    // `Bilbao - Barcelona` are two cities.
    const isCity = pattern === beforeName[2] && named !== null && cityPopulation(beside, null, named.country) !== null;
    if (named !== null && !isCity) return named;
  }
  const [, city = '', code = ''] = beforeCode.exec(place.city) ?? [];
  const [, codeBefore = '', cityAfter = ''] = afterCode.exec(place.city) ?? [];
  return (
    withCodeBeside(place, { city, beside: code }) ??
    withCodeBeside(place, { city: cityAfter.trim(), beside: codeBefore })
  );
}

/** Without a comma, letters may mean anything: where the row has no country, the region must be known to have the city. */
function withCodeBeside(place: Place, { city, beside }: Split): Place | null {
  if (city === '' || beside === '') return null;
  const isThere = (country: string) => place.country !== null || cityPopulation(city, beside, country) !== null;
  const countries = place.country === null ? countriesOfCodes : [place.country];
  const country = countries.find((code) => isRegionIn(beside, code, place.region) && isThere(code));
  return country === undefined ? null : { city, region: longRegion(beside, country), country };
}

function withPlaceBeside(place: Place, { city, beside }: Split): Place | null {
  if (city === '' || beside === '') return null;
  const countries = place.country === null ? countriesOfCodes : [place.country];
  const country = countryOf(beside)?.code;
  const state = countries.find((code) => isRegionIn(beside, code, place.region));
  const isCountry = country !== undefined && (place.country ?? country) === country;
  if (isCountry && (state === undefined || isOnlyInCountry(city, { region: beside, state, country }))) {
    return { ...place, city, country };
  }
  return state === undefined ? null : { city, region: longRegion(beside, state), country: state };
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
