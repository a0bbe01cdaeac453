import { nameKey } from '#text/fold.ts';
import { memoize, once } from '#text/memoize.ts';
import citiesByCountry from './city-names.json' with { type: 'json' };
import { spellingsIn } from './countries.ts';

interface City {
  /** Its name in GeoNames. */
  listed: string;
  /** Its names in nameKey form, that one first: in the languages spoken there, in English, and other common and former ones. */
  ownNames: readonly string[];
  /** The same, and behind them its names in other languages: Londres. */
  names: readonly string[];
}

/** Cities by country and name: `DE munich`. Of each, the file has its own names, and behind `|` those in other languages. */
const cities = once(() => {
  const cityOfName = new Map<string, City>();
  for (const [country, listed] of Object.entries(citiesByCountry)) {
    for (const [name, spellings] of Object.entries<string>(listed)) {
      const [own = '', foreign = ''] = spellings.split('|');
      const ownNames = nameKeysIn(country, [name, ...namesIn(own)]);
      const names = [...new Set([...ownNames, ...nameKeysIn(country, namesIn(foreign))])];
      for (const spelling of names) cityOfName.set(`${country} ${spelling}`, { listed: name, ownNames, names });
    }
  }
  return cityOfName;
});

const namesIn = (list: string) => list.trim().split(', ');

function nameKeysIn(country: string, names: readonly string[]): string[] {
  const written = names.filter((name) => name !== '');
  return [...new Set(written.flatMap((name) => spellingsIn(name, country)))];
}

/** All names of a city in nameKey form, the one that GeoNames lists first; only its own if no other is known. */
export function namesOfCity(city: string, country: string | null): readonly string[] {
  return findCity(city, country)?.names ?? spellingsIn(city, country);
}

/** The names that texts of the city's own media have. */
export function ownNamesOfCity(city: string, country: string | null): readonly string[] {
  return findCity(city, country)?.ownNames ?? spellingsIn(city, country);
}

/** The name under which facets count a city, for any of its names. Returns other texts as they are. */
export function listedCity(city: string, country: string | null): string {
  return findCity(city, country)?.listed ?? city;
}

/** Whether the text is a name of a city that has others, in any country. */
export function isNamedCity(text: string): boolean {
  return Object.keys(citiesByCountry).some((country) => cities().has(`${country} ${nameKey(text)}`));
}

function findCity(city: string, country: string | null): City | undefined {
  return country?.length === 2 ? cityAt(`${country} ${city}`) : undefined;
}

/** Memoized, because several forms of a record need its city. */
const cityAt = memoize((place): City | undefined => {
  const [country, city] = [place.slice(0, 2), place.slice(3)];
  return spellingsIn(city, country).flatMap((name) => cities().get(`${country} ${name}`) ?? [])[0];
});

/** Every city that has other names, and the others of these lists (names with commas, by country), each with all of its names. */
export function listNamedCities(
  namesByCountry: Readonly<Record<string, string>>,
): Array<{ country: string; names: readonly string[] }> {
  const named = Object.entries(citiesByCountry).map(([country, listed]) => [country, Object.keys(listed)] as const);
  const more = Object.entries(namesByCountry).map(([country, names]) => [country, names.split(', ')] as const);
  return [...named, ...more].flatMap(([country, cities]) =>
    cities.map((city) => ({ country, names: namesOfCity(city, country) })),
  );
}
