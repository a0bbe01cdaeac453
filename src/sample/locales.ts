import type { Dice } from './dice.ts';
import { latinLocales } from './latin-locales.ts';
import { type Locale, readLocale } from './locale.ts';
import { otherLocales } from './other-locales.ts';
import type { Place } from './places.ts';

const locales = new Map([...latinLocales, ...otherLocales].map((source) => [source.tag, readLocale(source)]));
const english = localeOf('en');

/** Places that write Chinese in traditional characters. */
const traditionalChinese: ReadonlySet<string> = new Set(['TW', 'HK', 'MO']);

/** Languages of large immigrant groups, which have media there too. */
const otherLanguages: Readonly<Record<string, readonly string[]>> = {
  US: ['es', 'es', 'es', 'zh', 'ru', 'vi', 'ko', 'pl', 'ar'],
  GB: ['pl', 'ar', 'ro'],
  CA: ['fr', 'fr', 'fr', 'zh', 'uk', 'it'],
  AU: ['zh', 'el', 'it', 'vi'],
  DE: ['tr', 'ru', 'ar'],
  FR: ['ar', 'pt'],
  IL: ['ru', 'ar'],
  SE: ['ar'],
};

/** A language for a medium in the place; English if there is no place. */
export function pickLocale(place: Place | null, dice: Dice): Locale {
  if (place === null) return english;
  if (dice.chance(0.04)) return english;
  const others = otherLanguages[place.country];
  if (others !== undefined && dice.chance(0.12)) return localeOf(dice.pick(others));
  const spoken = spokenIn(place);
  return dice.chance(0.85) ? (spoken[0] ?? english) : dice.pick(spoken);
}

const spokenByCountry = new Map<string, readonly Locale[]>();

/** The supported languages of the country, the main one first; English if none is supported. */
function spokenIn({ country, languages }: Place): readonly Locale[] {
  const known = spokenByCountry.get(country);
  if (known) return known;
  const tags = languages.map((tag) => (tag === 'zh' && traditionalChinese.has(country) ? 'zh-Hant' : tag));
  const found = tags.map((tag) => locales.get(tag)).filter((locale) => locale !== undefined);
  const spoken = found.length > 0 ? found : [english];
  spokenByCountry.set(country, spoken);
  return spoken;
}

function localeOf(tag: string): Locale {
  const locale = locales.get(tag);
  if (locale === undefined) throw new RangeError(`no words for the language ${tag}`);
  return locale;
}
