import type { Category } from '#records/vocabularies.ts';
import { fold } from '#text/fold.ts';
import details from './details.json' with { type: 'json' };
import type { Dice } from './dice.ts';
import sources from './locales.json' with { type: 'json' };

/** A word as written, in Latin letters, and in a host name. */
export interface Word {
  text: string;
  latin: string;
  slug: string;
}

/**
 * A language as text: words separated by spaces, `_` for a space within a word, `native|latin` where scripts differ. Names
 * are also given in Latin letters where it has heads of its own.
 */
interface LocaleSource extends Record<Nouns, string> {
  /** BCP 47. */
  tag: string;
  /** Separator between the words of a name: empty in Chinese and Japanese. */
  space?: '';
  /** Whether the noun comes first: "Diario Belario", not "Belario Tagblatt". */
  nounFirst?: true;
  familyFirst?: true;
  /** Links a noun with its place: "Farol de Sevilla". */
  of?: string;
  /** Invented names have a head, up to two middles, and a tail. */
  heads?: string;
  middles?: string;
  tails?: string;
  /** In the order of `topicOrder`. */
  topics: string;
  /** Job titles in this language, in addition to the English ones. */
  titles?: readonly string[];
  /** Cities by their English names, for scripts that write them differently. */
  cities?: Readonly<Record<string, string>>;
  /** Two sentences with the placeholders {place}, {topic} and {other}; none if descriptions are in English. */
  descriptions?: readonly string[];
}

const nouns = ['given', 'family', 'press', 'magazine', 'radio', 'tv', 'podcast', 'newsletter'] as const;
type Nouns = (typeof nouns)[number];

/** The words that names of media and people are made of in one language. */
export type Locale = ReturnType<typeof readLocale>;

/** `topicOrder`: what every language here has a word for. `otherLanguages`: of large immigrant groups, which have media too. */
const { topicOrder, latinHeads, latinMiddles, latinTails } = details;
const otherLanguages: Readonly<Record<string, readonly string[]>> = details.otherLanguages;

const locales = new Map((sources as LocaleSource[]).map((source) => [source.tag, readLocale(source)]));
const english = localeOf('en');

/** Places that write Chinese in traditional characters. */
const traditionalChinese: ReadonlySet<string> = new Set(['TW', 'HK', 'MO']);

/** Of a place, what decides which language a medium there has. */
type Speaking = { country: string; languages: readonly string[] };

/** A language for a medium in the place; English if there is no place. */
export function pickLocale(place: Speaking | null, dice: Dice): Locale {
  if (place === null) return english;
  if (dice.chance(0.04)) return english;
  const others = otherLanguages[place.country];
  if (others !== undefined && dice.chance(0.12)) return localeOf(dice.pick(others));
  const spoken = spokenIn(place);
  return dice.chance(0.85) ? (spoken[0] ?? english) : dice.pick(spoken);
}

/** The supported languages of the country, the main one first; English if none is supported. */
function spokenIn({ country, languages }: Speaking): readonly Locale[] {
  const tags = languages.map((tag) => (tag === 'zh' && traditionalChinese.has(country) ? 'zh-Hant' : tag));
  const found = tags.map((tag) => locales.get(tag)).filter((locale) => locale !== undefined);
  return found.length > 0 ? found : [english];
}

function localeOf(tag: string): Locale {
  const locale = locales.get(tag);
  if (locale === undefined) throw new RangeError(`no words for the language ${tag}`);
  return locale;
}

function readLocale(source: LocaleSource) {
  const { space = ' ', nounFirst = false, familyFirst = false, titles = [], descriptions = [], cities = {} } = source;
  const topics = words(source.topics);
  const named: Partial<Record<Nouns, readonly Word[]>> = {};
  for (const key of nouns) named[key] = words(source[key]);
  return {
    tag: source.tag,
    isRomanised: source.heads !== undefined,
    ...{ space, nounFirst, familyFirst, titles, descriptions },
    of: source.of ? ` ${source.of} ` : space,
    ...(named as Record<Nouns, readonly Word[]>),
    heads: words(source.heads ?? latinHeads),
    middles: words(source.middles ?? latinMiddles),
    tails: words(source.tails ?? latinTails),
    topics: Object.fromEntries(topicOrder.map((topic, place) => [topic, topics[place]])) as Partial<
      Record<Category, Word>
    >,
    cities: Object.fromEntries(Object.entries(cities).map(([city, item]) => [city, readWord(item, city)])),
  };
}

function words(list: string): Word[] {
  return list.split(/\s+/).map((item) => readWord(item.replaceAll('_', ' ')));
}

function readWord(item: string, latinUnlessSaid?: string): Word {
  const [text = '', latin = latinUnlessSaid ?? text] = item.split('|');
  return word(text, latin);
}

export function word(text: string, latin: string): Word {
  return { text, latin, slug: hostPart(latin) };
}

/** The text in letters that host names allow. */
export function hostPart(text: string): string {
  return fold(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
