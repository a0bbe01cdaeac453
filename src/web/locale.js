import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { once } from './once.js';

/**
 * The texts of a language, and its ways to write numbers, dates and names. Days are those of UTC, so that the server and
 * every browser write the same.
 * @typedef {ReturnType<typeof createLocale>} Locale
 * @param {typeof import('./texts/en.js').text} text
 */
export function createLocale(text) {
  const { language } = text;
  const numbers = once(() => new Intl.NumberFormat(language));
  const compact = once(() => new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }));
  const dates = once(() => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }));
  const moments = once(
    () => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' }),
  );
  const languages = once(() => new Intl.DisplayNames(language, { type: 'language' }));
  const regions = once(() => new Intl.DisplayNames(language, { type: 'region' }));
  // Words also come from URLs: `constructor` is none.
  const wordOf = (/** @type {string} */ slug) => (Object.hasOwn(text.words, slug) ? text.words[slug] : undefined);
  return {
    text,
    /** @param {number} count */
    count: (count) => numbers().format(count),
    /** Such as 1.2M. @param {number} count */
    short: (count) => compact().format(count),
    /** @param {string} iso */
    date: (iso) => dates().format(new Date(iso)),
    /** With the time, in UTC. @param {string} iso */
    moment: (iso) => moments().format(new Date(iso)),
    language: (/** @type {string} */ tag) => nameOf(languages(), tag) ?? tag,
    /**
     * The name of a country. `known` is its English one, as the API has it.
     * @param {string | null} code
     * @param {string | null} known
     */
    country: (code, known) => (code === null || language === 'en' ? known : (nameOf(regions(), code) ?? known)),
    /**
     * A value of a list among the facets. `label` is the API's, in English.
     * @param {string | undefined} list
     * @param {{ value: string, label?: string }} entry
     */
    value(list, { value, label }) {
      if (list === 'countries')
        return (language === 'en' ? label : undefined) ?? nameOf(regions(), value) ?? label ?? value;
      if (language !== 'en' && list === 'languages') return nameOf(languages(), value) ?? label ?? value;
      return wordOf(value) ?? label ?? sentence(value);
    },
    /**
     * @param {number} price in minor units
     * @param {string} currency
     */
    price(price, currency) {
      const format = new Intl.NumberFormat(language, {
        style: 'currency',
        currency,
        trailingZeroDisplay: 'stripIfInteger',
      });
      // With the option above, the format's own digits are no longer those of the currency.
      const { maximumFractionDigits = 0 } = new Intl.NumberFormat(language, {
        style: 'currency',
        currency,
      }).resolvedOptions();
      return format.format(price / 10 ** maximumFractionDigits);
    },
    /** A value of a vocabulary: general_news is General news. @param {string} slug */
    word(slug) {
      return wordOf(slug) ?? sentence(slug);
    },
  };
}

const LocaleContext = createContext(/** @type {Locale} */ (/** @type {unknown} */ (null)));

/** Gives the views within it their language. */
export const InLocale = LocaleContext.Provider;

/** The language of the view that calls this. */
export function useLocale() {
  return useContext(LocaleContext);
}

/** @param {Intl.DisplayNames} names @param {string} code */
function nameOf(names, code) {
  try {
    return names.of(code);
  } catch {
    return undefined;
  }
}

/** @param {string} slug */
function sentence(slug) {
  const words = slug.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
