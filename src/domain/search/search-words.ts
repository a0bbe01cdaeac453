import type { MediaRecord } from '#domain/media-record.ts';
import { countryName, listCountries } from '#domain/places/countries.ts';
import { languageName, listLanguages } from '#domain/places/languages.ts';
import { regionCode } from '#domain/places/regions.ts';
import { countEdits } from './edit-distance.ts';
import { foldedWords } from './fold.ts';

/**
 * Words that ask for a kind, a type or a topic, besides its own name: "tech newsletters", "radio station leeds",
 * "noticias miami". English, Spanish, French, German, Portuguese and Italian; single words only.
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

const conceptsByWord = new Map<string, string[]>();
for (const [concept, words] of Object.entries(synonyms)) addWords(concept, words);
for (const { code, name } of listCountries()) {
  const words = foldedWords(name);
  if (words.length === 1) addWords(`country.${code.toLowerCase()}`, name);
}
for (const { code, name } of listLanguages()) addWords(`language.${code}`, `${name} ${languageName(code, code)}`);

function addWords(concept: string, words: string): void {
  for (const word of foldedWords(words)) {
    const concepts = conceptsByWord.get(word);
    if (concepts === undefined) conceptsByWord.set(word, [concept]);
    else if (!concepts.includes(concept)) concepts.push(concept);
  }
}

/** The concepts that a folded word may stand for: `"tech"` → `['topic.technology']`. */
export function conceptsOf(word: string): readonly string[] {
  return conceptsByWord.get(word) ?? [];
}

/** The concepts that an unfinished folded word may stand for: `"newslet"` → `['kind.newsletter']`. */
export function conceptsBeginning(beginning: string): readonly string[] {
  return beginning.length < minPrefixLength ? conceptsOf(beginning) : collect((word) => word.startsWith(beginning));
}

/**
 * The concepts that a mistyped folded word may stand for: `"newsleter"` → `['kind.newsletter']`. The first letter must
 * match.
 */
export function conceptsNear(typed: string): readonly string[] {
  if (typed.length < minCorrectedLength) return conceptsOf(typed);
  return collect((word) => word[0] === typed[0] && countEdits(typed, word, 1) <= 1);
}

function collect(fits: (word: string) => boolean): readonly string[] {
  const found = new Set<string>();
  for (const [word, concepts] of conceptsByWord) {
    if (fits(word)) for (const concept of concepts) found.add(concept);
  }
  return [...found];
}

/** The concepts of a record (see conceptsOf): its kind, type, topics, country and language. */
export function recordConcepts({ kind, type, categories, country, language }: MediaRecord): string[] {
  const concepts = [`kind.${kind}`];
  if (type !== null) concepts.push(`type.${type}`);
  for (const category of categories) concepts.push(`topic.${category}`);
  if (country !== null) concepts.push(`country.${country.toLowerCase()}`);
  if (language !== null) concepts.push(`language.${language.split('-', 1)[0]}`);
  return concepts;
}

/** Where a record is: city, region, the region's postal code, the country's English name. */
export function placeTexts({ city, region, country }: MediaRecord): string[] {
  const place = [city, region, regionCode(region, country), country === null ? null : countryName(country)];
  return place.filter((part) => part !== null);
}
