import { wordsOfLanguage, wordsOfUses } from '#languages/words.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { ownNamesOfCity } from '#records/places/city-names.ts';
import { countryName } from '#records/places/countries.ts';
import { isWrittenAsCode, regionCodes, searchedNames } from '#records/places/regions.ts';
import type { Frequency, OutletType } from '#records/vocabularies.ts';
import { foldedWords } from '#text/fold.ts';
import { once } from '#text/memoize.ts';
import { ConceptWords } from '../words/concept-words.ts';
import { cityConcept, countryConcept, guessedConcept, knownConcept, regionConcept } from '../words/concepts.ts';
import { mainLanguages } from '../words/search-words.ts';
import { guessLanguage } from './guess-language.ts';
import { guessTopics } from './guess-topics.ts';

/** The words of the main languages for a kind, a coverage or a frequency. */
const natureWords = once(() => {
  const byWord = new ConceptWords();
  for (const [use, words] of mainLanguages.flatMap((language) => [...wordsOfLanguage(language)])) {
    if (/^(?:kind|type|coverage|frequency)\./.test(use)) for (const word of words) byWord.add(use, word);
  }
  return byWord;
});

/** What the hosts of a network's stations have in them: `nbcmiami.com`, `myfoxboston.com`, `wabc.com`. */
const networks = new RegExp([...wordsOfUses('network.').keys()].join('|'), 'g');

/** How many words a description may have from "weekly" to the kind: `weekly Hungarian-language political magazine`. */
const maxBeforeKind = 5;

/**
 * The coverage or frequency in the texts of a record, because hardly any list has a column for it: `French regional newspaper`
 * → `coverage.regional`. `alone` are words that say it without a kind: `Daily Mirror`.
 */
function natureOf(family: string, texts: readonly (readonly string[])[], alone: readonly string[]): string {
  const byWord = natureWords();
  const keyOf = (word = '') => byWord.get(word)?.find((key) => key.startsWith(family));
  const isKind = (word: string) => byWord.get(word)?.some((key) => /^(?:kind|type)\./.test(key));
  const isNature = (word: string, place: number, words: readonly string[]) =>
    keyOf(word) !== undefined && words.slice(place, place + maxBeforeKind).some(isKind);
  const [word] = texts.flatMap((words) => words.find(isNature) ?? []);
  return keyOf(word ?? alone.find(keyOf)) ?? `${family}.unknown`;
}

/**
 * The concepts of a record (see conceptsOf).
 *
 * @param names the words of its names
 * @param labels what people remember of its hosts
 * @param description the words of its description
 */
export function recordConcepts(
  record: MediaRecord,
  names: readonly string[],
  labels: readonly string[],
  description: readonly string[],
): string[] {
  const { kind, type, categories, country, coverage, frequency } = record;
  const { city, region } = placeOf(record);
  const localNews = categories.includes('local_news') ? ['local'] : [];
  const concepts = [
    `kind.${kind}`,
    ...typesOf(record),
    ...(type === 'tv' ? networksIn(labels) : []),
    // Most lists of news media say no type: `vermont news`.
    ...(type === null && kind === 'outlet' ? ['topic.general_news'] : []),
    ...topicsOf(record, names, description),
    coverage === null ? natureOf('coverage', [description, names], localNews) : `coverage.${coverage}`,
    frequency === null ? natureOf('frequency', [description], names) : `frequency.${frequency}`,
    ...(country === null ? [] : [countryConcept(country)]),
    ...languageOf(record, description),
    ...(region === null || country === null
      ? []
      : regionCodes(region, country).map((code) => regionConcept(country, code))),
    ...(city === null || country === null ? [] : [cityConcept(city, country)]),
  ];
  return [...concepts, ...new Set(concepts.flatMap((concept) => knownConcept(concept) ?? []))];
}

/** What appears so often, as lists of the press have it that say no types. `continuous` and `irregular` tell nothing. */
const typesByFrequency: Partial<Record<Frequency, OutletType>> = {
  daily: 'newspaper',
  weekly: 'newspaper',
  biweekly: 'magazine',
  monthly: 'magazine',
  quarterly: 'magazine',
};

/** The type, or for an outlet without one that which its frequency tells. */
function typesOf({ kind, type, frequency }: MediaRecord): string[] {
  const likelyType = kind === 'outlet' && frequency !== null ? typesByFrequency[frequency] : undefined;
  const knownType = type ?? likelyType;
  return knownType === undefined ? [] : [`type.${knownType}`];
}

function topicsOf(
  { categories, tags, contacts }: MediaRecord,
  names: readonly string[],
  words: readonly string[],
): string[] {
  if (categories.length > 0) return categories.map((category) => `topic.${category}`);
  const labels = [...tags, ...contacts.flatMap(({ beats }) => beats)].flatMap(foldedWords);
  return guessTopics([...names, ...labels], words).map(guessedConcept);
}

function languageOf({ language, description }: MediaRecord, words: readonly string[]): string[] {
  if (language !== null) return [`language.${language.split('-', 1)[0]}`];
  const guessed = guessLanguage(description ?? '', words);
  return guessed === null ? [] : [guessedConcept(`language.${guessed}`)];
}

function networksIn(labels: readonly string[]): string[] {
  return [...new Set(labels.flatMap((label) => label.match(networks) ?? []))].map((name) => `network.${name}`);
}

type Place = Pick<MediaRecord, 'city' | 'region' | 'country'>;

/** Sources also write `New York NY`. */
function placeOf({ city, region, country }: Place): Pick<Place, 'city' | 'region'> {
  const [, name = '', code = ''] = /^(.+),? ([A-Z]{2,3})$/.exec(city ?? '') ?? [];
  const isCode = country !== null && code !== '' && isWrittenAsCode(code, country);
  return isCode ? { city: name, region: region ?? code } : { city, region };
}

/** Where a record is: the city in its own names, the region with its code in addresses, the country's English name. */
export function placeTexts(place: Place): string[] {
  const { country } = place;
  const { city, region } = placeOf(place);
  return [
    ...(city === null ? [] : ownNamesOfCity(city, country)),
    ...(region === null ? [] : searchedNames(region, country)),
    ...(country === null ? [] : [countryName(country)]),
  ];
}
