import { memoize, once } from '#domain/memoize.ts';
import { nameKey } from '#domain/search/fold.ts';

const englishNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
/** Memoized because every facet list needs it: computing one takes 3 µs per tag. */
const englishName = memoize((tag) => englishNames.of(tag) ?? tag);

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** ISO 639-1 codes by the languages' English names. Made when first needed: threads that search need none. */
const codesByName = once(() => {
  const codes = new Map<string, string>();
  for (const first of letters) {
    for (const second of letters) {
      const code = first + second;
      const name = englishNames.of(code);
      if (name === undefined || Intl.getCanonicalLocales(code)[0] !== code) continue;
      codes.set(nameKey(name), code);
    }
  }
  return codes;
});

/** Most of what is asked for, found without the 30 µs that Intl takes. */
const twoLetterCodes = once(() => new Set(codesByName().values()));

/**
 * The canonical BCP 47 tag of a tag (`EN_us` → `en-US`) or of a language's English name (`Spanish` → `es`); null if
 * unknown.
 */
export function findLanguage(input: string): string | null {
  if (twoLetterCodes().has(input)) return input;
  const named = codesByName().get(nameKey(input));
  if (named) return named;
  try {
    const [tag] = Intl.getCanonicalLocales(input.trim().replaceAll('_', '-'));
    if (tag === undefined) return null;
    const language = new Intl.Locale(tag).language;
    return englishNames.of(language) === undefined ? null : tag;
  } catch {
    return null;
  }
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

/** A tag and all that it is a special case of: `zh-Hant-TW` → `zh-Hant-TW`, `zh-Hant`, `zh`. */
export function listBroaderTags(tag: string): readonly string[] {
  const parts = tag.split('-');
  return parts.map((_, place) => parts.slice(0, parts.length - place).join('-'));
}
