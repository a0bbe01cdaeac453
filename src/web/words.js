import { once } from './dom.js';

/** Formats numbers, dates and names in English, and days in UTC, so that the server and every browser show the same. */

const numbers = once(() => new Intl.NumberFormat('en'));
const compact = once(() => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }));
const dates = once(() => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }));
const months = once(() => new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' }));
const moments = once(() => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' }));
const languages = once(() => new Intl.DisplayNames('en', { type: 'language' }));
const regions = once(() => new Intl.DisplayNames('en', { type: 'region' }));

/** @param {number} count */
export const write = (count) => numbers().format(count);
/** Such as `1 result` and `1,200 results`. @param {number} count @param {string} singular @param {string} [plural] */
export const counted = (count, singular, plural = `${singular}s`) =>
  `${write(count)} ${count === 1 ? singular : plural}`;
/** Such as 1.2M. @param {number} count */
export const short = (count) => compact().format(count);
/** @param {string} iso */
export const date = (iso) => dates().format(new Date(iso));
/** Such as May 2026. @param {string} iso */
export const month = (iso) => months().format(new Date(iso));
/** With the time. @param {string} iso */
export const moment = (iso) => moments().format(new Date(iso));
/** @param {string} tag */
export const languageName = (tag) => nameOf(languages(), tag) ?? tag;

/** @param {number} price in minor units @param {string} currency */
export function writePrice(price, currency) {
  const style = /** @type {const} */ ({ style: 'currency', currency });
  const { maximumFractionDigits = 0 } = new Intl.NumberFormat('en', style).resolvedOptions();
  const format = new Intl.NumberFormat('en', { ...style, trailingZeroDisplay: 'stripIfInteger' });
  return format.format(price / 10 ** maximumFractionDigits);
}

/** A value of a vocabulary for people: `General news` for `general_news`. @param {string} slug */
export function word(slug) {
  if (slug === 'tv') return 'TV';
  const words = slug.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value of a facet for people. `label` comes from the API. @param {string | undefined} list @param {{ value: string, label?: string }} entry */
export function valueName(list, { value, label }) {
  return label ?? (list === 'countries' ? nameOf(regions(), value) : undefined) ?? word(value);
}

/** @param {Intl.DisplayNames} names @param {string} code */
function nameOf(names, code) {
  try {
    return names.of(code);
  } catch {
    return undefined;
  }
}
