import { findHost } from '#text/hosts.ts';
import { viewAddresses } from './address-view.ts';
import words from './address-words.json' with { type: 'json' };

/** A part of a text: from `start` to before `end`. */
interface Span {
  start: number;
  end: number;
}

const either = (list: readonly string[]) => list.join('|');

/** A label of a host. A Latin one ends where another script begins, as some have no spaces. */
const label = '(?:[\\p{sc=Latn}\\p{M}\\d_\\-]{1,63}|[\\p{L}\\p{M}\\p{N}_\\-]{1,63})';
const bracketedDot = ` ?[\\[(\\{<] ?(?:\\.|${either(words.dots)}) ?[\\])\\}>] ?`;
const hostWith = (dots: string) => `${label}(?:(?:[.。]|${bracketedDot}| (?:${dots}) )${label}){1,10}`;
const numericHost = '\\[(?:IPv6:)?[\\d.:a-f]{2,45}\\]';

/** A sign that is certainly an @, and the host: `@`, `(at)`, or a word for it that no sentence about a website has. */
const certain = new RegExp(
  `(?:@{1,3}| ?[\\[(\\{<]["' ]?(?:${either(words.bracketed)})["' ]?[\\])\\}>] ?| (?:${either(words.signs)}) )(?:${hostWith(either(words.dots))}|${numericHost})`,
  'giu',
);
/** ` at ` and a host, which may also be a website: `Jane at example.org`. */
const doubtful = new RegExp(` (?:at |@ ?)${hostWith('dot|punkt')}`, 'giu');

/** The local part before a sign. If it ends with a quote or bracket, it may be anything. */
const localPart =
  /(?<=((?:[\p{sc=Latn}\p{M}\d._+'!#$%&*=^`{|}~\\-]{1,64}|[\p{L}\p{M}\p{N}._+'!#$%&*=^`{|}~\\-]{1,64}|[^\s/@]{0,64}[\p{L}\p{N}]["”’'»)\]}]{1,2})))/uy;
/** Text before an address that makes no sense without it: `<mailto:`. */
const opening = /(?<=([<([]?(?:mailto: ?<?)?))/iy;

/** Words before a local part that ask to write to somebody: `write to `, `contact our editor via `. */
const asks = new RegExp(
  `(?<=((?<![\\p{L}\\p{N}])(?:${either(words.asking)})(?:(?: [^.!?@:]{0,40})?(?: (?:${either(words.leading)})| ?:))? ?["'<\\(]?))`,
  'iuy',
);
const things = new Set(words.things);

/** A quick test that rules out most texts: they have no sign and nothing that may become one when decoded. */
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
  // First as it is, because an encoded character may be part of the address: `jane%2c@example.org`.
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

/** Removes fragment, query or path if they hold an address, encoded or not. An address may span two of them. */
export function scrubUrl(url: URL): URL {
  if (!maybe.test(url.href.replaceAll('+', ' '))) return url;
  const scrubbed = new URL(url);
  if (holdsInUrl(scrubbed.hash)) scrubbed.hash = '';
  if (holdsInUrl(scrubbed.search + scrubbed.hash)) Object.assign(scrubbed, { search: '', hash: '' });
  const { pathname, search, hash } = scrubbed;
  return holdsInUrl(pathname + search + hash) ? new URL('/', url) : scrubbed;
}

/** A `+` in a query may be a space or a part of an address: `+@x.example`. */
function holdsInUrl(part: string): boolean {
  // Decoding only the sign finds addresses after bytes that are no letter: `%9F%40x.example`.
  const readings = new Set([part, part.replaceAll('+', ' '), part.replace(/%(?:25)*40/g, '@')]);
  return [...readings].some(holdsAddress);
}

function merge(spans: readonly Span[]): Span[] {
  const mergedSpans: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = mergedSpans.at(-1);
    if (last === undefined || span.start > last.end) mergedSpans.push({ ...span });
    else last.end = Math.max(last.end, span.end);
  }
  return mergedSpans;
}

function findPlain(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: sign, index } of text.matchAll(certain)) {
    const local = lengthOf(localPart, text, index);
    if (local > 0) spans.push(withWrapping(text, index - local, index + sign.length));
  }
  for (const { 0: sign, index } of text.matchAll(doubtful)) {
    const local = lengthOf(localPart, text, index);
    if (local > 0 && isMailbox(text, index - local, index, sign)) {
      spans.push(withWrapping(text, index - local, index + sign.length));
    }
  }
  return merge(spans);
}

/** Whether `jane at example.org` is an address: it has `dot` as a word, a mail host, or a call to write before it. */
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

/** The part with brackets and `mailto:` around it. */
function withWrapping(text: string, start: number, end: number): Span {
  const lead = lengthOf(opening, text, start);
  return { start: start - lead, end: lead > 0 && '>)]'.includes(text[end] ?? ' ') ? end + 1 : end };
}

/** The length of the pattern's first group, which ends at this place; -1 if it is not found. */
function lengthOf(before: RegExp, text: string, place: number): number {
  before.lastIndex = place;
  return before.exec(text)?.[1]?.length ?? -1;
}
