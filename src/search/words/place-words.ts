import { createRequire } from 'node:module';
import { listNamedCities } from '#records/places/city-names.ts';
import { countryName, listCountries, listCountryNames } from '#records/places/countries.ts';
import { languageName, listLanguages } from '#records/places/languages.ts';
import { listRegions } from '#records/places/regions.ts';
import { isAscii, isSpaceless, nameKey } from '#text/fold.ts';
import type { NamedConcepts } from './concept-words.ts';
import { cityConcept, countryConcept, regionConcept } from './concepts.ts';
import largeCities from './large-cities.json' with { type: 'json' };
import { isFiller, isNoPlace } from './query-words.ts';
import { formsOfCity, formsOfCountry, formsOfNationality, formsOfPlace, stemOfCountry } from './word-forms.ts';

/*
 * The names of places, languages and nationalities, and the concepts they stand for. Countries and languages come from CLDR,
 * nationalities from i18n-nationality, regions from ISO 3166-2, cities from GeoNames.
 */

/** The languages in which names of countries and languages are known, besides their own. */
const languagesOfNames =
  'es fr de it pt ru uk pl cs el tr hu fi sv nb da nl ro hr sk sl bg vi ar fa he hi bn zh zh-Hant ja ko id'.split(' ');
/** Those in which names of nationalities are known. */
export const mainNationalities = ['en', 'es', 'fr', 'de', 'it'];
export const otherNationalities = ['nl', 'no', 'fi'];
/** Languages in which an adjective names a language and says of a country: `греческое радио`. */
const languagesOfAdjectives = 'ru uk pl cs pt el hu sv da nb hr bg ro'.split(' ');

/** In other languages, shorter names of countries and languages are often another word. */
const longEnough = /^[\p{Script=Arabic}\p{Script=Hebrew}]{3}|^.{4}/u;

/** The English names of countries. */
export function addCountries({ byWord }: NamedConcepts): void {
  for (const { code, name } of listCountries()) byWord.add(countryConcept(code), name);
}

/** The names of languages, in English and in themselves. */
export function addLanguages({ byWord }: NamedConcepts): void {
  for (const { code, name } of listLanguages()) {
    for (const text of [name, languageName(code, code)]) byWord.add(`language.${code}`, text);
  }
}

/** The names of countries and languages in other languages, with their forms. `isFree`: whether a name is no other word. */
export function addNamesInLanguages(
  { byWord, byStem }: NamedConcepts,
  isFree: (name: string, isCountry: boolean) => boolean,
): void {
  // `Brasilia` is Brazil in Finnish, and `Tunis` Tunisia in Croatian.
  const cities = new Set(
    listNamedCities(largeCities).map(({ country, names: [listed = ''] }) => cityConcept(listed, country)),
  );
  for (const language of languagesOfNames) {
    const add = (concept: string, name: string) => {
      const key = nameKey(name);
      if (cities.has(`${concept.replace(/^country/, 'city')}.${key.replaceAll(' ', '_')}`)) return;
      if ((longEnough.test(name) || isSpaceless(name)) && isFree(key, concept.startsWith('country.')))
        byWord.add(concept, name);
      const stem = stemOfCountry(key);
      if (stem !== null) byStem.add(concept, stem);
    };
    for (const { code } of listCountries()) {
      const name = countryName(code, language);
      add(countryConcept(code), name);
      for (const form of formsOfCountry(nameKey(name), language).filter((declined) => isFree(declined, true)))
        byWord.add(countryConcept(code), form);
    }
    for (const { code } of listLanguages()) add(`language.${code}`, languageName(code, language));
  }
}

/** The names of regions, and their codes in addresses. */
export function addRegions(words: NamedConcepts): void {
  for (const { country, code, names, isInAddresses } of listRegions()) {
    const concept = regionConcept(country, code);
    const isLong = (name: string) => name.length > 3 || isSpaceless(name);
    const isName = (name: string) => isLong(name) && !isFiller(name) && !isNoPlace(nameKey(name));
    for (const name of names.filter(isName)) addPlace(words, concept, name, country);
    if (isInAddresses) words.byCode.add(concept, code);
  }
}

export function addCities(words: NamedConcepts): void {
  const inWords = new Set(words.byWord.keys());
  for (const { country, names } of listNamedCities(largeCities)) {
    const concept = cityConcept(names[0] ?? '', country);
    for (const name of names) addPlace(words, concept, name, country);
    const declined = names.flatMap((name) => formsOfCity(name, country));
    for (const form of declined.filter((candidate) => !inWords.has(candidate))) words.byWord.add(concept, form);
  }
}

function addPlace({ byWord, byStem }: NamedConcepts, concept: string, name: string, country: string): void {
  const { forms, stem } = formsOfPlace(name, country);
  for (const form of [name, ...forms]) byWord.add(concept, form);
  if (stem !== null) byStem.add(concept, stem);
}

export function addNationalities({ byWord }: NamedConcepts, languagesOfNationalities: readonly string[]): void {
  const require = createRequire(import.meta.url);
  const inWordFiles = new Set(byWord.keys());
  for (const language of languagesOfNationalities) {
    const { nationalities } = require(`i18n-nationality/langs/${language}.json`);
    for (const [code, names] of Object.entries<string>(nationalities)) {
      for (const name of names.split(/ - | or |[,/]/).filter((nationality) => !isNoPlace(nameKey(nationality)))) {
        byWord.add(countryConcept(code), name);
        // `indiana` is known before, as a state.
        const forms = formsOfNationality(nameKey(name), language);
        for (const form of forms.filter((candidate) => !inWordFiles.has(candidate) && !isNoPlace(candidate)))
          byWord.add(countryConcept(code), form);
      }
    }
  }
}

/** The countries of adjectives that also name a language, in languages where most do: `polskie radio`. After addNationalities. */
export function addAdjectives({ byWord, byStem }: NamedConcepts): void {
  const inWords = new Set(byWord.keys());
  for (const { code, name } of listLanguages()) {
    const countries = (byWord.get(nameKey(name)) ?? []).filter((concept) => concept.startsWith('country.'));
    for (const language of countries.length > 0 ? languagesOfAdjectives : []) {
      const adjective = nameKey(languageName(code, language));
      // `dan` (Danish in Hungarian) is another word.
      if (!byWord.get(adjective)?.includes(`language.${code}`)) continue;
      const stem = stemOfCountry(adjective);
      const forms = formsOfNationality(adjective, language).filter(
        (candidate) => !inWords.has(candidate) && !isNoPlace(candidate),
      );
      for (const country of countries) {
        for (const form of [adjective, ...forms]) byWord.add(country, form);
        if (stem !== null) byStem.add(country, stem);
      }
    }
  }
}

/** Names of countries that sources use and that stand for nothing else. */
export function addOtherCountries({ byWord }: NamedConcepts): void {
  const isFree = (name: string) => (longEnough.test(name) || !isAscii(name)) && !byWord.has(name) && !isNoPlace(name);
  for (const [name, code] of listCountryNames().filter(([name]) => isFree(name)))
    byWord.add(countryConcept(code), name);
}
