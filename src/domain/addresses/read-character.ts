import { normalForm } from '#domain/linear-text.ts';

/** What stands for @, full stop and the letters of "at" and "dot", in addition to Unicode's compatibility mappings. */
const lookAlikes = new Map<string, string>();
export const signLookAlikes = 'ⓐⒶ🅐🄰\u{e0040}';
export const dotLookAlikes = '。·∙⋅・•‧⸱⸳۔܁܂։።᙮᠃꓿ꓸ꘎᛫\u{e002e}';
addLookAlikes('@', signLookAlikes);
addLookAlikes('.', dotLookAlikes);
addLookAlikes('a', 'аɑα');
addLookAlikes('A', 'АΑ');
addLookAlikes('d', 'ԁ');
addLookAlikes('o', 'оο');
addLookAlikes('O', 'ОΟ');
addLookAlikes('t', 'тτ');
addLookAlikes('T', 'ТΤ');
addLookAlikes('/', '∕⁄');
addLookAlikes(' ', '\u2800');

function addLookAlikes(meant: string, characters: string): void {
  for (const character of characters) lookAlikes.set(character, meant);
}

const ignored = /[\p{M}\p{DI}]/gu;
const maxCached = 5_000;
const cache = new Map<number, string>();

/**
 * A non-ASCII character as an address search sees it: without marks, widths and other decoration, with look-alikes,
 * brackets, quotes and dashes in plain form; empty if invisible.
 */
export function readCharacter(code: number): string {
  let read = cache.get(code);
  if (read === undefined) {
    read = decode(String.fromCodePoint(code));
    if (cache.size >= maxCached) cache.clear();
    cache.set(code, read);
  }
  return read;
}

function decode(character: string): string {
  const alike = lookAlikes.get(character);
  if (alike !== undefined) return alike;
  return [...normalForm(character, 'NFKD').replace(ignored, '')]
    .map((part) => lookAlikes.get(part) ?? plainOf(part))
    .join('');
}

const classes: readonly (readonly [RegExp, string])[] = [
  [/^\p{Ps}$/u, '['],
  [/^\p{Pe}$/u, ']'],
  [/^[\p{Pi}\p{Pf}]$/u, '"'],
  [/^\p{Pd}$/u, '-'],
  [/^\p{Pc}$/u, '_'],
  [/^[\s\u0085]$/u, ' '],
  [/^\p{Cc}$/u, ''],
];

function plainOf(character: string): string {
  if (character < '\x80') return character;
  return classes.find(([pattern]) => pattern.test(character))?.[1] ?? character;
}
