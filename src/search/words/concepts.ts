import { wordsOfUse } from '#languages/words.ts';
import { namesOfCity } from '#records/places/city-names.ts';
import { foldedWords, nameKey } from '#text/fold.ts';
import { memoize } from '#text/memoize.ts';

/*
 * A concept is a property that a record has and that words stand for: `type.radio`, `topic.sports`, `country.tr`,
 * `region.us.nm`, `city.us.new_york_city`. A concept `same.student` stands for words that say the same as each other.
 */

export const countryConcept = (code: string) => `country.${code.toLowerCase()}`;
export const regionConcept = (country: string, code: string) => `region.${country}.${code}`.toLowerCase();

export function cityConcept(city: string, country: string): string {
  const [name = ''] = namesOfCity(city, country);
  return `city.${country.toLowerCase()}.${nameKey(name).replaceAll(' ', '_')}`;
}

/** What an index guesses of a record that does not say it (guess-language.ts, guess-topics.ts): in a plan below what records say, in no filter. */
export const guessedConcept = (concept: string) => `guessed.${concept}`;
export const isGuessable = (concept: string) => /^(?:language\.|topic\.(?!(?:general|local)_news$))/.test(concept);

/** A word or several; `goesOn`: what begins with it says the same, `feuerwehr*` → Feuerwehrmagazin. */
interface SameWords {
  words: readonly string[];
  goesOn: boolean;
}

const sameWordsOfUse = memoize((use: string): SameWords[] =>
  wordsOfUse(use).map((text) => ({ words: foldedWords(text), goesOn: text.endsWith('*') })),
);

/** What says the same as each other, of a concept `same.…`; null for any other concept. */
export function wordsOfSame(concept: string): readonly SameWords[] | null {
  return concept.startsWith('same.') ? sameWordsOfUse(concept) : null;
}

/** That a record says something of this kind: `city.cl.santiago` → `known.city`. Null for what few records say, or several times. */
export function knownConcept(concept: string): string | null {
  const [, field] = /^(type|country|region|city|language|frequency|coverage)\.(?!unknown$)/.exec(concept) ?? [];
  return field === undefined ? null : `known.${field}`;
}
