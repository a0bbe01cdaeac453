import type { Category } from '#records/vocabularies.ts';
import { fold } from '#text/fold.ts';
import details from './details.json' with { type: 'json' };
import type { Dice } from './dice.ts';
import sources from './locales.json' with { type: 'json' };

/** Nouns of media, names of people, and the parts that invented names are made of. */
type Lists = 'press' | 'magazine' | 'radio' | 'tv' | 'podcast' | 'newsletter' | 'given' | 'family';
type Parts = 'heads' | 'middles' | 'tails';

/** The words that names of media and people are made of in one language: `native|latin` where scripts differ. */
export interface Locale extends Record<Lists | Parts, readonly string[]> {
  /** BCP 47. */
  tag: string;
  /** Separator between the words of a name: empty in Chinese and Japanese. */
  space: string;
  /** Links a noun with its place: "Farol de Sevilla". */
  of: string;
  /** Whether the noun comes first: "Diario Belario", not "Belario Tagblatt". */
  nounFirst: boolean;
  familyFirst: boolean;
  /** Whether names are also given in Latin letters. */
  isRomanised: boolean;
  topics: Partial<Record<Category, string>>;
  /** Job titles in this language, in addition to the English ones. */
  titles: readonly string[];
  /** Cities by their English names, for scripts that write them differently. */
  cities: Readonly<Record<string, string>>;
  /** Two sentences with the placeholders {place}, {topic} and {other}; none if descriptions are in English. */
  descriptions: readonly string[];
}

const locales = new Map(
  (sources as Partial<Locale>[]).map((source) => [source.tag, { ...details.locale, ...source } as Locale]),
);
const english = localeOf('en');

/** The languages of large immigrant groups, which have media too. */
const otherLanguages: Readonly<Record<string, readonly string[]>> = details.otherLanguages;

/** Places that write Chinese in traditional characters. */
const traditionalChinese: ReadonlySet<string> = new Set(['TW', 'HK', 'MO']);

/** The part of a place that decides which language a medium there has. */
type Speaking = { country: string; languages: readonly string[] };

/** A language for a medium in the place; English if there is no place. */
export function pickLocale(place: Speaking | null, dice: Dice): Locale {
  if (place === null) return english;
  if (dice.chance(0.04)) return english;
  const languagesThere = otherLanguages[place.country];
  if (languagesThere !== undefined && dice.chance(0.12)) return localeOf(dice.pick(languagesThere));
  const spoken = spokenIn(place);
  return dice.chance(0.85) ? (spoken[0] ?? english) : dice.pick(spoken);
}

/** The supported languages of the country, the main one first; English if none is supported. */
function spokenIn({ country, languages }: Speaking): readonly Locale[] {
  const tags = languages.map((tag) => (tag === 'zh' && traditionalChinese.has(country) ? 'zh-Hant' : tag));
  const spoken = tags.map((tag) => locales.get(tag)).filter((locale) => locale !== undefined);
  return spoken.length > 0 ? spoken : [english];
}

function localeOf(tag: string): Locale {
  const locale = locales.get(tag);
  if (locale === undefined) throw new RangeError(`no words for the language ${tag}`);
  return locale;
}

export function textOf(word: string): string {
  return word.split('|', 1)[0] ?? '';
}

export function latinOf(word: string): string {
  return word.split('|').at(-1) ?? '';
}

/** The text in letters that host names allow. */
export function hostPart(text: string): string {
  return fold(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
