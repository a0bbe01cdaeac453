import type { MediaRecord } from '#records/media-record.ts';
import { namesOfCity } from '#records/places/city-names.ts';
import { countryName, listCountries } from '#records/places/countries.ts';
import { languageName, listLanguages } from '#records/places/languages.ts';
import { searchedNames } from '#records/places/regions.ts';
import { countEdits } from '#text/edit-distance.ts';
import { foldedWords, isAscii, isSpaceless } from '#text/fold.ts';
import { once } from '#text/memoize.ts';
import { withoutArabicArticle } from '#text/spellings.ts';
import { wordsOfLanguages } from './words-of-languages.ts';

/**
 * Words that ask for a kind, a type or a topic, besides its own name: "tech newsletters", "radio station leeds",
 * "noticias miami". English, Spanish, French, German, Portuguese and Italian; single words only. Those of other
 * languages are in words-of-languages.ts.
 */
const synonyms: Readonly<Record<string, string>> = {
  'kind.outlet': 'outlet outlets media medium medios médias medien mídia',
  'kind.podcast': 'podcast podcasts pod pódcast balado',
  'kind.newsletter': 'newsletter newsletters boletín boletines infolettre rundbrief',
  'type.newspaper':
    'newspaper newspapers paper papers press news daily periódico periódicos diario diarios noticias journal journaux quotidien presse actualités zeitung zeitungen tageszeitung nachrichten jornal jornais notícias giornale giornali quotidiano notizie gazette',
  'type.magazine': 'magazine magazines mag periodical revista revistas revue zeitschrift zeitschriften magazin rivista',
  'type.journal': 'journal journals academic scholarly scientific',
  'type.tv':
    'tv television televisión télévision fernsehen televisão televisione broadcaster channel channels station stations canal chaîne sender',
  'type.radio': 'radio radios station stations fm am emisora emisoras sender broadcaster rundfunk rádio',
  'type.online':
    'online website websites site portal digital internet news noticias actualités nachrichten notícias notizie',
  'type.blog': 'blog blogs weblog weblogs',
  'type.wire': 'wire wires agency agencies newswire agencia agence agentur',
  'topic.arts': 'arts art design literature books arte kunst',
  'topic.automotive': 'automotive cars car auto autos motoring vehicles coches voitures',
  'topic.business': 'business economy economic negocios empresas économie wirtschaft negócios economia affaires',
  'topic.climate': 'climate environment environmental green sustainability weather clima umwelt klima',
  'topic.comedy': 'comedy humor humour funny satire',
  'topic.crime': 'crime police crimen',
  'topic.culture': 'culture cultural cultura kultur',
  'topic.education': 'education school schools university student students educación éducation bildung',
  'topic.entertainment':
    'entertainment celebrity celebrities film films movies cinema entretenimiento divertissement unterhaltung',
  'topic.faith': 'faith religion religious church spirituality religión',
  'topic.fashion': 'fashion style beauty moda mode',
  'topic.finance': 'finance financial money investing investment markets banking finanzas finances finanzen',
  'topic.food': 'food cooking restaurants recipes wine drink comida cuisine essen',
  'topic.gaming': 'gaming games game esports videogames videojuegos',
  'topic.general_news': 'news noticias actualités nachrichten notícias notizie',
  'topic.health': 'health medicine medical wellness fitness salud santé gesundheit saúde salute',
  'topic.history': 'history historical historia histoire geschichte',
  'topic.home': 'home garden gardening interiors hogar maison',
  'topic.kids': 'kids children niños enfants kinder',
  'topic.legal': 'legal law courts justice derecho droit recht',
  'topic.local_news': 'local community news noticias locales lokales',
  'topic.music': 'music musical música musique musik',
  'topic.parenting': 'parenting parents family families mothers fathers',
  'topic.politics': 'politics political government policy política politique politik',
  'topic.science': 'science scientific research ciencia wissenschaft ciência scienza',
  'topic.society': 'society social lifestyle sociedad société gesellschaft',
  'topic.sports': 'sports sport football soccer deportes deporte esportes fútbol sportivo',
  'topic.technology': 'technology tech software startups ai tecnología technologie technik tecnologia',
  'topic.travel': 'travel tourism viajes voyage reisen viagens viaggi',
  'country.us': 'us usa america american',
  'country.gb': 'uk britain british',
  'country.ae': 'uae emirates emirati',
  'country.au': 'australian aussie',
  'country.br': 'brazilian brasil',
  'country.ca': 'canadian',
  'country.cn': 'chinese',
  'country.cz': 'czech czechia',
  'country.de': 'german deutschland',
  'country.es': 'spanish españa',
  'country.fr': 'french',
  'country.ie': 'irish',
  'country.in': 'indian bharat',
  'country.it': 'italian italia',
  'country.jp': 'japanese nippon',
  'country.kr': 'korea korean',
  'country.mx': 'mexican méxico',
  'country.nl': 'holland dutch nederland',
  'country.nz': 'kiwi aotearoa',
  'country.ru': 'russian россия',
  'country.za': 'mzansi',
};

