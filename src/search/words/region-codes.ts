import { wordsOfUsesIn } from '#languages/words.ts';
import { findCountry } from '#records/places/countries.ts';
import { listRegions } from '#records/places/regions.ts';
import { nameKey } from '#text/fold.ts';
import { memoize } from '#text/memoize.ts';
import { placePrepositions, smallWords } from '#text/name-keys.ts';
import { regionConcept } from './concepts.ts';
import { conceptsOf } from './concepts-of.ts';
import { anyPlace } from './parts.ts';
import { addressPreposition, isFiller } from './query-words.ts';
import { searchWords } from './search-words.ts';

/** A code beside other words is a place: `tx`. One that is also a small word (`or`) only at the end, behind "in" or a city. */
export function conceptsOfCode(words: readonly string[], place: number): readonly string[] {
  const word = words[place] ?? '';
  if (words.length === 1) return [];
  const spoken = word.length === lengthOfCode ? conceptsWhereSpoken(words, place) : [];
  if (spoken.length > 0) return spoken;
  const concepts = searchWords().byCode.get(word);
  if (concepts === undefined) return countryOfCode(words, place);
  if (!isFiller(word)) return concepts;
  const [before = [], behind = []] = [words[place - 1], words[place + 1]].map((other = '') => conceptsOf(other));
  // `santiago de chile` is not in Delaware, `portland or seattle` not in Oregon.
  const isAnotherPlace = behind.some((concept) => anyPlace.test(concept)) && !behind.includes('country.us');
  if (isAnotherPlace) return [];
  if (before.some((concept) => concept.startsWith('city.'))) return concepts;
  // `newspapers in bend or`
  const from = words.findLastIndex((other, at) => at < place && placePrepositions.has(other));
  const isAddress = from >= 0 && words.slice(from + 1, place).every((other) => !smallWords.has(other));
  return isAddress && (place === words.length - 1 || words[place - 1] === addressPreposition) ? concepts : [];
}

/** The code of a country that ends a text behind "in", unless it is also another word: `blogs in mx`, but not `newsletters in ai`. */
function countryOfCode(words: readonly string[], place: number): readonly string[] {
  const word = words[place] ?? '';
  const isAsked = place === words.length - 1 && placePrepositions.has(words[place - 1] ?? '');
  if (!isAsked || word.length !== lengthOfCode || isFiller(word) || conceptsOf(word).length > 0) return [];
  const country = findCountry(word);
  return country === null ? [] : [`country.${country.code.toLowerCase()}`];
}

/** Of a code of a region, in letters. */
const lengthOfCode = 2;

/** Where a language is spoken and people write codes of regions. Spanish shares words with Portuguese: `noticias sp`. */
const countriesOfLanguage: Readonly<Record<string, readonly string[]>> = {
  pt: ['BR'],
  es: ['BR'],
  fr: ['CA', 'CH'],
  de: ['DE', 'CH'],
  it: ['CH'],
  nl: ['NL'],
};

/** A code behind a word for a kind, at the end of a text, in countries that speak as the word: `jornais de sc` are no Carolinian ones. */
function conceptsWhereSpoken(words: readonly string[], place: number): readonly string[] {
  const word = words[place] ?? '';
  const isAtEnd = words.slice(place + 1).every((other) => {
    return (
      smallWords.has(other) || other.length === lengthOfCode || conceptsOf(other).some((name) => anyPlace.test(name))
    );
  });
  if (!isAtEnd) return [];
  const languages = Object.keys(countriesOfLanguage).filter((language) =>
    words.slice(0, place).some(isKindIn(language)),
  );
  const isKnown = searchWords().byCode.has(word);
  const concepts = languages.flatMap((language) => {
    const isOther = otherWordsIn(language).has(word) || (language === 'es' && isKnown);
    return isOther ? [] : (codesIn(language).get(word) ?? []);
  });
  return [...new Set(concepts)];
}

/** Shorter words are in more languages: `am`, `mag`. In UTF-16 code units. */
const minKind = 4;

const isKindIn = memoize((language) => {
  const isOwn = (word: string) => kindsIn(language).has(word) && !kindsIn('en').has(word);
  return memoize((word) => word.length >= minKind && isOwn(word));
});
const kindsIn = memoize((language) => new Set(wordsOfUsesIn(language, 'kind.', 'type.').map(nameKey)));

/** Words of a text that are no codes. */
const otherWordsIn = memoize((language) => new Set(wordsOfUsesIn(language, 'small.', 'search.').map(nameKey)));

const codesIn = memoize((language) => {
  const countries = countriesOfLanguage[language] ?? [];
  const regions = listRegions().filter(({ country }) => countries.includes(country));
  const byCode = Map.groupBy(regions, ({ code }) => code.toLowerCase());
  return new Map(
    [...byCode].map(([code, group]) => [code, group.map((region) => regionConcept(region.country, code))]),
  );
});
