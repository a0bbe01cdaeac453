import { createRequire } from 'node:module';
import { listNamedCities, namesOfCity } from '#records/places/city-names.ts';
import { continentOf, countryName, listCountries, listCountryNames } from '#records/places/countries.ts';
import { languageName, listLanguages } from '#records/places/languages.ts';
import { listRegions } from '#records/places/regions.ts';
import { foldedWords, isAscii, isSpaceless, nameKey, partElisions, withoutElisions } from '#text/fold.ts';
import { memoize, once } from '#text/memoize.ts';
import { smallWords } from '#text/name-keys.ts';
import { withoutArabicArticle } from '#text/spellings.ts';
import largeCities from './large-cities.json' with { type: 'json' };
import nationalityEndings from './nationality-endings.json' with { type: 'json' };
import sameWords from './same-words.json' with { type: 'json' };
import ownWords from './words.json' with { type: 'json' };
import foreignWords from './words-of-languages.json' with { type: 'json' };

/**
 * The concepts that words stand for, such as `type.radio`, `topic.sports`, `country.tr` and `city.us.new_york_city`.
 * words.json has words in English, Spanish, French, German, Portuguese and Italian; words-of-languages.json in 24 more
 * languages, where `*` stands for an ending. Countries and languages come from CLDR, nationalities from i18n-nationality,
 * regions from ISO 3166-2, cities from GeoNames.
 */

/** A longer run in a script without spaces is hardly made of a few words. In UTF-16 code units. */
const maxCompound = 12;
/** The most words that a name of a place has. */
export const maxWordsOfName = 5;

/** In other languages, shorter names of countries and languages are often another word. */
const longEnough = /^[\p{Script=Arabic}\p{Script=Hebrew}]{3}|^.{4}/u;
/** Names whose endings change with their case: `Россия`, `России`. */
const declined = /^([\p{Script=Cyrillic}\p{Script=Greek}]{5,}?)(?:ии|ыи|.)$/u;
/** "In", "to", "from" or "the", written as one word with the next: `בירושלים`. */
const hebrewPrefix = /^[בלמה](?=[א-ת]{3})/;
/** Signs for a city, and for "of", "and" and "in", behind a word: `東京都の`. */
const linkingSign = /^[都府県市]?(?:[のと的和与及의]|에서?)?/u;
/** Names of places whose endings change: `Москва`, `в Москве`; `Warszawa`, `w Warszawie`. The stem is at least four letters. */
const declinedPlace = /^(\p{L}{4,}?)[aeyаяеоыиь]?$/u;
/** `Свердловская`, `Краснодарский`, `Львівська`, whose other forms have these endings. */
const adjective = /^(\p{Script=Cyrillic}{2,}[сцз](ь?)к)(?:ая|ии|а)$/u;
const adjectiveEndings = { russian: 'ая ои ую ии ого ому ом ие их', ukrainian: 'а оі у іи' };
/** The most letters of an ending behind a stem. */
const maxEnding = 2;
/** Endings of Slavic, Germanic, Finnic, Hungarian and Turkish words. Any other is more often a typo in an English word. */
const latinEndings = new Set(' a e i o u y s n k en er ar et na ne ny ie iu om em ow ak ek ok ia ta'.split(' '));

/** The languages in which names of countries and languages are known, besides their own. */
const languagesOfNames =
  'es fr de it pt ru uk pl cs el tr hu fi sv nb da nl ro ar fa he hi bn zh zh-Hant ja ko id'.split(' ');
const languagesOfNationalities = ['en', 'es', 'fr', 'de', 'it', 'nl'];

/** What stands before the code of a state in an address, once it is parsed: in the middle of a text, too, a place is meant. */
export const addressPreposition = 'within';

/** Concepts by a word, or several with spaces. */
export type ConceptsByWord = Map<string, string[]>;

interface SearchWords {
  byWord: ConceptsByWord;
  byStem: ConceptsByWord;
  /** Codes of regions as addresses have them. */
  byCode: ConceptsByWord;
}

/** A list of words.json whose words ask for no property of a record. */
const wordsIn = (list: string) => new Set(list.split(' ').flatMap((word) => foldedWords(word.replaceAll('_', ' '))));
const roleWords = wordsIn(ownWords.role);
const languageWords = wordsIn(ownWords.language);
const exceptWords = wordsIn(ownWords.except);
const regionWords = wordsIn(ownWords.region);
const valueWords = wordsIn(`${ownWords.filler} ${ownWords.role} ${ownWords.language}`);
/** Words that name places elsewhere: Indie is Polish for India, Anglia for England, and Central is a region of Ghana. */
const englishWords = wordsIn(ownWords.english);

