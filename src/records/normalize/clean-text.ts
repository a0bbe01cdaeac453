import { fold, isAscii, nameKey, normalForm } from '#text/fold.ts';
import { memoize } from '#text/memoize.ts';
import { holdsAddress, scrubAddresses } from '../addresses/scrub-addresses.ts';
import { type PlainField, plainFields } from '../fields.ts';
import { stripMarkup } from './strip-markup.ts';

/** In UTF-16 code units. Longer text is cut with a note. A longer id or URL is rejected, because half of it means something else. */
export const textLimits = {
  id: 200,
  name: 300,
  aliases: 300,
  description: 5_000,
  region: 120,
  city: 120,
  phone: 60,
  tags: 100,
  ...(Object.fromEntries(plainFields.map(({ key, plain }) => [key, plain.limit])) as Record<PlainField, number>),
} as const;

/** The longest URL that browsers, sitemaps and mail tools all accept. */
export const urlLimit = 2_048;

/** The longest address that fits an SMTP path (RFC 5321, 4.5.3.1.3). */
export const emailLimit = 254;

/** Aliases per record; further ones are dropped with a note. */
export const aliasLimit = 100;

/** Tags per record; further ones are dropped with a note. */
export const tagLimit = 30;

/** Topic words per record to read, not counting repeats. */
export const topicLimit = 100;

/** What cleaning did to a text that its owner should know about. */
type TextChange = 'control_characters' | 'address_removed' | 'repaired' | 'cut';

type Report = (change: TextChange) => void;

/** Printable ASCII without anything that cleaning affects. */
const plain = /^[!"#$%'-;=?A-Z\\[\]^_`a-z{|}~]+(?: [!"#$%'-;=?A-Z\\[\]^_`a-z{|}~]+)*$/;

/** What cleaning affects in other text. */
const unsettled = /[\<\&\p{Cc}\p{Cs}\p{DI}\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff]|[\s--[ ]]|^ | $| {2}/v;

const controls = /[\p{Cc}--[\t\n\v\f\r\u0085]]/gv;
/** Characters that only hide words or reverse their order. Not joiners and variants in words, nor flags of parts of Britain. */
const invisible =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}|[[\p{DI}\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff]--[\u200c\u200d\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]]/gv;
const blackFlag = '\u{1f3f4}';

/** A repair can make another one possible. Honest text needs two passes. */
const maxPasses = 8;

/** Cells are read up to this length, in UTF-16 code units. */
const maxSourceLength = 262_144;
/** No address is longer in any spelling; the end of a truncated text may contain half of one. */
const maxAddressLength = 1_000;

/** Text for display on one line: without markup, invisible characters, mojibake and email addresses. Clean text stays as it is. */
export function cleanText(text: string, limit: number, report: Report = () => {}): string {
  if (text.length <= limit && isPlain(text)) return text;
  let current = text;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const cleaned = cleanOnce(current, limit, report);
    if (cleaned === current) return cleaned;
    current = cleaned;
  }
  // Text that is still not clean hides something, so only its words are kept.
  const words = current.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  return cleanOnce(words, limit, report) === words ? words : '';
}

/** A quick test whether text needs no cleaning but for its length. May be false for clean text. */
function isPlain(text: string): boolean {
  if (isAscii(text)) return plain.test(text) && !holdsAddress(text);
  const isSettled = !unsettled.test(text) && normalForm(text, 'NFC') === text && !mojibake.test(text);
  return isSettled && !holdsAddress(text);
}

