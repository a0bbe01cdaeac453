import { findAddresses } from './find-addresses.ts';
import { mayHoldAddress } from './may-hold-address.ts';

/**
 * The text without email addresses, however they are encoded, spelled out or hidden (docs/importing.md lists the
 * forms). Handles (`@TheTimes`), names (`Live@Five`) and references to a page ("look at example.org") stay.
 */
export function scrubAddresses(text: string): string {
  if (!mayHoldAddress(text)) return text;
  const parts: string[] = [];
  let end = 0;
  for (const address of findAddresses(text)) {
    parts.push(text.slice(end, address.start));
    end = address.end;
  }
  return end === 0 ? text : [...parts, text.slice(end)].join(' ');
}

/** Whether the text contains an email address in any form that scrubAddresses removes. */
export function holdsAddress(text: string): boolean {
  return mayHoldAddress(text) && findAddresses(text).length > 0;
}

/**
 * The URL without email addresses, encoded or not. A query or fragment that contains one is removed; a path is cut
 * before the part that does: the rest still leads to the site.
 */
export function scrubUrl(url: URL): URL {
  const scrubbed = new URL(url);
  if (holdsAddress(asRead(scrubbed.hash))) scrubbed.hash = '';
  if (holdsAddress(asRead(scrubbed.search))) scrubbed.search = '';
  // What remains may span two parts.
  const { pathname, search, hash } = scrubbed;
  const rest = asRead(pathname + search + hash);
  const [first] = mayHoldAddress(rest) ? findAddresses(rest, true) : [];
  if (first === undefined) return scrubbed;
  scrubbed.hash = '';
  if (first.end > pathname.length) scrubbed.search = '';
  if (first.start < pathname.length) scrubbed.pathname = pathname.slice(0, rest.lastIndexOf('/', first.start));
  return scrubbed;
}

/** In a query + is a space. */
function asRead(part: string): string {
  return part.replaceAll('+', ' ');
}