const minPrefixLength = 4;
const minCorrectedLength = 5;
/** A longer run is hardly made of a few words. In UTF-16 code units. */
const maxCompound = 12;

/** In other languages, shorter names of countries and languages are often another word. */
const longEnough = /^[\p{Script=Arabic}\p{Script=Hebrew}]{3}|^.{4}/u;
/** Between two words: of, and. */
const linkingSign = /^[のと的和与及](?=.)/u;
/** The letters by which a word with an ending may be longer than its stem. */
const maxEnding = 2;
/** Those of Slavic, Germanic, Finnic, Hungarian and Turkish words. Others are more often a typo of an English word. */
const latinEndings = new Set(' a e i o u y s n k en er ar et na ne ny ie om em ow ak ek ok ia ta'.split(' '));

/** The languages in which names of countries and languages are known, besides their own. */
const languagesOfNames =
  'es fr de it pt ru uk pl cs el tr hu fi sv nb da nl ro ar fa he hi bn zh zh-Hant ja ko id'.split(' ');

/** Those among them whose names change their endings (`Россия`, `в России`) and are not too close to other words. */
const inflectedLanguages = new Set(['ru', 'uk', 'el']);
/** The ending of such a name, folded. */
const endOfName = /(?:[ыои]и|[аеиоуыьюяіє]|[αηοιυ]?[ςσ]|[αηοιυω])$/u;
const minStem = 4;

type ConceptsByWord = Map<string, string[]>;

interface SearchWords {
  byWord: ConceptsByWord;
  byStem: ConceptsByWord;
  /** Countries and languages: an ending may also be a slip in another name, so only the fuzzy query asks for them. */
  byStemOfName: ConceptsByWord;
  /** The words that an unfinished or mistyped one may stand for, by their first letter. */
  forgiving: Map<string, [word: string, concepts: string[]][]>;
}

/** Made when first needed: commands that search nothing need none of it. */
const searchWords = once((): SearchWords => {
  const byWord: ConceptsByWord = new Map();
  const byStem: ConceptsByWord = new Map();
  const byStemOfName: ConceptsByWord = new Map();
  for (const [concept, words] of Object.entries(synonyms)) addWords(byWord, concept, words);
  for (const { code, name } of listCountries()) addName(byWord, `country.${code.toLowerCase()}`, name);
  for (const { code, name } of listLanguages())
    addWords(byWord, `language.${code}`, `${name} ${languageName(code, code)}`);
  const own = new Set(byWord.keys());
  for (const [concept, words] of Object.entries(wordsOfLanguages)) {
    for (const word of words.split(/\s+/)) addWords(word.endsWith('*') ? byStem : byWord, concept, word);
  }
  // Latin words of other languages are left out: they are too close to English ones.
  const forgiving = Map.groupBy(
    [...byWord, ...byStem].filter(([word]) => !isAscii(word) || own.has(word)),
    ([word]) => word.charAt(0),
  );
  for (const language of languagesOfNames) {
    const add = (concept: string, name: string) => {
      addForeignName(byWord, concept, name);
      if (inflectedLanguages.has(language)) addStem(byStemOfName, concept, name);
    };
    for (const { code } of listCountries()) add(`country.${code.toLowerCase()}`, countryName(code, language));
    for (const { code } of listLanguages()) add(`language.${code}`, languageName(code, language));
  }
  return { byWord, byStem, byStemOfName, forgiving };
});

function addForeignName(map: ConceptsByWord, concept: string, name: string): void {
  if (longEnough.test(name) || isSpaceless(name)) addName(map, concept, name);
}

function addStem(map: ConceptsByWord, concept: string, name: string): void {
  const [word, ...others] = foldedWords(name);
  const stem = word?.replace(endOfName, '') ?? '';
  if (others.length === 0 && stem.length >= minStem) addWords(map, concept, stem);
}

/** Only a single word can be looked up. */
function addName(map: ConceptsByWord, concept: string, name: string): void {
  const [word, ...others] = foldedWords(name);
  if (word !== undefined && others.length === 0) addWord(map, concept, word);
}

function addWords(map: ConceptsByWord, concept: string, words: string): void {
  for (const word of foldedWords(words)) addWord(map, concept, word);
}

