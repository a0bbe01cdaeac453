import { countries as facts } from 'countries-list';
import isoCountries from 'i18n-iso-countries';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { nameKey } from '#domain/search/fold.ts';
import { type Continent, continents } from '#domain/vocabularies.ts';

isoCountries.registerLocale(english);

/** What a source's country name means: a code, and the region if the name is only a part of a country. */
export interface CountryMatch {
  /** ISO 3166-1 alpha-2; XK for Kosovo. */
  code: string;
  region?: string;
}

const continentCodes: Record<string, Continent> = {
  AF: 'africa',
  AN: 'antarctica',
  AS: 'asia',
  EU: 'europe',
  NA: 'north_america',
  OC: 'oceania',
  SA: 'south_america',
};

/** Common country names beyond those of the packages: short, former and official ones. */
const otherNames: Record<string, string> = {
  america: 'US',
  'united states of america': 'US',
  usa: 'US',
  'u s a': 'US',
  'u s': 'US',
  uk: 'GB',
  'u k': 'GB',
  'great britain': 'GB',
  britain: 'GB',
  'united kingdom of great britain and ireland': 'GB',
  'united kingdom of great britain and northern ireland': 'GB',
  'czech republic': 'CZ',
  macedonia: 'MK',
  'republic of ireland': 'IE',
  eire: 'IE',
  'republic of china': 'TW',
  'peoples republic of china': 'CN',
  'mainland china': 'CN',
  'democratic republic of congo': 'CD',
  'democratic republic of the congo': 'CD',
  'dr congo': 'CD',
  'congo kinshasa': 'CD',
  'republic of the congo': 'CG',
  'congo brazzaville': 'CG',
  laos: 'LA',
  syria: 'SY',
  vietnam: 'VN',
  brunei: 'BN',
  moldova: 'MD',
  bolivia: 'BO',
  venezuela: 'VE',
  tanzania: 'TZ',
  iran: 'IR',
  russia: 'RU',
  'russian federation': 'RU',
  'soviet union': 'RU',
  'russian socialist federative soviet republic': 'RU',
  'north korea': 'KP',
  'south korea': 'KR',
  korea: 'KR',
  burma: 'MM',
  swaziland: 'SZ',
  'cape verde': 'CV',
  'east timor': 'TL',
  'ivory coast': 'CI',
  'cote divoire': 'CI',
  palestine: 'PS',
  'state of palestine': 'PS',
  'vatican city': 'VA',
  vatican: 'VA',
  'holy see': 'VA',
  gambia: 'GM',
  'the gambia': 'GM',
  bahamas: 'BS',
  'the bahamas': 'BS',
  'virgin islands': 'VI',
  'us virgin islands': 'VI',
  'british virgin islands': 'VG',
  'dutch antilles': 'CW',
  'netherlands antilles': 'CW',
  'caribbean netherlands': 'BQ',
  'st lucia': 'LC',
  'st kitts and nevis': 'KN',
  'st vincent and the grenadines': 'VC',
  'st helena': 'SH',
  reunion: 'RE',
  curacao: 'CW',
  'sao tome and principe': 'ST',
  micronesia: 'FM',
  'hong kong': 'HK',
  macau: 'MO',
  macao: 'MO',
  'northern cyprus': 'CY',
  'bailiwick of guernsey': 'GG',
  'southern rhodesia': 'ZW',
  rhodesia: 'ZW',
  'german democratic republic': 'DE',
  'east germany': 'DE',
  'west germany': 'DE',
  'federal republic of germany': 'DE',
  'ottoman empire': 'TR',
  turkiye: 'TR',
  'qing dynasty': 'CN',
  'british raj': 'IN',
  'dutch republic': 'NL',
  holland: 'NL',
  yugoslavia: 'RS',
  'socialist federal republic of yugoslavia': 'RS',
  'serbia and montenegro': 'RS',
  'kingdom of denmark': 'DK',
  'kingdom of the netherlands': 'NL',
  kosovo: 'XK',
};

/** Parts of the United Kingdom that sources name as countries. */
const partsOfBritain = ['England', 'Scotland', 'Wales', 'Northern Ireland'];

const byName = new Map<string, CountryMatch>();
for (const [code, names] of Object.entries(isoCountries.getNames('en', { select: 'all' }))) {
  for (const name of names) byName.set(nameKey(name), { code });
}
for (const [code, { name }] of Object.entries(facts)) byName.set(nameKey(name), { code });
for (const [name, code] of Object.entries(otherNames)) byName.set(name, { code });
for (const region of partsOfBritain) byName.set(nameKey(region), { code: 'GB', region });

/**
 * The country of an alpha-2 or alpha-3 code or an English name, ignoring case and accents; null if unknown. England,
 * Scotland, Wales and Northern Ireland are regions of GB.
 */
export function findCountry(input: string): CountryMatch | null {
  const named = byName.get(nameKey(input));
  if (named) return named;
  const code = input.trim().toUpperCase();
  if (code === 'XK' || code === 'XKX') return { code: 'XK' };
  if (/^[A-Z]{2}$/.test(code)) return isoCountries.isValid(code) ? { code } : null;
  if (!/^[A-Z]{3}$/.test(code)) return null;
  const alpha2 = isoCountries.alpha3ToAlpha2(code);
  return alpha2 === undefined ? null : { code: alpha2 };
}

const displayNames = new Intl.DisplayNames('en', { type: 'region' });
const namesByCode = new Map(Object.keys(facts).map((code) => [code, displayNames.of(code) ?? code]));

/** The English name of an alpha-2 code in its usual form (CLDR); the code itself if it is unknown. */
export function countryName(code: string): string {
  return namesByCode.get(code) ?? code;
}

/** Every alpha-2 code with its English name, for errors and suggestions. */
export function listCountries(): ReadonlyArray<{ code: string; name: string }> {
  return Object.keys(facts).map((code) => ({ code, name: countryName(code) }));
}

/** The continent of an alpha-2 code; null for a code without one. */
export function continentOf(code: string): Continent | null {
  const fact = (facts as Record<string, { continent: string }>)[code];
  return fact ? (continentCodes[fact.continent] ?? null) : null;
}

/** The continent of a slug, two-letter code or English name; null if unknown. */
export function findContinent(input: string): Continent | null {
  const slug = nameKey(input).replaceAll(' ', '_');
  return continents.find((continent) => continent === slug) ?? continentCodes[slug.toUpperCase()] ?? null;
}
