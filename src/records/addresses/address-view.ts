import { normalForm } from '#text/fold.ts';
import { elements } from '../normalize/strip-markup.ts';
import characters from './entities.json' with { type: 'json' };

/** Entities that can spell an address, besides numeric ones. */
const entities: Readonly<Record<string, string>> = characters;

const hex = '[\\da-fA-F]';
/** Encoded characters, also encoded twice (`%2540`, `&amp;#64;`); then tags and unusual characters. */
const special = new RegExp(
  [
    `(?<bytes>(?:%(?:25)*${hex}{2})+)`,
    `&(?:amp;)*(?:#(?<decimal>\\d{1,7});?|#[xX](?<hex>${hex}{1,6});?|(?<entity>[a-z]{2,6});)`,
    `[\\\\%]u(?<unit>${hex}{4})|\\\\x(?<byte>${hex}{2})|\\\\u\\{(?<braced>${hex}{1,6})\\}`,
    `</?(?:${elements})(?:[\\s\\/][^<>]{0,200})?>|<!--[^>]{0,200}-->`,
    '[[\\p{CWKCF}\\p{Cc}\\p{Cf}]--[\\x20-\\x7e]]',
  ].join('|'),
  'gv',
);
/** How many encodings within each other are decoded. */
const maxPasses = 4;

/** A text as people read it: with percent codes, entities and escapes decoded, without tags and invisible characters, in NFKC. */
export function viewAddresses(source: string): string {
  let text = source;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const next = text.replace(special, (encoded, ...rest) => decode(encoded, rest.at(-1)));
    if (next === text) break;
    text = next;
  }
  return text;
}

function decode(
  encoded: string,
  { bytes, decimal, hex, unit, byte, braced, entity }: Record<string, string | undefined>,
) {
  if (bytes !== undefined) return Buffer.from(bytes.replace(/%(?:25)*(?=[\da-f]{2})/gi, ''), 'hex').toString();
  if (entity !== undefined) return entities[entity.toLowerCase()] ?? encoded;
  const digits = decimal ?? hex ?? unit ?? byte ?? braced;
  if (digits !== undefined) {
    const code = Number.parseInt(digits, decimal === undefined ? 16 : 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : encoded;
  }
  if (encoded.startsWith('<')) return '';
  if (encoded !== '\ufeff' && /\s/.test(encoded)) return ' ';
  return normalForm(encoded, 'NFKC').replace(/[\p{DI}\p{Cf}\p{Cc}]/gu, '');
}