function addWord(map: ConceptsByWord, concept: string, folded: string): void {
  const word = withoutArabicArticle(folded);
  const concepts = map.get(word);
  if (concepts === undefined) map.set(word, [concept]);
  else if (!concepts.includes(concept)) concepts.push(concept);
}

/**
 * The concepts that a folded word may stand for: `"tech"` → `['topic.technology']`. A run in a script without spaces may
 * be several words, of which a record must have all: see conceptsWithin.
 */
export function conceptsOf(word: string): readonly string[] {
  const { byWord, byStem } = searchWords();
  const bare = withoutArabicArticle(word);
  const own = byWord.get(bare);
  if (isSpaceless(bare)) return own ?? [];
  return [...new Set([...(own ?? []), ...conceptsByStem(bare, byStem)])];
}

function conceptsByStem(word: string, byStem: ConceptsByWord): string[] {
  const found = new Set<string>();
  for (let length = 0; length <= maxEnding; length += 1) {
    const stem = word.slice(0, word.length - length);
    if (isAscii(word) && !latinEndings.has(word.slice(stem.length))) continue;
    for (const concept of byStem.get(stem) ?? []) found.add(concept);
  }
  return [...found];
}

/**
 * The concepts of the words that together make up a run in a script without spaces: `"科技播客"` (tech podcast) →
 * `[['topic.technology'], ['kind.podcast']]`. Empty if it is not made of such words alone.
 */
export function conceptsWithin(run: string): readonly (readonly string[])[] {
  if (!isSpaceless(run) || run.length > maxCompound) return [];
  for (let end = run.length - 1; end > 0; end -= 1) {
    const first = conceptsOf(run.slice(0, end));
    if (first.length === 0) continue;
    const second = run.slice(end).replace(linkingSign, '');
    const rest = conceptsOf(second);
    const others = rest.length > 0 ? [rest] : conceptsWithin(second);
    if (others.length > 0) return [first, ...others];
  }
  return [];
}

/** The concepts that an unfinished folded word may stand for: `"newslet"` → `['kind.newsletter']`. */
export function conceptsBeginning(beginning: string): readonly string[] {
  if (beginning.length < minPrefixLength) return conceptsOf(beginning);
  return collect(beginning, (word) => word.startsWith(beginning));
}

/**
 * The concepts that a mistyped or inflected folded word may stand for: `"newsleter"` → `['kind.newsletter']`, `"россии"` →
 * `['country.ru']`. The first letter must match.
 */
export function conceptsNear(typed: string): readonly string[] {
  if (typed.length < minCorrectedLength) return conceptsOf(typed);
  const near = collect(typed, (word) => countEdits(typed, word, 1) <= 1);
  return [...new Set([...near, ...conceptsByStem(typed, searchWords().byStemOfName)])];
}

/** The concepts of a folded word and of those that begin with its first letter and fit. */
function collect(word: string, fits: (word: string) => boolean): readonly string[] {
  const found = new Set(conceptsOf(word));
  for (const [known, concepts] of searchWords().forgiving.get(word.charAt(0)) ?? []) {
    if (fits(known)) for (const concept of concepts) found.add(concept);
  }
  return [...found];
}

/** The concepts of a record (see conceptsOf): its kind, type, topics, country and language. */
export function recordConcepts({ kind, type, categories, country, language }: MediaRecord): string[] {
  const concepts = [conceptFor.kind(kind)];
  if (type !== null) concepts.push(conceptFor.type(type));
  for (const category of categories) concepts.push(conceptFor.categories(category));
  if (country !== null) concepts.push(conceptFor.country(country));
  if (language !== null) concepts.push(conceptFor.language(language));
  return concepts;
}

const conceptFor = {
  kind: (kind: string) => `kind.${kind}`,
  type: (type: string) => `type.${type}`,
  categories: (category: string) => `topic.${category}`,
  country: (code: string) => `country.${code.toLowerCase()}`,
  language: (tag: string) => `language.${tag.split('-', 1)[0]}`,
};

/** The concept of records with this value of a field; null if the field has no concepts. */
export function conceptOf(field: keyof MediaRecord, value: string): string | null {
  return Object.hasOwn(conceptFor, field) ? conceptFor[field as keyof typeof conceptFor](value) : null;
}

/** Where a record is: the city in all its names, the region with its code in addresses, the country's English name. */
export function placeTexts({ city, region, country }: MediaRecord): string[] {
  return [
    ...(city === null ? [] : namesOfCity(city, country)),
    ...(region === null ? [] : searchedNames(region, country)),
    ...(country === null ? [] : [countryName(country)]),
  ];
}
