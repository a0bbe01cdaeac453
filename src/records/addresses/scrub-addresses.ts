import { findHost } from '#text/hosts.ts';
import { viewAddresses } from './address-view.ts';
import words from './address-words.json' with { type: 'json' };

/** A stretch of a text: from its first code unit to before `end`. */
interface Span {
  start: number;
  end: number;
}

const either = (list: readonly string[]) => list.join('|');

/** A label of a host. One in Latin letters ends where a script without spaces begins. */
const label = '(?:[\\p{sc=Latn}\\p{M}\\d_\\-]{1,63}|[\\p{L}\\p{M}\\p{N}_\\-]{1,63})';
const bracketedDot = ` ?[\\[(\\{<] ?(?:\\.|${either(words.dots)}) ?[\\])\\}>] ?`;
const hostWith = (dots: string) => `${label}(?:(?:[.。]|${bracketedDot}| (?:${dots}) )${label}){1,10}`;
const numericHost = '\\[(?:IPv6:)?[\\d.:a-f]{2,45}\\]';

/** An @ that can be nothing else: plain, in brackets, or by a name that no sentence about a website has. */
const certain = new RegExp(
  `(?:@{1,3}| ?[\\[(\\{<]["' ]?(?:${either(words.bracketed)})["' ]?[\\])\\}>] ?| (?:${either(words.signs)}) )(?:${hostWith(either(words.dots))}|${numericHost})`,
  'giu',
);
/** What may also lead to a website. */
const doubtful = new RegExp(` (?:at |@ ?)${hostWith('dot|punkt')}`, 'giu');

/** What ends before a sign and may be a local part; after a closing quote or bracket, anything. */
const localPart =
  /(?<=((?:[\p{sc=Latn}\p{M}\d._+'!#$%&*=^`{|}~\\-]{1,64}|[\p{L}\p{M}\p{N}._+'!#$%&*=^`{|}~\\-]{1,64}|[^\s/@]{0,64}[\p{L}\p{N}]["”’'»)\]}]{1,2})))/uy;
/** What stands around an address and makes no sense without it. */
const opening = /(?<=([<([]?(?:mailto: ?<?)?))/iy;

/** Before a local part: asks to write to somebody, at once or after words that lead to the address. */
const asks = new RegExp(
  `(?<=((?<![\\p{L}\\p{N}])(?:${either(words.asking)})(?:(?: [^.!?@:]{0,40})?(?: (?:${either(words.leading)})| ?:))? ?["'<\\(]?))`,
  'iuy',
);
const things = new Set(words.things);

/** A sign, or what may become one when it is decoded: letters of common scripts do not. Most texts have neither. */
const maybe = new RegExp(`[@%&\\\\<>[({]| (?:at|${either(words.signs)}) |[^ -~¡-¬®-ɏͰ-Ͼ-҂Ҋ-ԯぁ-ヺ一-鿿가-힣]`, 'i');

/** The text without email addresses (docs/data-staff.md lists the forms). Handles and websites stay. */
export function scrubAddresses(text: string): string {
  return replaceAddresses(text, ' ');
}

/** A path or file name for messages: `***` in place of the addresses that it holds. */
export function maskAddresses(path: string): string {
  return replaceAddresses(path, '***');
}

/** Whether the text contains an email address in a form that scrubAddresses removes. */
export function holdsAddress(text: string): boolean {
  if (!maybe.test(text)) return false;
  const view = viewAddresses(text);
  return findPlain(text).length > 0 || (view !== text && findPlain(view).length > 0);
}

function replaceAddresses(text: string, replacement: string): string {
  if (!maybe.test(text)) return text;
  const rest = replacePlain(text, replacement);
  // What one reader does not take for an encoding may be part of the address: `jane%2c@example.org`.
  const view = viewAddresses(rest);
  const scrubbed = view === rest ? view : replacePlain(view, replacement);
  return scrubbed === view ? rest : scrubbed;
}

function replacePlain(text: string, replacement: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const address of findPlain(text)) {
    parts.push(text.slice(end, address.start), replacement);
    end = address.end;
  }
  return end === 0 ? text : parts.join('') + text.slice(end);
}

/** Without the parts that hold an address, encoded or not: the fragment, the query, the path. An address may span two. */
export function scrubUrl(url: URL): URL {
  if (!maybe.test(url.href.replaceAll('+', ' '))) return url;
  const scrubbed = new URL(url);
  if (holdsInUrl(scrubbed.hash)) scrubbed.hash = '';
  if (holdsInUrl(scrubbed.search + scrubbed.hash)) Object.assign(scrubbed, { search: '', hash: '' });
  const { pathname, search, hash } = scrubbed;
  return holdsInUrl(pathname + search + hash) ? new URL('/', url) : scrubbed;
}

/** In a query + is a space, but an address may have one too: `+@x.example`. */
function holdsInUrl(part: string): boolean {
  // With the sign alone decoded, one reads an address where the bytes before it are not a letter: `%9F%40x.example`.
  const readings = new Set([part, part.replaceAll('+', ' '), part.replace(/%(?:25)*40/g, '@')]);
  return [...readings].some(holdsAddress);
}

function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || span.start > last.end) merged.push({ ...span });
    else last.end = Math.max(last.end, span.end);
  }
  return merged;
}

function findPlain(text: string): Span[] {
  const found: Span[] = [];
  for (const { 0: sign, index } of text.matchAll(certain)) {
    const local = lengthOf(localPart, text, index);
    if (local > 0) found.push(wrapped(text, index - local, index + sign.length));
  }
  for (const { 0: sign, index } of text.matchAll(doubtful)) {
    const local = lengthOf(localPart, text, index);
    if (local > 0 && isMailbox(text, index - local, index, sign)) {
      found.push(wrapped(text, index - local, index + sign.length));
    }
  }
  return merge(found);
}

/** Whether `jane at example.org` is not a website: by a dot in words, a host of mailboxes, a call to write to jane. */
function isMailbox(text: string, start: number, end: number, sign: string): boolean {
  const host = sign.replace(/^ (?:at|@) ?/i, '');
  const [first = ''] = host.split(/[ .]/, 1);
  if (/ (?:dot|punkt) |[[({<]/i.test(host)) {
    const plain = host.replace(/ ?[[({<] ?(?:\p{L}+|\.) ?[\])}>] ?| (?:dot|punkt) /giu, '.');
    return !words.notHosts.includes(first.toLowerCase()) && findHost(plain) !== null;
  }
  const word = text.slice(start, end).toLowerCase();
  if (things.has(word) || /^www\d?$/i.test(first) || findHost(host) === null) return false;
  return words.mailHosts.includes(host.toLowerCase()) || lengthOf(asks, text, start) >= 0;
}

/** The stretch with what wraps and introduces it. */
function wrapped(text: string, start: number, end: number): Span {
  const lead = lengthOf(opening, text, start);
  return { start: start - lead, end: lead > 0 && '>)]'.includes(text[end] ?? ' ') ? end + 1 : end };
}

/** How long the first group is of what the pattern finds just before this place; -1 if it finds nothing. */
function lengthOf(before: RegExp, text: string, place: number): number {
  before.lastIndex = place;
  return before.exec(text)?.[1]?.length ?? -1;
}
