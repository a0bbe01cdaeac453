import { nameKey } from '#text/fold.ts';
import { once } from '#text/memoize.ts';
import citiesByCountry from './city-names.json' with { type: 'json' };
import { spellingsIn } from './countries.ts';

interface City {
  /** Its name in GeoNames. */
  listed: string;
  /** All its names in nameKey form, that one first: in the languages spoken there, and other common and former ones. */
  names: string[];
}

/** Cities by country and name: `DE munich`. */
const cities = once(() => {
  const cityOfName = new Map<string, City>();
  for (const [country, listed] of Object.entries(citiesByCountry)) {
    for (const [name, otherSpellings] of Object.entries<string>(listed)) {
      const names = [...new Set([name, ...otherSpellings.split(', ')].flatMap((text) => spellingsIn(text, country)))];
      for (const spelling of names) cityOfName.set(`${country} ${spelling}`, { listed: name, names });
    }
  }
  return cityOfName;
});

/** All names of a city in nameKey form, the one that GeoNames lists first; only its own if no other is known. */
export function namesOfCity(city: string, country: string | null): readonly string[] {
  return findCity(city, country)?.names ?? spellingsIn(city, country);
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
  for (const name of spellingsIn(city, country)) {
    const namedCity = cities().get(`${country} ${name}`);
    if (namedCity !== undefined) return namedCity;
  }
  return undefined;
}

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
