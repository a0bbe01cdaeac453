import { nameKey } from '#text/fold.ts';
import { memoize, once } from '#text/memoize.ts';
import { withoutArabicArticle } from '#text/spellings.ts';
import { findCountry, otherLanguages } from './countries.ts';
import known from './language-names.json' with { type: 'json' };

const englishNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
/** Memoized because every facet list needs it: computing one takes 3 µs per tag. */
const englishName = memoize((tag) => englishNames.of(tag) ?? tag);

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const scripts: Readonly<Record<string, string>> = known.scripts;

/** ISO 639-1 codes with an English name. Made only when needed, because threads that search need none. */
const twoLetterCodes = once(
  () =>
    new Set(
      letters
        .flatMap((first) => letters.map((second) => first + second))
        .filter((code) => englishNames.of(code) !== undefined && Intl.getCanonicalLocales(code)[0] === code),
    ),
);

/** Language tags by the English name, the own name and other usual names, in nameKey form. */
const tagsByName = once(() => {
  const tags = new Map<string, string>();
  for (const code of [...known.codes.split(' '), ...twoLetterCodes()]) {
    for (const name of [languageName(code), languageName(code, code)]) tags.set(nameKey(name), code);
  }
  for (const [tag, names] of Object.entries(known.names)) for (const name of names.split(', ')) tags.set(name, tag);
  return tags;
});

/** BCP 47 of a tag (`EN_us` → `en-US`), ISO 639 code (`ger`) or name (`Portuguese (Brazil)` → `pt-BR`), else null. */
export function findLanguage(input: string): string | null {
  // Most inputs are codes. This saves the 30 µs that Intl takes.
  if (twoLetterCodes().has(input)) return input;
  const named = tagsByName().get(nameKey(input));
  if (named) return named;
  const [, name = '', variety = ''] = /^([^()]*)\(([^()]*)\)$/.exec(input.trim()) ?? [];
  const language = tagsByName().get(nameKey(name));
  const subtag = scripts[nameKey(variety)] ?? findCountry(variety)?.code;
  const tag = language && subtag ? `${language}-${subtag}` : input.trim().replaceAll('_', '-');
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag);
    const code = new Intl.Locale(canonical).language;
    const isNone = [code, canonical].some((text) => known.noLanguage.includes(text));
    return isNone || englishNames.of(code) === undefined ? null : canonical;
  } catch {
    return null;
  }
}

const tagsByOtherName = once(() => {
  const names = (code: string) => otherLanguages.map((language) => nameKey(languageName(code, language)));
  // Arabic names have an article, which lists leave out.
  const forms = (code: string) => names(code).flatMap((name) => [name, withoutArabicArticle(name)]);
  return new Map([...twoLetterCodes()].flatMap((code) => forms(code).map((form) => [form, code] as const)));
});

/** As findLanguage, also by a name in a language that is neither English nor its own: немецкий. */
export function findAnyLanguage(input: string): string | null {
  return findLanguage(input) ?? tagsByOtherName().get(nameKey(input)) ?? null;
}

/** The name of a BCP 47 tag, in English or the given language; the tag itself if it has none. */
export function languageName(tag: string, inLanguage = 'en'): string {
  if (inLanguage === 'en') return englishName(tag);
  return namesIn(inLanguage).of(tag) ?? tag;
}

const namesIn = memoize((language) => new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }));

/** All languages with a two-letter code, with their English names. */
export function listLanguages(): readonly { code: string; name: string }[] {
  return [...twoLetterCodes()].map((code) => ({ code, name: languageName(code) }));
}

/** A tag and all broader ones: `zh-Hant-TW` → `zh-Hant-TW`, `zh-Hant`, `zh`. */
export function listBroaderTags(tag: string): readonly string[] {
  const parts = tag.split('-');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('-'));
}
