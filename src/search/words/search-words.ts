import { groups, languages, wordsOfLanguage, wordsOfUses } from '#languages/words.ts';
import { continentOf, listCountries } from '#records/places/countries.ts';
import { nameKey } from '#text/fold.ts';
import { memoize, once } from '#text/memoize.ts';
import { ConceptWords, type NamedConcepts, type SearchWords } from './concept-words.ts';
import { countryConcept } from './concepts.ts';
import {
  addAdjectives,
  addCities,
  addCountries,
  addLanguages,
  addNamesInLanguages,
  addNationalities,
  addOtherCountries,
  addRegions,
  mainNationalities,
  otherNationalities,
} from './place-words.ts';
import { isNoPlace } from './query-words.ts';
import { formsOfNationality } from './word-forms.ts';

/** The languages whose words stand for concepts in names and texts of records too, and come before names of countries. */
export const mainLanguages = ['en', 'es', 'fr', 'de', 'pt', 'it', 'ca'];

/** The uses whose words stand for concepts. */
const conceptUse = /^(?:kind|type|network|coverage|frequency|topic|country|region|city|continent|area|language)\./;

/**
 * The concepts that words stand for, from the files of languages (src/languages) and the names of places, languages and
 * nationalities. Made when first needed: commands that search nothing need none of it.
 */
export const searchWords = once((): SearchWords => {
  const words: NamedConcepts = {
    byWord: new ConceptWords(),
    byStem: new ConceptWords(),
    byBeginning: new ConceptWords(),
    byCode: new ConceptWords(),
  };
  for (const language of mainLanguages) addLanguageFile(words, language);
  addCountries(words);
  const inMainLanguages = new Set(words.byWord.keys());
  addLanguages(words);
  const withLanguages = new Set(words.byWord.keys());
  for (const language of languages.filter((other) => !mainLanguages.includes(other))) addLanguageFile(words, language);
  // `Japán` is Hungarian for Japanese, and English for Japan. `Azerbaycan` is Azerbaijani for itself, and Turkish for its country.
  addNamesInLanguages(words, (name, isCountry) => {
    return !(isCountry ? inMainLanguages : withLanguages).has(name) && !isNoPlace(name);
  });
  const foreignNames = new Set(words.byWord.keys()).difference(withLanguages);
  addRegions(words);
  addCities(words);
  addFormsOfAreas(words);
  addNationalities(words, mainNationalities);
  const withMainNationalities = new Set(words.byWord.keys());
  addNationalities(words, otherNationalities);
  addAdjectives(words);
  addOtherCountries(words);
  const foreign = new Set(words.byWord.keys()).difference(withMainNationalities).union(foreignNames);
  for (const [use, sameWords] of wordsOfUses('same.'))
    for (const word of sameWords) (word.endsWith('*') ? words.byBeginning : words.byWord).add(`same.${use}`, word);
  return { ...words, foreign };
});

/** A shorter text begins too many names. In UTF-16 code units. */
const minBeginning = 3;
const minBeginningOfAny = 4;
/** What begins more is not telling; of the names that people type most, it may begin more. */
const maxBegun = 8;
const maxBegunOfMost = 16;
const typedMost = /^(?:kind|type|language|country|coverage|frequency)\.|^region\.us\./;

/** Whether a concept is one that people name most: a kind, a language, a country, a state. */
export const isTypedMost = (concept: string): boolean => typedMost.test(concept);

const sortedNames = once(() => [...searchWords().byWord.keys()].sort());

/** What the names stand for that begin with an unfinished text, if these are few: `vermo` → region.us.vt, `new mexi` → region.us.nm. */
export const conceptsBegunBy = memoize((text: string): readonly string[] => {
  if (text.length < minBeginning) return [];
  const names = sortedNames();
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  const [begun, begunForeign] = [new Set<string>(), new Set<string>()];
  for (; names[low]?.startsWith(text); low += 1) {
    const name = names[low] ?? '';
    // `texas hill country` begins with a whole word, and `news outlets` with another name.
    const firstWords = name.slice(0, `${name} `.indexOf(' ', text.length));
    const goesOn = firstWords.length > text.length && (firstWords === name || !searchWords().byWord.has(firstWords));
    const concepts = searchWords().byWord.get(name) ?? [];
    const languagesOfName = searchWords().foreign.has(name) ? begunForeign : begun;
    for (const concept of goesOn && !isQuestion(name, concepts) ? concepts : []) languagesOfName.add(concept);
  }
  const telling = mostTyped(text, begun);
  // No main language has other letters.
  const isLong = text.length >= minBeginningOfAny || !/[a-z]/.test(text);
  return telling.length > 0 || !isLong ? telling : mostTyped(text, begunForeign);
});

/** `tell me` asks for any kind, and `tel` for none; `medios de comunicación` goes on from a kind. */
function isQuestion(name: string, concepts: readonly string[]): boolean {
  const [first = '', ...more] = name.split(' ');
  const isOfAnyKind = conceptsOfUse('kind.any').every((kind) => concepts.includes(kind));
  return isOfAnyKind && more.length > 0 && !searchWords().byWord.has(first);
}

/** Of all that a text begins what is telling. */
function mostTyped({ length }: string, begun: ReadonlySet<string>): readonly string[] {
  if (length >= minBeginningOfAny && begun.size <= maxBegun) return [...begun];
  const most = [...begun].filter(isTypedMost);
  return most.length > maxBegunOfMost ? [] : most;
}

/** Adds the words of a language's file. `*` stands for an ending: `новост*`. */
function addLanguageFile({ byWord, byStem }: NamedConcepts, language: string): void {
  for (const [use, words] of wordsOfLanguage(language)) {
    if (!conceptUse.test(use)) continue;
    for (const concept of conceptsOfUse(use)) {
      for (const word of words) (word.endsWith('*') ? byStem : byWord).add(concept, word);
    }
  }
}

/** In which adjectives of areas and continents change: `centroamericana`, `nordische`. */
const languagesOfForms = ['es', 'fr', 'de', 'it', 'pt'];
/** Shorter forms are often other words. In UTF-16 code units. */
const minForm = 7;

function addFormsOfAreas({ byWord }: Pick<SearchWords, 'byWord'>): void {
  const inWords = new Set(byWord.keys());
  const isFree = (form: string) => form.length >= minForm && !inWords.has(form) && !isNoPlace(form);
  for (const language of languagesOfForms) {
    for (const [use, words] of wordsOfLanguage(language)) {
      if (!/^(?:area|continent)\./.test(use)) continue;
      const forms = words.flatMap((word) => formsOfNationality(nameKey(word), language)).filter(isFree);
      for (const concept of conceptsOfUse(use)) for (const form of forms) byWord.add(concept, form);
    }
  }
}

/** `area.benelux` → three countries, `continent.europe` → its countries, `type.radio` → itself. */
function conceptsOfUse(use: string): readonly string[] {
  const countries = use.startsWith('continent.') ? countriesByContinent().get(use) : undefined;
  return countries ?? groups.get(use) ?? [use];
}

const countriesByContinent = once((): Map<string, string[]> => {
  const byContinent = Map.groupBy(listCountries(), ({ code }) => `continent.${continentOf(code)}`);
  return new Map(
    [...byContinent].map(([continent, countries]) => [continent, countries.map(({ code }) => countryConcept(code))]),
  );
});
