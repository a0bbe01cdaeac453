import { type AddressView, viewAddresses } from './address-view.ts';
import { asksToWrite, isDeterminer, isPosition, leadsToPage } from './address-words.ts';
import { findSigns, type Sign } from './find-signs.ts';
import { readBackwards, readDomain } from './read-domain.ts';
import { readLocalPart } from './read-local-part.ts';
import type { Span } from './span.ts';

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
