import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { text as english } from './texts/en.js';

/**
 * The texts of a language, and its ways to write numbers, dates and names. Days are those of UTC, so that the server and
 * every browser write the same.
 * @typedef {ReturnType<typeof createLocale>} Locale
 * @param {typeof english} text
 */
export function createLocale(text) {
  const { language } = text;
  const numbers = new Intl.NumberFormat(language);
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const languages = new Intl.DisplayNames(language, { type: 'language' });
  return {
    text,
    /** @param {number} count */
    count: (count) => numbers.format(count),
    /** Such as 1.2M. @param {number} count */
    short: (count) => compact.format(count),
    /** @param {string} iso */
    date: (iso) => dates.format(new Date(iso)),
    /** @param {string} tag BCP 47 */
    language(tag) {
      try {
        return languages.of(tag) ?? tag;
      } catch {
        return tag;
      }
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
      return text.words[slug] ?? sentence(slug);
    },
  };
}

const LocaleContext = createContext(createLocale(english));

/** Gives the views within it their language. */
export const InLocale = LocaleContext.Provider;

/** The language of the view that calls this. */
export function useLocale() {
  return useContext(LocaleContext);
}

/** @param {string} slug */
function sentence(slug) {
  const words = slug.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
