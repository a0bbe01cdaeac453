import english from 'cldr-subdivisions-full/subdivisions/en/en.json' with { type: 'json' };
import { iso31662 } from 'iso-3166';
import { nameKey } from '#text/fold.ts';
import { memoize, once } from '#text/memoize.ts';
import { findCountry, spellingsIn } from './countries.ts';
import usage from './region-usage.json' with { type: 'json' };

/** A subdivision of a country: a state, a province, a county. */
interface Region {
  /** The name in records: in English, or the local one for the countries of usage.localNames. */
  name: string;
  /** The second part of its ISO 3166-2 code. */
  code: string;
  /** The code of the larger region that has it, as Scotland has Edinburgh. */
  parent: string | null;
  /** All names and codes, in nameKey form. */
  forms: string[];
}

const englishNames: Readonly<Record<string, string>> = english.subdivisions.localeDisplayNames.subdivisions;
const betterNames: Readonly<Record<string, string>> = usage.englishNames;
const otherNames: Readonly<Record<string, string>> = usage.otherNames;
/** More names, mostly in the script of the country, by ISO 3166-2 code; of Slavic ones, the adjective before "oblast" or "krai". */
const namesByCountry = new Map(
  Object.entries(usage.namesByCountry).flatMap(([country, list]) =>
    list.split(', ').map((entry) => {
      const [code = '', ...names] = entry.split(' ');
      return [`${country}-${code}`, names.map((name) => name.replaceAll('_', ' '))];
    }),
  ),
);
const subdivisions = once(() => Map.groupBy(iso31662, ({ code }) => code.slice(0, 2)));

/** The regions of a country by each of their forms: names come before codes, and larger regions before their parts. */
const regionsOf = memoize((country) => {
  const listedDivisions = (subdivisions().get(country) ?? []).toSorted(
    (a, b) => Number(b.parent === country) - Number(a.parent === country),
  );
  const names = new Map<string, Region>();
  const codes = new Map<string, Region>();
  for (const { code: fullCode, name: official, parent: parentCode } of listedDivisions) {
    const code = fullCode.slice(3);
    // ISO has `Madrid, Comunidad de` and `Valle d'Aosta, Vallée d'Aoste`.
    const [local = official] = official.split(', ');
    const inEnglish = englishName(fullCode) ?? local;
    const name = usage.localNames.includes(country) ? local : inEnglish;
    const furtherNames = [...(otherNames[fullCode]?.split(', ') ?? []), ...(namesByCountry.get(fullCode) ?? [])];
    // Records of earlier imports may have the mark.
    const allNames = [name, local, official, inEnglish, markedName(fullCode) ?? local, ...furtherNames];
    const ownNames = allNames.flatMap((text) => spellingsIn(text, country));
    // Numbers and single letters mean something else in an address.
    const ownCodes = [fullCode, ...(/^[A-Z]{2,}$/.test(code) ? [code] : [])].flatMap((text) => spellingsIn(text, null));
    const parent = parentCode === country ? null : parentCode.slice(3);
    const region = { name, code, parent, forms: [...new Set([...ownNames, ...ownCodes])] };
    for (const form of ownNames) if (!names.has(form)) names.set(form, region);
    for (const form of ownCodes) if (!codes.has(form)) codes.set(form, region);
  }
  return new Map([...codes, ...names]);
});

/** CLDR marks a name that another region shares, or that was given up: `Gandaki²`. */
const markOfName = /[²³]| †$/;

const markedName = (fullCode: string) => englishNames[fullCode.replace('-', '').toLowerCase()];

const englishName = (fullCode: string) => betterNames[fullCode] ?? markedName(fullCode)?.replace(markOfName, '');

/** Memoized by country and text, because records name the same few regions. */
const findNamed = memoize((country) =>
  memoize((text) => {
    const [form = ''] = spellingsIn(text, null);
    return regionsOf(country).get(form);
  }),
);

function findRegion(region: string, country: string | null): Region | undefined {
  return country === null ? undefined : findNamed(country)(region);
}

