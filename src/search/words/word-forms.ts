import { isAscii, nameKey } from '#text/fold.ts';

/* How words change in a sentence, by language. Words are folded, without accents: `Россий` is `россии`. */

/** Names of countries and languages in Slavic languages and Greek: `Россия`, `в России`. */
const declinedCountry = /^([\p{Script=Cyrillic}\p{Script=Greek}]{5,}?)(?:ии|ыи|.)$/u;

/** What stays of the name of a country in every case: `россия` → `росси`. Null if it does not change. */
export function stemOfCountry(name: string): string | null {
  return declinedCountry.exec(name)?.[1] ?? null;
}

/** Endings by language and by what they replace. Some make forms that nobody uses. */
type Endings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Of names of countries: `Zeitungen Deutschlands`, `w Chorwacji`, `Magyarországon`, `Türkiye'deki`. */
const countryEndings: Endings = {
  de: { '': 's' },
  sv: { '': 's' },
  nb: { '': 's' },
  da: { '': 's' },
  pl: {
    ...{ ja: 'ji', ia: 'ii', na: 'nie ny', da: 'dzie dy', ka: 'ce ki', wa: 'wie wy', ta: 'cie ty', ma: 'mie my' },
    ...{ la: 'li', ba: 'bie by', k: 'ku', l: 'lu', n: 'nie nu', m: 'mie mu', t: 'cie tu' },
  },
  cs: { ko: 'ku ka', ie: 'ii' },
  fi: { '': 'ssa' },
  hr: { ja: 'ji ju je', ka: 'koj ke', a: 'i u e oj' },
  sk: { ko: 'ku ka', ia: 'ii' },
  hu: { orszag: 'orszagon orszagi', '': 'ban ben i' },
  tr: { '': 'da de daki deki nin nun' },
};

/** The other cases of the name of a country: `chorwacja` → `chorwacji`. */
export const formsOfCountry = (name: string, language: string): string[] => formsOf(name, countryEndings[language]);

/** The name with each of the endings that replace its own. */
function formsOf(name: string, endings: Endings[string] = {}): string[] {
  const [ending = '', forms = ''] = Object.entries(endings).find(([suffix]) => name.endsWith(suffix)) ?? [];
  return forms === '' ? [] : forms.split(' ').map((form) => name.slice(0, name.length - ending.length) + form);
}

/** Polish, and languages in Cyrillic: `Warszawa`, `w Warszawie`; `Москва`, `в Москве`. The stem is at least four letters. */
const declinedPlace = /^(\p{L}{4,}?)[aeyаяеоыиь]?$/u;
/** Russian and Ukrainian regions: `Свердловская`, `Краснодарский`, `Львівська`. */
const adjective = /^(\p{Script=Cyrillic}{2,}[сцз](ь?)к)(?:ая|ии|а)$/u;
const adjectiveEndings = { russian: 'ая ои ую ии ого ому ом ие их', ukrainian: 'а оі у іи' };

/** Of names of cities, by languages whose languages decline them: `Turku`, `Turusta`; `Θεσσαλονίκη`, `Θεσσαλονίκης`; `Rijeka`, `u Rijeci`. */
const cityEndings: Endings = {
  el: { η: 'ησ', α: 'ασ ων', ησ: 'η', οσ: 'ου ο', ασ: 'α ων', ο: 'ου', ι: 'ιου', εσ: 'ων' },
  fi: {
    ...{ joki: 'joella joelta joen', maki: 'maella maelta maen', niemi: 'niemella niemelta niemen' },
    ...{
      ere: 'ereella ereelta ereen',
      jarvi: 'jarvella jarvelta jarven',
      lahti: 'lahdessa lahdesta lahden',
      lampi: 'lammella lammelta lammen',
    },
    ...{ saari: 'saaressa saaresta saaren', koski: 'koskella koskelta kosken', salmi: 'salmella salmelta salmen' },
    ...{ kaupunki: 'kaupungissa kaupungista kaupungin', nki: 'ngissa ngista ngin', nta: 'nnassa nnasta nnan' },
    ...{ rku: 'russa rusta run', us: 'udessa udesta uden', '': 'ssa sta lla lta n' },
  },
  et: { nn: 'nnas nnast nna nnal', '': 's st l lt' },
  hu: { a: 'aban abol an ai arol', e: 'eben ebol en ei erol', '': 'ban ben bol on en i rol ott ett' },
  lt: {
    ius: 'iuje iaus',
    us: 'uje aus',
    iai: 'iuose iu',
    ai: 'uose u',
    as: 'e o',
    ys: 'yje io',
    a: 'oje os',
    e: 'eje es',
  },
  lv: { pils: 'pili', a: 'as', s: 'a', e: 'es', i: 'os' },
  hr: {
    ca: 'ci ce',
    ka: 'ci ke',
    ga: 'zi ge',
    a: 'i e',
    ac: 'cu ca',
    ak: 'ku ka',
    ar: 'ru ra',
    o: 'u a',
    e: 'ima a',
    i: 'ima a',
    '': 'u a om',
  },
  cs: { ha: 'ze hy', no: 'ne na', ava: 'ave avy', a: 'e y', e: 'i ich', en: 'ni ne', ec: 'ci ce', '': 'u e' },
};
const languagesOfCities: Readonly<Record<string, string>> = {
  ...{ GR: 'el', CY: 'el', FI: 'fi', EE: 'et', HU: 'hu', LT: 'lt', LV: 'lv', CZ: 'cs', SK: 'cs' },
  ...{ HR: 'hr', RS: 'hr', BA: 'hr', ME: 'hr', SI: 'hr' },
};
/** Shorter forms are often other words. In UTF-16 code units. */
const minForm = 5;

