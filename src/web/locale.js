import { once } from './dom.js';
import { text } from './text.js';

// Days are those of UTC, so that the server and every browser write the same.
const numbers = once(() => new Intl.NumberFormat('en'));
const compact = once(() => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }));
const dates = once(() => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }));
const months = once(() => new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' }));
const moments = once(() => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' }));
const languages = once(() => new Intl.DisplayNames('en', { type: 'language' }));
const regions = once(() => new Intl.DisplayNames('en', { type: 'region' }));

/** What the pages say, and how they write numbers, dates and names. */
export const locale = {
  text,
  /** @param {number} count */
  count: (count) => numbers().format(count),
  /** Such as 1.2M. @param {number} count */
  short: (count) => compact().format(count),
  /** @param {string} iso */
  date: (iso) => dates().format(new Date(iso)),
  /** Such as May 2026. @param {string} iso */
  month: (iso) => months().format(new Date(iso)),
  /** With the time, in UTC. @param {string} iso */
  moment: (iso) => moments().format(new Date(iso)),
  language: (/** @type {string} */ tag) => nameOf(languages(), tag) ?? tag,
  /**
   * A value of a list among the facets. `label` is the API's.
   * @param {string | undefined} list
   * @param {{ value: string, label?: string }} entry
   */
  value(list, { value, label }) {
    if (list === 'countries') return label ?? nameOf(regions(), value) ?? value;
    return wordOf(value) ?? label ?? sentence(value);
  },
  /**
   * @param {number} price in minor units
   * @param {string} currency
   */
  price(price, currency) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' });
    // With the option above, the format's own digits are no longer those of the currency.
    const { maximumFractionDigits = 0 } = new Intl.NumberFormat('en', {
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

/** Words also come from URLs: `constructor` is none. @param {string} slug */
function wordOf(slug) {
  return Object.hasOwn(text.words, slug) ? /** @type {Record<string, string>} */ (text.words)[slug] : undefined;
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