/** Whether the text is a name or code of a region of the country. */
export function isRegion(text: string, country: string): boolean {
  return findRegion(text, country) !== undefined;
}

/** Whether the text is a name of a region in any country. */
export function isNamedRegion(text: string): boolean {
  return listRegions().some(({ names }) => names.includes(nameKey(text)));
}

/** The name of a region that is given by any name or code of ISO 3166-2 or usage; any other text as it is. */
export function longRegion(region: string, country: string | null): string {
  return findRegion(region, country)?.name ?? region;
}

/** All names and codes of a region in nameKey form, its long one first; only its own if it is not known. */
export function namesOfRegion(region: string, country: string | null): readonly string[] {
  return findRegion(region, country)?.forms ?? spellingsIn(region, null);
}

/** The second part of the ISO 3166-2 code of a region (`TX`), and of the one that it is a part of; empty if it is not known. */
export function regionCodes(region: string, country: string | null): readonly string[] {
  const { code = null, parent = null } = findRegion(region, country) ?? {};
  return [code, parent].filter((regionCode) => regionCode !== null);
}

/** The texts by which people search for a region: its local and English names, and its code if people write that in addresses. */
export function searchedNames(region: string, country: string | null): readonly string[] {
  const namedRegion = findRegion(region, country);
  if (namedRegion === undefined || country === null) return [region];
  const inEnglish = englishName(`${country}-${namedRegion.code}`);
  const isWritten = usage.codesInAddresses.includes(country);
  return [...new Set([namedRegion.name, ...(inEnglish ? [inEnglish] : []), ...(isWritten ? [namedRegion.code] : [])])];
}

/** With so many regions, codes count in every country, and one region more than the next country is enough. */
const manyRegions = 10;

/** The country that has nearly all of these regions, by name or code; null in doubt. */
export function countryOfRegions(regions: readonly string[]): string | null {
  const areMany = regions.length >= manyRegions;
  const regionCounts = [...subdivisions().keys()].map((country) => {
    const hasCodes = areMany || usage.codesInAddresses.includes(country);
    const regionsThere = regions.filter((region) => (hasCodes || region.length > 3) && isRegion(region, country));
    return { country, count: regionsThere.length };
  });
  const [best, second] = regionCounts.toSorted((a, b) => b.count - a.count);
  if (best === undefined || second === undefined || best.count < regions.length * 0.9) return null;
  // Several countries have a North, a Centre and a Victoria.
  return best.count > second.count * (areMany ? 1 : 2) ? best.country : null;
}

/** The country of a region in a list that is nearly all of one country; null if the region is of several others, or a country. */
export function countryOfRegion(region: string, listCountry: string): string | null {
  // The West is a part of many countries, but a region only of Cameroon.
  if (isRegion(region, listCountry) || usage.directions.includes(nameKey(region))) return listCountry;
  const otherCountries = [...subdivisions().keys()].filter(
    (country) => (region.length > 3 || usage.codesInAddresses.includes(country)) && isRegion(region, country),
  );
  // Lists of the US have `MX` among their states.
  if (otherCountries.length === 0) return findCountry(region) === null ? listCountry : null;
  return otherCountries.length === 1 ? (otherCountries[0] ?? null) : null;
}

/** Whether the text is the code of a region of a country where people write such codes in addresses. */
export function isWrittenAsCode(code: string, country: string): boolean {
  return usage.codesInAddresses.includes(country) && findRegion(code, country)?.code === code;
}

/** The largest regions of each country with their names; and their codes, where people write these in addresses. */
export function listRegions(): Array<{ country: string; code: string; names: string[]; isInAddresses: boolean }> {
  return iso31662
    .filter(({ code, parent }) => parent === code.slice(0, 2))
    .map(({ code: fullCode }) => {
      const [country = '', code = ''] = fullCode.split('-');
      const ofCode = spellingsIn(fullCode, null);
      const names = namesOfRegion(fullCode, country).filter((name) => !ofCode.includes(name));
      return { country, code, isInAddresses: usage.codesInAddresses.includes(country), names };
    });
}
