import { type AddressView, viewAddresses } from './address-view.ts';
import { asksToWrite, isDeterminer, isPosition, leadsToPage } from './address-words.ts';
import { findSigns, type Sign, type Span } from './find-signs.ts';
import { mayHoldAddress } from './may-hold-address.ts';
import { readBackwards, readDomain } from './read-domain.ts';
import { readLocalPart } from './read-local-part.ts';

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
  if (findInUrl(scrubbed.hash).length > 0) scrubbed.hash = '';
  if (findInUrl(scrubbed.search).length > 0) scrubbed.search = '';
  // What remains may span two parts.
  const { pathname, search, hash } = scrubbed;
  const rest = pathname + search + hash;
  const [first] = findInUrl(rest, true);
  if (first === undefined) return scrubbed;
  scrubbed.hash = '';
  if (first.end > pathname.length) scrubbed.search = '';
  if (first.start < pathname.length) scrubbed.pathname = pathname.slice(0, rest.lastIndexOf('/', first.start));
  return scrubbed;
}

/** In a query + is a space, but an address may have one too: `+@x.example`. */
function findInUrl(part: string, isPath = false): Span[] {
  const readings = part.includes('+') ? [part.replaceAll('+', ' '), part] : [part];
  return merge(readings.flatMap((reading) => (mayHoldAddress(reading) ? findAddresses(reading, isPath) : [])));
}

/**
 * Finds the email addresses in a text, in any form; returns their positions, in order and without overlap. In the path
 * of a URL a local part does not extend over a `/`.
 */
export function findAddresses(source: string, isPath = false): Span[] {
  const found = findInView(viewAddresses(source), isPath);
  // What one reader does not treat as an encoding may be part of the address: `r&#x20d@example.org`.
  return encoding.test(source) ? merge([...found, ...findInView(viewAddresses(source, false), isPath)]) : found;
}

const encoding = /[%&\\]/;

function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || span.start > last.end) merged.push({ ...span });
    else last.end = Math.max(last.end, span.end);
  }
  return merged;
}

function findInView({ text, origins }: AddressView, isPath: boolean): Span[] {
  const found: Span[] = [];
  let floor = 0;
  for (const sign of findSigns(text)) {
    const address = sign.start < floor ? null : readAddress(text, sign, floor, isPath);
    if (address === null) continue;
    found.push({ start: origins[address.start] ?? 0, end: origins[address.end] ?? 0 });
    floor = address.end;
  }
  return found;
}

/** The address around a sign, with what wraps it and introduces it; null if there is none. */
function readAddress(text: string, sign: Sign, floor: number, isPath: boolean): Span | null {
  const domain = readDomain(text, sign.end, sign, isPath);
  if (domain === null && !sign.isAt) return null;
  const local = readLocalPart(text, sign, floor, isPath);
  if (local === null || (!sign.isCertain && isProse(text, local, sign))) return null;
  const end = domain ?? readBackwards(text, local, sign.end);
  return end === null ? null : takeWrapping(text, local.start, end, floor);
}

const maxContextLength = 60;
const plainWord = /^[a-z]+$/;

/**
 * Whether "at" is the preposition after this word, or starts a sentence: "look at example.org", "Senior Editor at
 * Example.com".
 */
function isProse(text: string, local: Span, { wrapping }: Sign): boolean {
  const run = text.slice(local.start, local.end);
  if (/[.!?]$/.test(run)) return true;
  // In `read-more-at-example.org` hyphens stand for spaces.
  const joint = wrapping === '-' || wrapping === '_' ? wrapping : ' ';
  const [word = ''] = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(run.slice(run.lastIndexOf(joint) + 1)) ?? [];
  if (leadsToPage(word) || isPosition(word)) return true;
  const before = text.slice(Math.max(0, local.start - maxContextLength), local.start) + run.slice(0, -word.length);
  const wordBefore = before.split(/[ _-]/).at(-2) ?? '';
  return plainWord.test(word) && isDeterminer(wordBefore) && !asksToWrite.test(before);
}

const maxLeadLength = 24;
/** Words that make no sense without the following address. */
const leadIn = /(?:mailto: ?|(?<![\p{L}\p{N}])e-?mail(?: (?:us|me))?(?: at)? ?:? ?)$/iu;

/** The stretch including surrounding brackets and introducing words. */
function takeWrapping(text: string, start: number, end: number, floor: number): Span {
  const before = text.slice(Math.max(floor, start - maxLeadLength), start);
  let from = start - (leadIn.exec(before)?.[0].length ?? 0);
  if (from > floor && '<([{'.includes(text[from - 1] ?? ' ')) from -= 1;
  return { start: from, end: '>)]}'.includes(text[end] ?? ' ') ? end + 1 : end };
}