/** Made when first needed: commands that search nothing need none of it. */
export const searchWords = once((): SearchWords => {
  const byWord: ConceptsByWord = new Map();
  const byStem: ConceptsByWord = new Map();
  const byCode: ConceptsByWord = new Map();
  const byContinent = Map.groupBy(listCountries(), ({ code }) => `continent.${continentOf(code)}`);
  const { filler, role, english, language, except, region, ...concepts } = ownWords;
  for (const [keys, words] of Object.entries(concepts)) {
    const ofKey = (key: string) => byContinent.get(key)?.map(({ code }) => countryConcept(code)) ?? [key];
    for (const concept of keys.split(' ').flatMap(ofKey)) addWords(byWord, concept, words);
  }
  for (const { code, name } of listCountries()) addName(byWord, countryConcept(code), name);
  for (const { code, name } of listLanguages()) {
    for (const text of [name, languageName(code, code)]) addName(byWord, `language.${code}`, text);
  }
  const own = new Set([...byWord.keys(), ...englishWords]);
  for (const [keys, words] of Object.entries(foreignWords)) {
    for (const concept of keys.split(' ')) {
      for (const word of words.split(' ')) addWords(word.endsWith('*') ? byStem : byWord, concept, word);
    }
  }
  for (const language of languagesOfNames) {
    const add = (concept: string, name: string) => {
      // `Japán` is Hungarian for Japanese, and English for Japan.
      const key = nameKey(name);
      if ((longEnough.test(name) || isSpaceless(name)) && !own.has(key)) addName(byWord, concept, name);
      const [, stem] = declined.exec(key) ?? [];
      if (stem !== undefined) addName(byStem, concept, stem);
      // `Zeitungen Deutschlands`
      if (language === 'de' && !own.has(`${key}s`)) addName(byWord, concept, `${name}s`);
    };
    for (const { code } of listCountries()) add(countryConcept(code), countryName(code, language));
    for (const { code } of listLanguages()) add(`language.${code}`, languageName(code, language));
  }
  for (const { country, code, names, isInAddresses } of listRegions()) {
    const concept = regionConcept(country, code);
    const isLong = (name: string) => name.length > 3 || isSpaceless(name);
    const isName = (name: string) => isLong(name) && !isFiller(name) && !englishWords.has(nameKey(name));
    for (const name of names.filter(isName)) addPlace({ byWord, byStem }, concept, name, country);
    if (isInAddresses) addName(byCode, concept, code);
  }
  for (const { country, names } of listNamedCities(largeCities)) {
    const concept = cityConcept(names[0] ?? '', country);
    for (const name of names) addPlace({ byWord, byStem }, concept, name, country);
  }
  addNationalities(byWord);
  const isFree = (name: string) =>
    (longEnough.test(name) || !isAscii(name)) && !byWord.has(name) && !englishWords.has(name);
  for (const [name, code] of listCountryNames().filter(([name]) => isFree(name)))
    addName(byWord, countryConcept(code), name);
  for (const [place, words] of sameWords.entries()) {
    for (const word of words.split(', ')) addName(byWord, `same.${place}`, word);
  }
  return { byWord, byStem, byCode };
});

/** Adds a name of a place, with its declined forms if it is Polish or in Cyrillic, and in Hebrew with "in" before. */
function addPlace(
  { byWord, byStem }: Omit<SearchWords, 'byCode'>,
  concept: string,
  name: string,
  country: string,
): void {
  addName(byWord, concept, name);
  if (/^[א-ת]+ /.test(name)) addName(byWord, concept, `ב${name}`);
  const [, base, soft] = adjective.exec(name) ?? [];
  const endings = soft ? adjectiveEndings.ukrainian : adjectiveEndings.russian;
  if (base !== undefined) for (const ending of endings.split(' ')) addName(byWord, concept, base + ending);
  else if (country === 'PL' || /^\p{Script=Cyrillic}/u.test(name)) {
    const [, stem] = declinedPlace.exec(name) ?? [];
    if (stem !== undefined) addName(byStem, concept, stem);
  }
}

/** The words that say the same as each other, of a concept `same.N`; null for any other concept. */
export function wordsOfSame(concept: string): readonly (readonly string[])[] | null {
  if (!concept.startsWith('same.')) return null;
  return (sameWords[Number(concept.slice(5))] ?? '').split(', ').map(foldedWords);
}

function addNationalities(byWord: ConceptsByWord): void {
  const require = createRequire(import.meta.url);
  const others = new Set([...byWord.keys(), ...englishWords]);
  for (const language of languagesOfNationalities) {
    const { nationalities } = require(`i18n-nationality/langs/${language}.json`);
    for (const [code, names] of Object.entries<string>(nationalities)) {
      for (const name of names.split(/ - | or |[,/]/).filter((one) => !englishWords.has(nameKey(one)))) {
        addName(byWord, countryConcept(code), name);
        for (const form of inflect(nameKey(name), language))
          if (!others.has(form)) addName(byWord, countryConcept(code), form);
      }
    }
  }
}

/** The feminine and the plural: `mexicano`, `mexicanas`. A form that nobody uses does no harm: `indiana` is known before. */
function inflect(name: string, language: string): string[] {
  const endings = Object.entries(nationalityEndings[language as 'es'] ?? {});
  const [ending = '', forms = ''] = endings.find(([one]) => name.endsWith(one)) ?? [];
  return forms.split(' ').map((form) => name.slice(0, name.length - ending.length) + form);
}

