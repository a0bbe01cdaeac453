import { wordsOfUse, wordsOfUses } from '#languages/words.ts';
import { nameKey } from '#text/fold.ts';
import { memoize } from '#text/memoize.ts';
import { smallWords } from '#text/name-keys.ts';
import { sourceKeys } from '../fields.ts';
import type { MediaRecord } from '../media-record.ts';
import * as vocabularies from '../vocabularies.ts';

/*
 * The files of languages (src/languages) have the words that sources use for vocabulary values, such as `value.type.radio`. All
 * other words are unknown: a frequency such as "twice a week" has no matching value. Those of topics are the 19 categories and 90 subcategories of Apple Podcasts, the 17
 * roots of the IPTC Media Topics, and words that newsrooms use; one that fits several topics is of the first.
 */

/** @param field which of the fields that have words in the files of languages: `kind` for `value.kind.podcast` */
function finder<Value extends string>(vocabulary: readonly Value[], field: string): (text: string) => Value | null {
  const words = wordsOfUses(`value.${field}.`);
  const values = new Map<string, Value>();
  for (const value of vocabulary) {
    for (const word of [value.replaceAll('_', ' '), ...(words.get(value) ?? []).map(nameKey)]) {
      if (!values.has(word)) values.set(word, value);
    }
  }
  return (text) => values.get(nameKey(text)) ?? null;
}

/** Finds the value of a source's word, ignoring case and accents; null if unknown. */
export const findKind = finder(vocabularies.kinds, 'kind');
export const findOutletType = finder(vocabularies.outletTypes, 'type');
export const findCoverage = memoize(finder(vocabularies.coverages, 'coverage'));
export const findCitySize = memoize(finder(vocabularies.citySizes, 'city_size'));
export const findEmailStatus = memoize(finder(vocabularies.emailStatuses, 'email_status'));
export const findFrequency = memoize(finder(vocabularies.frequencies, 'frequency'));

/** Finds what multiplies a number: `thousand`, 万. */
export const findFactor = finder(['1e3', '1e4', '1e6', '1e8', '1e9'], 'factor');

const findTopic = finder(vocabularies.categories, 'category');
/** Finds the topic of a word or phrase in the same way; `&` stands for `and`. */
export const findCategory = memoize((word) => findTopic(word.replaceAll('&', ' and ')));

const topicLink = /&|\s(?:and|y|e|et|und)\s/i;

/** The topics that a phrase joins: `Crime & Justice`; only itself if it is one, or any part is none. */
export const partTopics = memoize((phrase): readonly string[] => {
  const parts = phrase.split(topicLink).map((part) => part.trim());
  const isList = findCategory(phrase) === null && parts.every((part) => findCategory(part) !== null);
  return isList ? parts : [phrase];
});

/** What a medium is, how it is published or who owns it: topic lists contain such words, but they are not topics. */
const formWords =
  /^(?:(?:daily|weekly|monthly|online|digital|free|street|alternative|regional|morning|african american|feminist|news|former|trade|open access|academic|student|local|official|print|tabloid|political|public|state|web|electronic) )*(?:newspapers?|periodicals?|websites?|web ?sites?|magazines?|journals?|publishers?|publication(?: by electronic means)?|organi[sz]ation|media(?: company| conglomerate)?|mass media|newspaper publisher|newspaper of record|tabloid(?: journalism)?|broadsheet|serial|news agency|press|blogs?|podcasts?|newsletters?|radio(?: station)?|television (?:channel|station|program|series)|tv(?: station| channel)?|broadcaster|nonprofit organi[sz]ation|company|enterprise|pennysaver|portal|page|database|service|app|paper|bimonthly|brand|work|book publisher)$/;

/** Whether the word names a form of medium (`daily newspaper`, `website`): not a topic, but not a mistake either. */
export const isFormWord = memoize((word) => formWords.test(nameKey(word)));

/** Beside a form these say nothing of a medium: `official website`, `publication by electronic means`. */
const silentWords = new Set(
  'channel digital electronic mass means news official online print site station stations web'.split(' '),
);

/** Whether a form says something besides: `college newspaper` and `public radio`, but not `radio station`. */
export const saysMoreThanForm = memoize((word) => {
  const isSilent = (part: string) => silentWords.has(part) || smallWords.has(part);
  return nameKey(word)
    .split(' ')
    .some((part) => !isSilent(part) && !isFormWord(part) && findOutletType(part) === null);
});

/** How people label every entry of a list of press contacts: such a tag says nothing of one medium. */
const labelsOfPress = new Set(
  'press media presse medien prensa medios imprensa midia stampa medias пресса сми'.split(' '),
);

export const isLabelOfPress = (word: string) => labelsOfPress.has(nameKey(word));

const keysByHeading = new Map<string, keyof MediaRecord>(
  sourceKeys.flatMap((key) =>
    [key, ...wordsOfUse(`heading.whole.${key}`)].map((heading) => [nameKey(heading), key] as const),
  ),
);

/** No known heading is longer. */
const maxHeadingLength = 100;

/** The field of a column heading or JSON key, ignoring case and punctuation; null for an unknown one. */
export function findField(heading: string): keyof MediaRecord | null {
  return heading.length > maxHeadingLength ? null : (keysByHeading.get(nameKey(heading)) ?? null);
}

/** The kind that a name heading implies: `Podcast name` means that all rows are podcasts. */
export function kindOfHeading(heading: string): vocabularies.Kind | null {
  if (findField(heading) !== 'name') return null;
  const [first] = nameKey(heading).split(' ');
  return vocabularies.kinds.find((kind) => kind === first) ?? null;
}
