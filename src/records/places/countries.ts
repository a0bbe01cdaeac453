import { continents as continentNames, countries as facts } from 'countries-list';
import isoCountries from 'i18n-iso-countries/index.js';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { isAscii, nameKey, normalForm } from '#text/fold.ts';
import { memoize, once } from '#text/memoize.ts';
import { type Continent, continents } from '../vocabularies.ts';
import otherNames from './country-names.json' with { type: 'json' };

isoCountries.registerLocale(english);

/** What a source's country name means: a code, and the region if the name is only a part of a country. */
export interface CountryMatch {
  /** ISO 3166-1 alpha-2; also XK for Kosovo, and the reserved codes AC and TA. */
  code: string;
  region?: string;
}

const continentsByCode = new Map(
  Object.entries(continentNames).map(([code, name]) => [code, continentNamed(name)] as const),
);

function continentNamed(name: string): Continent | null {
  const slug = nameKey(name).replaceAll(' ', '_');
  return continents.find((continent) => continent === slug) ?? null;
}

/** Parts of the United Kingdom that sources name as countries. */
const partsOfBritain = ['England', 'Scotland', 'Wales', 'Northern Ireland'];

const displayNames = new Intl.DisplayNames('en', { type: 'region' });
const namesByCode = new Map(Object.keys(facts).map((code) => [code, displayNames.of(code) ?? code]));

/** Later ones win; the names that the product shows are among them. Made when needed: threads that search need none. */
const byName = once(() => {
  const matches = new Map<string, CountryMatch>();
  for (const [code, name] of namesByCode) matches.set(nameKey(name), { code });
  for (const [code, names] of Object.entries(isoCountries.getNames('en', { select: 'all' }))) {
    for (const name of names) matches.set(nameKey(name), { code });
  }
  for (const [code, { name, native }] of Object.entries(facts)) {
    for (const text of [native, name]) matches.set(nameKey(text), { code });
  }
  // What the packages lack: short, former and official names, in nameKey form.
  for (const [code, names] of Object.entries(otherNames)) {
    for (const name of names.split(', ')) matches.set(name, { code });
  }
  for (const region of partsOfBritain) matches.set(nameKey(region), { code: 'GB', region });
  return matches;
});

/** Finds a country by its two- or three-letter code or its name in English or its own language. `Scotland` is a region of GB. */
export function findCountry(input: string): CountryMatch | null {
  const named = byName().get(nameKey(input));
  if (named) return named;
  const code = input.trim().toUpperCase();
  if (code === 'XKX') return { code: 'XK' };
  if (/^[A-Z]{2}$/.test(code)) return namesByCode.has(code) || isoCountries.isValid(code) ? { code } : null;
  if (!/^[A-Z]{3}$/.test(code)) return null;
  const alpha2 = isoCountries.alpha3ToAlpha2(code);
  return alpha2 === undefined ? null : { code: alpha2 };
}

/** Lists name countries and languages in these languages, besides English and their own. */
export const otherLanguages = 'ar bg cs el fa hi hu id ja ko pl ro ru sv tr uk zh zh-Hant de es fr it nl pt'.split(' ');
const byOtherName = once(
  () =>
    new Map(
      [...namesByCode.keys()].flatMap((code) =>
        otherLanguages.map((language) => [nameKey(countryName(code, language)), { code }]),
      ),
    ),
);

/** Finds a country by its name in one of the other languages: Allemagne. Null if findCountry knows the name. */
export const findForeignCountry = memoize((name: string): CountryMatch | null =>
  findCountry(name) === null ? (byOtherName().get(nameKey(name)) ?? null) : null,
);

/** The name of an alpha-2 code in its usual form (CLDR), in English or the given language; the code if it is unknown. */
export function countryName(code: string, inLanguage = 'en'): string {
  if (inLanguage === 'en') return namesByCode.get(code) ?? code;
  return namesIn(inLanguage).of(code) ?? code;
}

const namesIn = memoize((language) => new Intl.DisplayNames(language, { type: 'region' }));

/** Every alpha-2 code with its English name, for errors and suggestions. */
export function listCountries(): ReadonlyArray<{ code: string; name: string }> {
  return Object.keys(facts).map((code) => ({ code, name: countryName(code) }));
}

/** The codes of countries by all names of them that lists have, in nameKey form: `republic of ireland`, `сша`. */
export function listCountryNames(): [name: string, code: string][] {
  return [...byName()].flatMap(([name, { code, region }]) => (region === undefined ? [[name, code]] : []));
}

/** The continent of an alpha-2 code; null for a code without one. */
export function continentOf(code: string): Continent | null {
  const fact = (facts as Record<string, { continent: string }>)[code];
  return fact ? (continentsByCode.get(fact.continent) ?? null) : null;
}

/** The continent of a slug, two-letter code or English name; null if unknown. */
export function findContinent(input: string): Continent | null {
  return continentNamed(input) ?? continentsByCode.get(nameKey(input).toUpperCase()) ?? null;
}

/** Countries where people write umlauts as two letters: Muenchen, Koebenhavn. */
const countriesWithUmlauts = new Set(['AT', 'CH', 'DE', 'DK', 'FI', 'LI', 'NO', 'SE']);
const pairs: Readonly<Record<string, string>> = { ä: 'ae', æ: 'ae', ö: 'oe', ø: 'oe', ü: 'ue', å: 'aa' };

/** First words of names that may be short. Not in countries with umlauts, where `St.` is Sankt. */
const shortWords: Readonly<Record<string, string>> = { saint: 'st', fort: 'ft', mount: 'mt' };
const longWords = Object.fromEntries(Object.entries(shortWords).map(([long, short]) => [short, long]));

/** A name in nameKey form, and the other forms in which people write it there, always in the same order but for umlauts. */
export function spellingsIn(place: string, country: string | null): string[] {
  const name = nameKey(place);
  if (country === null) return [name];
  // `Osaka-shi`: the city of Osaka.
  if (country === 'JP' && name.endsWith(' shi')) return [name.replace(/ shi$/, ''), name];
  if (!countriesWithUmlauts.has(country)) {
    const [, word = '', rest = ''] = /^(saint|st|fort|ft|mount|mt)( .+)$/.exec(name) ?? [];
    const long = longWords[word] ?? word;
    return rest === '' ? [name] : [long + rest, shortWords[long] + rest];
  }
  const lower = normalForm(place, 'NFC').toLowerCase();
  const other = isAscii(place)
    ? name.replace(/(?<![aeq])ue|oe|ae|aa/g, (pair) => pair.charAt(0))
    : nameKey(lower.replace(/[äæöøüå]/g, (letter) => pairs[letter] ?? letter));
  return [...new Set([name, other])];
}
