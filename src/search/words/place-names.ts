import { wordsOfUses } from '#languages/words.ts';
import { listNamedCities, ownNamesOfCity } from '#records/places/city-names.ts';
import { listRegions } from '#records/places/regions.ts';
import { isSpaceless, nameKey } from '#text/fold.ts';
import { memoize, once } from '#text/memoize.ts';
import { cityConcept, regionConcept } from './concepts.ts';
import { conceptsOf } from './concepts-of.ts';
import largeCities from './large-cities.json' with { type: 'json' };
import { searchWords } from './search-words.ts';

/** A shorter name is often another word: Rio, Ain. In UTF-16 code units. */
const minLength = 4;

/** The names of regions and cities in nameKey form, by concept: `city.de.munich` → munich, munchen, muenchen. */
const namesByConcept = once((): ReadonlyMap<string, readonly string[]> => {
  const regions = listRegions().map(({ country, code, names }) => [regionConcept(country, code), names] as const);
  const cities = listNamedCities(largeCities).map(
    ({ country, names: [listed = ''] }) => [cityConcept(listed, country), ownNamesOfCity(listed, country)] as const,
  );
  const names = new Map([...regions, ...cities]);
  for (const [concept, adjectives] of adjectivesOfPlaces())
    names.set(concept, [...(names.get(concept) ?? []), ...adjectives]);
  return names;
});

/** The adjectives in the files of languages, but for those whose ending changes: `city.de.berlin` → berliner. */
function adjectivesOfPlaces(): (readonly [concept: string, adjectives: string[]])[] {
  return ['city.', 'region.'].flatMap((level) =>
    [...wordsOfUses(level)].map(([place, words]) => {
      return [level + place, words.filter((word) => !word.endsWith('*')).map(nameKey)] as const;
    }),
  );
}

/**
 * The names that a place has beside the typed one, as records that do not say where they are have them in their texts: `bavaria` →
 * bayern. None that stands for something else too: Saint Petersburg is also in Florida.
 */
export const otherNamesOfPlace = memoize((typedName: string): readonly string[] => {
  // `одессе` is a form of a name.
  const concepts = searchWords().byWord.get(typedName) ?? conceptsOf(typedName);
  const names = new Set(concepts.flatMap((concept) => namesByConcept().get(concept) ?? []));
  const countries = new Set(concepts.map(countryOf));
  // "New York City" has the typed `new york` in it, but "Oregon" is another word than `oreg`.
  const isTyped = (name: string) => ` ${name} `.includes(` ${typedName} `);
  return [...names].filter((name) => !isTyped(name) && isOnlyPlaceIn(countries, name));
});

function isOnlyPlaceIn(countries: ReadonlySet<string | undefined>, name: string): boolean {
  const concepts = searchWords().byWord.get(name) ?? [];
  const isLong = name.length >= minLength || isSpaceless(name);
  return isLong && concepts.length > 0 && concepts.every((concept) => countries.has(countryOf(concept)));
}

/** `region.de.by` and `city.de.munich` → `de` */
const countryOf = (concept: string) => /^(?:region|city)\.([^.]+)/.exec(concept)?.[1];
