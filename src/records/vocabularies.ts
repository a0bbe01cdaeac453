type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? [First, ...Words<Rest>] : [Text];

function wordsOf<Text extends string>(text: Text): Readonly<Words<Text>> {
  return text.split(' ') as Words<Text>;
}

/** The closed vocabularies of a record, in the order shown in errors and docs. */
export const kinds = wordsOf('outlet podcast newsletter');

export const continents = wordsOf('africa antarctica asia europe north_america oceania south_america');

export const outletTypes = wordsOf('newspaper magazine journal tv radio online blog wire other');

/** One list mapped from Apple Podcasts' categories and the IPTC Media Topics. */
export const categories = wordsOf(
  'arts automotive business climate comedy crime culture education entertainment faith fashion finance food gaming general_news health history home kids legal local_news music parenting politics science society sports technology travel other',
);

export const coverages = wordsOf('local regional national international');

export const citySizes = wordsOf('town small medium large mega');

export const emailStatuses = wordsOf('valid invalid accept_all webmail disposable unknown');

export const frequencies = wordsOf('daily weekly biweekly monthly quarterly irregular continuous');

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
