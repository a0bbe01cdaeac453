import { findAddresses } from './find-addresses.ts';
import { mayHoldAddress } from './may-hold-address.ts';

/**
 * The text without email addresses, whatever encodes, spells out or hides them (docs/importing.md lists the forms). A
 * handle (`@TheTimes`), a name (`Live@Five`) and the way to a page ("look at example.org") are none and stay.
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

/** Whether the text holds an email address in any form that scrubAddresses removes. */
export function holdsAddress(text: string): boolean {
  return mayHoldAddress(text) && findAddresses(text).length > 0;
}

/**
 * The URL without email addresses, encoded or not. A query or fragment that holds one goes whole; a path is cut before
 * the part that does: what is left still leads to the site.
 */
export function scrubUrl(url: URL): URL {
  const scrubbed = new URL(url);
  if (holdsAddress(asRead(scrubbed.hash))) scrubbed.hash = '';
  if (holdsAddress(asRead(scrubbed.search))) scrubbed.search = '';
  // Of what is left one may reach from a part into the next.
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
