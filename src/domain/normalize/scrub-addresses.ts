/** The at sign, in its full-width and small forms too. */
const atSign = /[@\uff20\ufe6b]/;

/** What leads in to an address and makes no sense without it. */
const lead = '(?:mailto:\\s*|\\be-?mail(?:\\s+(?:us|me))?(?:\\s+at)?\\s*:?\\s*)?';
const local = "[\\p{L}\\p{M}\\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}";
const domain = '[\\p{L}\\p{M}\\p{N}_-]+(?:[.\\u3002\\uff0e][\\p{L}\\p{M}\\p{N}_-]+)+';

/** An address with what wraps it: `<desk@example.com>`, `(mailto:desk@example.com)`. */
const address = new RegExp(`[<([]?${lead}${local}\\s?[@\\uff20\\ufe6b]\\s?${domain}[>)\\]]?`, 'giu');
/** Whatever else has a dotted name after an at sign. */
const remains = /[^\s@]{1,64}[@\uff20\ufe6b][^\s@]+[.\u3002\uff0e][^\s@]+/gu;
/** `desk [at] example [dot] com`, `desk(at)example.com` */
const spelled = new RegExp(
  `${local}\\s?[[({]\\s?at\\s?[\\])}]\\s?[\\p{L}\\p{N}-]+(?:\\s?(?:\\.|[[({]\\s?(?:dot|\\.)\\s?[\\])}])\\s?[\\p{L}\\p{N}-]+)+`,
  'giu',
);
const spelledSign = /[[({]\s?at\s?[\])}]/i;

/** Whether the text has a sign of an address: a quick test that clears most texts. */
export function mayHoldAddress(text: string): boolean {
  return atSign.test(text) || spelledSign.test(text);
}

/**
 * The text without email addresses, also those written with a full-width @ or `[at]`. A handle (`@TheTimes`) or a
 * name (`Live@Five`) is none and stays.
 */
export function scrubAddresses(text: string): string {
  let scrubbed = text;
  if (atSign.test(scrubbed)) scrubbed = scrubbed.replace(address, ' ').replace(remains, ' ');
  if (spelledSign.test(scrubbed)) scrubbed = scrubbed.replace(spelled, ' ');
  return scrubbed;
}

/** Whether the text holds an email address in any form that scrubAddresses removes. */
export function holdsAddress(text: string): boolean {
  return scrubAddresses(text) !== text;
}

/** At signs and a full stop as URLs encode them, however often. */
const encodedAt = /%(?:25)*40/g;
const encodedWideAt = /%(?:25)*ef%(?:25)*bc%(?:25)*a0/gi;
const encodedStop = /%(?:25)*2e/gi;

/**
 * The URL without email addresses, encoded or not. A query or fragment that holds one goes whole; a path is cut before
 * the part that does: what is left still leads to the site.
 */
export function scrubUrl(url: URL): URL {
  const scrubbed = new URL(url);
  if (holdsEncodedAddress(scrubbed.hash)) scrubbed.hash = '';
  if (holdsEncodedAddress(scrubbed.search)) scrubbed.search = '';
  if (holdsEncodedAddress(scrubbed.pathname)) {
    const parts = scrubbed.pathname.split('/');
    const first = parts.findIndex((_, index) => holdsEncodedAddress(parts.slice(0, index + 1).join('/')));
    scrubbed.pathname = parts.slice(0, first).join('/');
  }
  return scrubbed;
}

function holdsEncodedAddress(part: string): boolean {
  const decoded = part.replace(encodedAt, '@').replace(encodedWideAt, '\uff20');
  return mayHoldAddress(decoded) && holdsAddress(decoded.replace(encodedStop, '.').replaceAll('/', '\n\n'));
}