function cleanOnce(text: string, limit: number, report: Report): string {
  const composed = normalForm(text.slice(0, maxSourceLength).toWellFormed(), 'NFC');
  const repaired = repairMojibake(composed);
  if (repaired !== composed) report('repaired');
  const printable = repaired.replace(controls, '');
  if (printable !== repaired) report('control_characters');
  const visible = printable.replace(invisible, (sequence) => (sequence.startsWith(blackFlag) ? sequence : ''));
  const beginning = stripMarkup(visible).replace(/[\s\u0085]+/g, ' ');
  const scrubbed = scrubAddresses(beginning);
  if (scrubbed !== beginning) report('address_removed');
  const isCut = text.length > maxSourceLength;
  const wholeWords = isCut ? scrubbed.slice(0, -maxAddressLength) : scrubbed;
  const tidy = wholeWords.replace(/ +/g, ' ').trim();
  if (isCut || tidy.length > limit) report('cut');
  return tidy.length <= limit ? tidy : cutBetweenWords(tidy, limit);
}

/** The start of a text, at most `limit` code units, ending with a complete word unless a word fills the limit. */
function cutBetweenWords(text: string, limit: number): string {
  const beginning = text.slice(0, limit + 1);
  const space = beginning.lastIndexOf(' ');
  if (space > limit / 2) return beginning.slice(0, space);
  const last = text.charCodeAt(limit - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? limit - 1 : limit);
}

/** What Windows-1252 shows for the bytes from 0x80 to 0x9f. */
const shownCharacters = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const windows1252 = new Map([...shownCharacters].map((character, index) => [character.charCodeAt(0), 0x80 + index]));

/** The lead byte of a UTF-8 sequence and what follows it, each shown as a letter. Most texts have none. */
const mojibake = /[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u2122]/;
const control = /\p{Cc}/u;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** UTF-8 read as Latin-1 or Windows-1252, `ZÃ¡rate` → `Zárate`: only if each character is a byte and all are UTF-8. */
function repairMojibake(text: string): string {
  if (!mojibake.test(text)) return text;
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const byte = code <= 0xff ? code : windows1252.get(code);
    if (byte === undefined) return text;
    bytes[index] = byte;
  }
  try {
    const repaired = decoder.decode(bytes);
    return control.test(repaired.replace(/[\t\n\r]/g, '')) ? text : repaired;
  } catch {
    return text;
  }
}

/** Up to 30 tags without repeats. If tags differ only in case and accents, the first spelling stays. */
export function joinTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(nameKey(tag))) byKey.set(nameKey(tag), tag);
  return [...byKey.values()].slice(0, tagLimit);
}

/** Placeholders for "nothing", even where a name is expected. */
const always = new Set('n/a, #n/a, n.a., none, null, (null), \\n, undefined, nil'.split(', '));

/** Placeholders that may also be a name (TBC is a broadcaster), a country (NA) or another value. */
const mostly = new Set(
  `tbd, tba, tbc, na, nan, unknown, not known, unspecified, not specified, not available, not applicable, not provided, missing, \
blank, empty, to be determined, to be confirmed, no email, no website, unbekannt, inconnu, desconocido, desconocida, desconhecido, \
desconhecida, sconosciuto, sconosciuta, onbekend, okand`.split(', '),
);

const maxPlaceholder = 20;
const dashesAndDots = /^[\s\-\u2010-\u2015\u2212_.\u2026?\uff1f*#/\\]+$/;

const beginnings = new Set([...always, ...mostly].map(([first]) => first));
const letterOrDigit = /^[a-z0-9]/;

/** A quick test that rules out most texts by their first letter. */
function mayBePlaceholder(text: string): boolean {
  if (text.length > maxPlaceholder) return false;
  const first = text.charAt(0).toLowerCase();
  return beginnings.has(first) || !letterOrDigit.test(first);
}

const isAlways = memoize((text) => dashesAndDots.test(text) || always.has(fold(text)));
const isMostly = memoize((text) => mostly.has(fold(text)));

/** Whether the text means "nothing" in any field: `N/A`, `none`, `null`, `-`, `?`. */
export function isPlaceholder(text: string): boolean {
  return mayBePlaceholder(text) && isAlways(text);
}

/** Whether the text means "nothing" if it has no other meaning: `NA`, `TBC`, `unknown`. */
export function isLikelyPlaceholder(text: string): boolean {
  return mayBePlaceholder(text) && isMostly(text);
}
