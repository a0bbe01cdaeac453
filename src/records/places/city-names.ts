import { once } from '#text/memoize.ts';
import citiesByCountry from './city-names.json' with { type: 'json' };
import { spellingsIn } from './place-spellings.ts';

/**
 * All names of each city (in the languages spoken there, and other common and former ones), in nameKey form, by the country and each of the names;
 * first the one under which GeoNames lists it.
 */
const cities = once(() => {
  const known = new Map<string, string[]>();
  for (const [country, listed] of Object.entries(citiesByCountry)) {
    for (const [name, others] of Object.entries<string>(listed)) {
      const names = [...new Set([name, ...others.split(', ')].flatMap((text) => spellingsIn(text, country)))];
      for (const one of names) known.set(`${country} ${one}`, names);
    }
  }
  return known;
});

/** All names of a city in nameKey form, the one that GeoNames lists first; only its own if no other is known. */
export function namesOfCity(city: string, country: string | null): readonly string[] {
  const own = spellingsIn(city, country);
  const name = own.find((spelling) => cities().has(`${country} ${spelling}`));
  return name === undefined ? own : (cities().get(`${country} ${name}`) ?? own);
}

/** Every city that has other names, and the others of these lists (names with commas, by country), each with all of its names. */
export function listNamedCities(
  others: Readonly<Record<string, string>>,
): Array<{ country: string; names: readonly string[] }> {
  const named = Object.entries(citiesByCountry).map(([country, listed]) => [country, Object.keys(listed)] as const);
  const more = Object.entries(others).map(([country, names]) => [country, names.split(', ')] as const);
  return [...named, ...more].flatMap(([country, cities]) =>
    cities.map((city) => ({ country, names: namesOfCity(city, country) })),
  );
}
