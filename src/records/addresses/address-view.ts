import { normalForm } from '#text/fold.ts';
import { elements } from '../normalize/strip-markup.ts';

/** Entities that can spell an address, besides numeric ones. */
const entities: Readonly<Record<string, string>> = {
  ...{
    commat: '@',
    period: '.',
    lowbar: '_',
    hyphen: '-',
    dash: '-',
    plus: '+',
    nbsp: ' ',
    shy: '',
    zwnj: '',
    zwj: '',
  },
  ...{ lpar: '(', rpar: ')', lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', lt: '<', gt: '>', quot: '"', apos: "'" },
};

const hex = '[\\da-fA-F]';
/** What reads as something else; encodings may nest (`%2540`, `&amp;#64;`). The last two: tags and odd characters. */
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
/** Mixed encodings are looked into this often. */
const maxPasses = 4;

/** A text as people and programs read it: percent codes, entities and escapes decoded, without tags, controls and invisible characters, in compatibility form (NFKC). */
export function viewAddresses(source: string): string {
  let text = source;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const next = text.replace(special, (found, ...rest) => decode(found, rest.at(-1)));
    if (next === text) break;
    text = next;
  }
  return text;
}

function decode(
  found: string,
  { bytes, decimal, hex, unit, byte, braced, entity }: Record<string, string | undefined>,
) {
  if (bytes !== undefined) return Buffer.from(bytes.replace(/%(?:25)*(?=[\da-f]{2})/gi, ''), 'hex').toString();
  if (entity !== undefined) return entities[entity.toLowerCase()] ?? found;
  const digits = decimal ?? hex ?? unit ?? byte ?? braced;
  if (digits !== undefined) {
    const code = Number.parseInt(digits, decimal === undefined ? 16 : 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : found;
  }
  if (found.startsWith('<')) return '';
  if (found !== '\ufeff' && /\s/.test(found)) return ' ';
  return normalForm(found, 'NFKC').replace(/[\p{DI}\p{Cf}\p{Cc}]/gu, '');
}