/** Adds a list of words.json, in which `_` stands for a space. */
export function addWords(map: ConceptsByWord, concept: string, list: string): void {
  for (const word of list.split(' ')) addName(map, concept, word.replaceAll('_', ' '));
}

/** Texts are searched without their elisions: `Côte d'Ivoire` is typed as one word more or less. */
function addName(map: ConceptsByWord, concept: string, name: string): void {
  for (const form of new Set([name, withoutElisions(name), partElisions(name)])) addForm(map, concept, form);
}

function addForm(map: ConceptsByWord, concept: string, name: string): void {
  const words = foldedWords(name);
  if (words.length === 0 || words.length > maxWordsOfName) return;
  const key = words.length === 1 ? withoutArabicArticle(words[0] ?? '') : words.join(' ');
  const concepts = map.get(key);
  if (concepts === undefined) map.set(key, [concept]);
  else if (!concepts.includes(concept)) concepts.push(concept);
}

/** Whether a word says how good a medium should be or asks for a person at it: `best`, `editor`. */
export function isValueWord(word: string): boolean {
  return valueWords.has(word);
}

/** Whether a word asks for a person at a medium: `editor`. */
export function isRoleWord(word: string): boolean {
  return roleWords.has(word);
}

/** Whether the word before this one is the name of a language: `welsh language`. */
export function isLanguageWord(word: string): boolean {
  return languageWords.has(word);
}

/** Whether a word beside the name of a region says what it is: `perm krai`. */
export function isRegionWord(word: string): boolean {
  return regionWords.has(word);
}

/** Whether what follows is not meant: `except`. */
export function isExcept(word: string): boolean {
  return exceptWords.has(word);
}

/** Whether addresses have this code of a region: `tx`. */
export function isRegionCode(word: string): boolean {
  return searchWords().byCode.has(word);
}

/** Whether a word beside others asks for nothing: `the`, `best`, `editor`. */
export function isFiller(word: string): boolean {
  return smallWords.has(word) || valueWords.has(word);
}

/** `"tech"` → `['topic.technology']`. A run in a script without spaces may be several words: see wordsWithin. */
export const conceptsOf = memoize((word: string): readonly string[] => {
  const { byWord, byStem } = searchWords();
  const bare = withoutArabicArticle(word);
  const own = byWord.get(bare) ?? byWord.get(bare.replace(hebrewPrefix, ''));
  if (isSpaceless(bare)) return own ?? [];
  return [...new Set([...(own ?? []), ...conceptsByStem(bare, byStem)])];
});

function conceptsByStem(word: string, byStem: ConceptsByWord): string[] {
  const found = new Set<string>();
  for (let length = 0; length <= maxEnding; length += 1) {
    const stem = word.slice(0, word.length - length);
    if (isAscii(word) && !latinEndings.has(word.slice(stem.length))) continue;
    for (const concept of byStem.get(stem) ?? []) found.add(concept);
  }
  return [...found];
}

/** Words for kinds that end others: `Wirtschaftszeitungen`, `Sportmagazine`. Only plurals: a single word ends names. */
const compound = /^(\p{L}{4,})(zeitungen|zeitschriften|magazine|presse|blogs|podcasts|kranten|tidningar|tidskrifter)$/u;

/** `"科技播客"` (tech podcast) → `['科技', '播客']`. Only the run itself unless it is made of words that stand for something. */
export function wordsWithin(run: string): readonly string[] {
  if (conceptsOf(run).length > 0) return [run];
  if (!isSpaceless(run)) {
    const [, joined = '', kind = ''] = compound.exec(run) ?? [];
    const topic = [joined, joined.replace(/s$/, '')].find(isOfTopic);
    return topic === undefined ? [run] : [topic, kind];
  }
  if (run.length > maxCompound) return [run];
  for (let end = run.length - 1; end > 0; end -= 1) {
    const first = run.slice(0, end);
    const rest = run.slice(end).replace(linkingSign, '');
    const others = rest === '' ? [] : wordsWithin(rest);
    if ([first, ...others].every((word) => conceptsOf(word).length > 0)) return [first, ...others];
  }
  return [run];
}

/** `news` may be a kind, and "Newsmagazine" is in names. */
function isOfTopic(word: string): boolean {
  const concepts = conceptsOf(word);
  return concepts.length > 0 && concepts.every((concept) => /^(?:topic|same)\./.test(concept));
}

export const countryConcept = (code: string) => `country.${code.toLowerCase()}`;
export const regionConcept = (country: string, code: string) => `region.${country}.${code}`.toLowerCase();

export function cityConcept(city: string, country: string): string {
  const [name = ''] = namesOfCity(city, country);
  return `city.${country.toLowerCase()}.${nameKey(name).replaceAll(' ', '_')}`;
}
