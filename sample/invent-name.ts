import type { Category, Kind, OutletType } from '#domain/vocabularies.ts';
import type { Dice } from './dice.ts';
import type { Locale, Word } from './locale.ts';
import type { Place } from './places.ts';
import { wellKnownNames } from './well-known-names.ts';

/** An invented name, in its own script and in Latin letters. */
export interface InventedName {
  text: string;
  /** Same as `text` if that is in Latin letters. */
  latin: string;
  /** As it appears in a host name. */
  slug: string;
  /** Its invented word, in Latin letters; null if the name is that of a place. */
  brand: string | null;
}

export interface Naming {
  locale: Locale;
  kind: Kind;
  type: OutletType | null;
  topic: Category;
  place: Place | null;
}

/** Invents a name for a medium, never one of the best-known real ones. */
export function inventName(naming: Naming, dice: Dice): InventedName {
  for (;;) {
    const name = composeName(naming, dice);
    if (!wellKnownNames.has(name.slug)) return name;
  }
}

function composeName({ locale, kind, type, topic, place }: Naming, dice: Dice): InventedName {
  const noun = dice.pick(nounsFor(locale, kind, type));
  const topicWord = dice.chance(0.55) ? locale.topics[topic] : undefined;
  const known = place === null ? undefined : cityWord(locale, place);
  const city = dice.chance(kind === 'outlet' ? 0.55 : 0.2) ? known : undefined;
  const brand = city !== undefined && dice.chance(0.35) ? undefined : inventBrand(locale, dice);
  const words = orderWords(locale, noun, topicWord, brand, city);

  let { text, latin, slug } = words[0] ?? noun;
  for (const word of words.slice(1)) {
    const space = word === city && locale.nounFirst ? locale.of : locale.space;
    text += space + word.text;
    latin += (space || ' ') + word.latin;
    slug += `-${word.slug}`;
  }
  return { text, latin, slug: shorten(slug), brand: brand?.latin ?? null };
}

/** A part of a host name has at most 63 characters (RFC 1035). */
function shorten(slug: string): string {
  return slug.length <= 63 ? slug : slug.slice(0, slug.lastIndexOf('-', 63));
}

function nounsFor(locale: Locale, kind: Kind, type: OutletType | null): readonly Word[] {
  if (kind !== 'outlet') return locale[kind];
  if (type === 'radio' || type === 'tv') return locale[type];
  return type === 'magazine' || type === 'journal' ? locale.magazine : locale.press;
}

/** The city in the spelling of the language; undefined if unknown. */
function cityWord(locale: Locale, place: Place): Word | undefined {
  return locale.isRomanised ? locale.cities[place.city.text] : place.city;
}

/** "Belario Sport Kurier Bremen", "Bremen Sport Kurier", "Faro Cultura Belario de Lima", 上海明光科技日报. */
function orderWords(locale: Locale, noun: Word, topic?: Word, brand?: Word, city?: Word): Word[] {
  const cityFirst = locale.space === '' || brand === undefined;
  const order = locale.nounFirst
    ? [noun, topic, brand, city]
    : cityFirst
      ? [city, brand, topic, noun]
      : [brand, topic, noun, city];
  return order.filter((word) => word !== undefined);
}

/** A head, usually one middle or two, and a tail. */
function inventBrand(locale: Locale, dice: Dice): Word {
  const parts = [dice.pick(locale.heads)];
  if (dice.chance(0.75)) parts.push(dice.pick(locale.middles));
  if (dice.chance(0.3)) parts.push(dice.pick(locale.middles));
  parts.push(dice.pick(locale.tails));
  const brand = { text: '', latin: '', slug: '' };
  for (const { text, latin, slug } of parts) {
    brand.text += text;
    brand.latin += latin;
    brand.slug += slug;
  }
  return brand;
}
