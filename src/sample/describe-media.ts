import type { Category, Kind, OutletType } from '#records/vocabularies.ts';
import type { Dice } from './dice.ts';
import type { Locale } from './locale.ts';

export interface Description {
  locale: Locale;
  kind: Kind;
  type: OutletType | null;
  categories: readonly Category[];
  /** The city or country it covers; null if it is for everybody. */
  placeName: string | null;
}

const firstSentences = [
  '{What} on {topic} and {other} for people in {place}.',
  '{What} from {place} about {topic}, {other} and the people behind them.',
  'An independent {what} that follows {topic} and {other} in {place}.',
  '{What} for everyone in {place} who cares about {topic} or {other}.',
];

const secondSentences = [
  'Known for patient reporting and long interviews.',
  'Run by a small team and paid for by its subscribers.',
  'Tips and corrections are welcome on weekdays.',
  'Includes a calendar of events and a page of letters.',
  'Past issues are kept in an open archive.',
  'Started by former colleagues around a kitchen table.',
  'Looks at {third} once a month.',
  'Special editions deal with {third}.',
];

/** Other topics of a medium that has a single main topic. */
const everydayWords = ['daily life', 'the weather', 'people next door', 'the week ahead'];

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
  const place = locale.isRomanised ? locale.cities[placeName]?.text : placeName;
  if (place === undefined) return null;
  return fill(dice.pick(locale.descriptions), {
    place,
    topic: topic.text.toLowerCase(),
    other: other.text.toLowerCase(),
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

/** What articles on a topic are about, in words people search for. */
const topicWords: Readonly<Record<Category, readonly string[]>> = {
  arts: ['painting', 'theatre', 'sculpture', 'galleries', 'design', 'photography'],
  automotive: ['electric cars', 'motorcycles', 'classic cars', 'charging points', 'motor racing'],
  business: ['small companies', 'exports', 'retail', 'wages', 'start-ups', 'family firms'],
  climate: ['renewable energy', 'floods', 'rewilding', 'carbon prices', 'heat waves', 'clean air'],
  comedy: ['satire', 'stand-up', 'sketches', 'parody'],
  crime: ['court cases', 'cold cases', 'fraud', 'policing'],
  culture: ['festivals', 'museums', 'folk traditions', 'literature', 'architecture'],
  education: ['schools', 'universities', 'apprenticeships', 'exams', 'literacy'],
  entertainment: ['cinema', 'television series', 'celebrities', 'streaming', 'video'],
  faith: ['churches', 'mosques', 'temples', 'pilgrimage', 'ethics'],
  fashion: ['tailoring', 'street style', 'textiles', 'jewellery'],
  finance: ['markets', 'pensions', 'banking', 'mortgages', 'savings', 'insurance'],
  food: ['recipes', 'restaurants', 'farming', 'wine', 'baking', 'markets'],
  gaming: ['video games', 'board games', 'esports', 'game studios'],
  general_news: ['breaking news', 'world affairs', 'weather', 'investigations', 'interviews'],
  health: ['hospitals', 'nutrition', 'mental health', 'vaccines', 'nursing', 'fitness'],
  history: ['archives', 'archaeology', 'railways', 'castles', 'oral history'],
  home: ['gardening', 'interiors', 'repairs', 'housing'],
  kids: ['bedtime stories', 'playgrounds', 'picture books', 'toys'],
  legal: ['court rulings', 'contracts', 'human rights', 'legislation'],
  local_news: ['council meetings', 'road works', 'neighbours', 'planning', 'high street shops'],
  music: ['jazz', 'choirs', 'folk songs', 'concerts', 'vinyl', 'opera'],
  parenting: ['newborns', 'teenagers', 'childcare', 'adoption'],
  politics: ['elections', 'parliament', 'taxes', 'foreign policy', 'town halls'],
  science: ['astronomy', 'biology', 'physics', 'laboratories', 'oceans', 'fossils'],
  society: ['migration', 'volunteers', 'housing', 'equality', 'ageing'],
  sports: ['football', 'cycling', 'athletics', 'basketball', 'cricket', 'rowing'],
  technology: ['software', 'artificial intelligence', 'cyber security', 'robotics', 'chips', 'privacy'],
  travel: ['rail journeys', 'hiking', 'hotels', 'islands', 'city breaks', 'camping'],
  other: ['crosswords', 'chess', 'radio amateurs', 'collecting', 'genealogy'],
};
