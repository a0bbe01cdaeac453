const numbers = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const languages = new Intl.DisplayNames('en', { type: 'language' });

/** @param {number} count */
export const formatCount = (count) => numbers.format(count);
/** Such as 1.2M. @param {number} count */
export const formatShort = (count) => short.format(count);
/** @param {string} iso */
export const formatDate = (iso) => dates.format(new Date(iso));

/** @param {string} tag BCP 47 */
export function formatLanguage(tag) {
  try {
    return languages.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The words of a slug: general_news is General news. @param {string} slug */
export function sentence(slug) {
  if (slug === 'tv') return 'TV';
  const words = slug.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * @param {number} price in minor units
 * @param {string} currency
 */
export function formatPrice(price, currency) {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' });
  return format.format(
    price /
      10 ** (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0),
  );
}

/** The URL, where a browser may be sent there: data may hold anything. @param {string | null} url */
export function safeUrl(url) {
  return url !== null && /^https?:\/\//i.test(url) ? url : null;
}
