/** The closed vocabularies of a record, in the order shown in errors and docs. */
export const kinds = ['outlet', 'podcast', 'newsletter'] as const;

export const continents = [
  'africa',
  'antarctica',
  'asia',
  'europe',
  'north_america',
  'oceania',
  'south_america',
] as const;

export const outletTypes = [
  'newspaper',
  'magazine',
  'journal',
  'tv',
  'radio',
  'online',
  'blog',
  'wire',
  'other',
] as const;

/** One list mapped from Apple Podcasts' categories and the IPTC Media Topics. */
export const categories = [
  'arts',
  'automotive',
  'business',
  'climate',
  'comedy',
  'crime',
  'culture',
  'education',
  'entertainment',
  'faith',
  'fashion',
  'finance',
  'food',
  'gaming',
  'general_news',
  'health',
  'history',
  'home',
  'kids',
  'legal',
  'local_news',
  'music',
  'parenting',
  'politics',
  'science',
  'society',
  'sports',
  'technology',
  'travel',
  'other',
] as const;

export const coverages = ['local', 'regional', 'national', 'international'] as const;

export const citySizes = ['town', 'small', 'medium', 'large', 'mega'] as const;

export const emailStatuses = ['valid', 'invalid', 'accept_all', 'webmail', 'disposable', 'unknown'] as const;

export const frequencies = ['daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'irregular', 'continuous'] as const;

export type Kind = (typeof kinds)[number];
export type Continent = (typeof continents)[number];
export type OutletType = (typeof outletTypes)[number];
export type Category = (typeof categories)[number];
export type Coverage = (typeof coverages)[number];
export type CitySize = (typeof citySizes)[number];
export type EmailStatus = (typeof emailStatuses)[number];
export type Frequency = (typeof frequencies)[number];

/** The size class of a city with `population` inhabitants (based on the OECD's classes, lower bounds inclusive). */
export function citySizeOf(population: number): CitySize {
  if (population < 50_000) return 'town';
  if (population < 200_000) return 'small';
  if (population < 500_000) return 'medium';
  if (population < 1_500_000) return 'large';
  return 'mega';
}
