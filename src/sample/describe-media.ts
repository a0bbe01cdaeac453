import type { Category, Kind, OutletType } from '#records/vocabularies.ts';
import type { Dice } from './dice.ts';
import { type Locale, textOf } from './locale.ts';
import sentences from './sentences.json' with { type: 'json' };

/** `topicWords`: what articles on a topic are about, as people search for it. `everydayWords`: for media with one topic. */
const { firstSentences, secondSentences, everydayWords } = sentences;
const topicWords: Readonly<Record<Category, readonly string[]>> = sentences.topicWords;

interface Description {
  locale: Locale;
  kind: Kind;
  type: OutletType | null;
  categories: readonly Category[];
  /** The city or country it covers; null if it is for everybody. */
  placeName: string | null;
}

/** Two short sentences, in the medium's own language if we have words for it, otherwise in English. */
export function describeMedia({ locale, kind, type, categories, placeName }: Description, dice: Dice): string {
  const place = placeName ?? 'every country';
  const [first = 'other', second = first] = categories;
  if (locale.descriptions.length > 0 && placeName !== null && dice.chance(0.4)) {
    const own = describeInOwnWords(locale, first, second, placeName, dice);
    if (own !== null) return own;
  }
  const what = wordFor(kind, type);
  const filled: Record<string, string> = {
    What: what.charAt(0).toUpperCase() + what.slice(1),
    what,
    place,
    topic: dice.pick(topicWords[first]),
    other: dice.pick(second === first ? everydayWords : topicWords[second]),
    third: dice.pick(topicWords[first]),
  };
  return fill(`${dice.pick(firstSentences)} ${dice.pick(secondSentences)}`, filled);
}

function describeInOwnWords(locale: Locale, first: Category, second: Category, placeName: string, dice: Dice) {
  const topic = locale.topics[first];
  const other = locale.topics[second === first ? 'society' : second];
  if (topic === undefined || other === undefined || topic === other) return null;
  const place = locale.isRomanised ? locale.cities[placeName] : placeName;
  if (place === undefined) return null;
  return fill(dice.pick(locale.descriptions), {
    place: textOf(place),
    topic: textOf(topic).toLowerCase(),
    other: textOf(other).toLowerCase(),
  });
}

function wordFor(kind: Kind, type: OutletType | null): string {
  if (kind !== 'outlet') return kind;
  if (type === 'tv') return 'TV channel';
  if (type === 'radio') return 'radio station';
  if (type === 'wire') return 'news agency';
  if (type === 'online') return 'news site';
  return type === null || type === 'other' ? 'publication' : type;
}

function fill(template: string, words: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, key: string) => words[key] ?? '');
}