/** The other cases of the name of a city: `turku` → `turusta`. Croatian ones also with "in", which is a letter: `u zagrebu`. */
export function formsOfCity(name: string, country: string): string[] {
  const language = languagesOfCities[country] ?? '';
  const declined = formsOf(nameKey(name), cityEndings[language]);
  const withIn = language === 'hr' ? declined.map((form) => `u ${form}`) : [];
  return [...declined, ...withIn].filter(({ length }) => length >= minForm);
}

/** The other forms of a place's name, and the stem to which endings are added; null if it has none. */
export function formsOfPlace(name: string, country: string): { forms: string[]; stem: string | null } {
  // Hebrew: "in", written as one word with the next.
  const forms = /^[א-ת]+ /.test(name) ? [`ב${name}`] : [];
  const [, base, soft] = adjective.exec(name) ?? [];
  const endings = soft ? adjectiveEndings.ukrainian : adjectiveEndings.russian;
  if (base !== undefined)
    return { forms: [...forms, ...endings.split(' ').map((ending) => base + ending)], stem: null };
  const isDeclined = country === 'PL' || /^\p{Script=Cyrillic}/u.test(name);
  return { forms, stem: isDeclined ? (declinedPlace.exec(name)?.[1] ?? null) : null };
}

/** Of the feminine and the plural of nationalities. */
const nationalityEndings: Endings = {
  es: { o: 'a os as', '': 's a es as' },
  fr: { '': 's e es ne nes' },
  de: { '': 'e er en es' },
  it: { o: 'a i e', e: 'i' },
  no: { '': 'e a t' },
  fi: { nen: 'set sia sten' },
  pl: { i: 'a ie ich im iego iej', y: 'a e ych ym ego ej' },
  cs: { y: 'a e ych eho', i: 'ich' },
  pt: { ao: 'a aes as', es: 'esa eses esas', o: 'a os as' },
  nl: { '': 'e' },
  sv: { ka: 'k kt' },
  da: { '': 'e' },
  nb: { '': 'e' },
  hr: { i: 'a e ih im og oj u' },
  ro: { a: 'e' },
};

/** The feminine and the plural: `mexicano` → `mexicana`, `mexicanos`, `mexicanas`. */
export const formsOfNationality = (name: string, language: string): string[] =>
  formsOf(name, nationalityEndings[language]);

/** Hebrew: "in", "to", "from" or "the", written as one word with the next: `בירושלים`. */
export function withoutHebrewPrefix(word: string): string {
  return word.replace(/^[בלמה](?=[א-ת]{3})/, '');
}

/** The most letters of an ending behind a stem. */
const maxEnding = 2;
/** Endings of Slavic, Germanic, Finnic, Hungarian and Turkish words. Any other is more often a typo in an English word. */
const latinEndings = new Set(' a e i o u y s n k en er ar et na ne ny ie iu om em ow ak ek ok ia ta'.split(' '));

/** What a word may be a form of, the word itself first: `новости` → `новости`, `новост`, `новос`. */
export function possibleStems(word: string): string[] {
  const lengths = Array.from({ length: maxEnding + 1 }, (_, length) => length);
  return lengths.flatMap((length) => {
    const stem = word.slice(0, word.length - length);
    return isAscii(word) && !latinEndings.has(word.slice(stem.length)) ? [] : [stem];
  });
}

/** German, Dutch and Swedish words for kinds that end others: `Wirtschaftszeitungen`, `sportblad`. */
const compound =
  /^(\p{L}{4,})(zeitung(?:en)?|zeitschrift(?:en)?|magazine?|blatt|blatter|presse|blogs?|podcasts?|krant(?:en)?|blad(?:en)?|tidning(?:ar)?|tidskrift(?:er)?)$/u;

/** `wirtschaftszeitungen` → `wirtschafts` or `wirtschaft`, and `zeitungen`; null if no word for a kind ends the word. */
export function splitCompound(word: string): { topics: string[]; kind: string } | null {
  const [, topic, kind] = compound.exec(word) ?? [];
  return topic === undefined || kind === undefined ? null : { topics: [topic, topic.replace(/s$/, '')], kind };
}

/** Chinese, Japanese and Korean: signs for a city, and for "of", "and" and "in", behind a word: `東京都の`. */
const linkingSign = /^[都府県市]?(?:[のと的和与及의]|에서?)?/u;

export function withoutLinkingSign(run: string): string {
  return run.replace(linkingSign, '');
}
