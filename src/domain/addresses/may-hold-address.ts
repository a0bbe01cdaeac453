import { normalForm } from '#domain/linear-text.ts';
import { isAscii } from '#domain/search/fold.ts';
import { namesOfDot, namesOfSign, seen, spacelessNamesOfDot, spacelessNamesOfSign } from './address-words.ts';
import { dotLookAlikes, signLookAlikes } from './read-character.ts';

/** The starts of encodings, and signs that need no further check. */
const plainSigns = /[@%&\\]/;
const bracketedSigns = /[([{<] ?(?:a|ad|et) ?[)\]}>]/i;
const gluedSign = /[a-z\d]AT[a-z\d]/;

const decoration = /[\p{M}\p{DI}]+/gu;
const plainForm = (text: string) => normalForm(text, 'NFKD').replace(decoration, '');
/** The words without accents, as they appear in an address view. */
const either = (words: readonly string[]) => [...new Set([...words.map(plainForm), ...seen(words)])].join('|');
const otherNames = either(namesOfSign.filter((name) => name !== 'at'));
const dotNames = [...namesOfDot, ...spacelessNamesOfDot];
const dots = either(
  dotNames.flatMap((name) => [name, name.toUpperCase(), (name[0] ?? '').toUpperCase() + name.slice(1)]),
);

/** What must follow a name of the @: a word and a possible full stop after it. */
function hostBehind(letter: string, small: string, dot: string): string {
  const word = `[^${letter}]{1,16}[${letter}_-]{1,63}?`;
  return `${word}(?:${dot}+[${letter}_-]|[^${letter}]${dot}|${dot} [${small}]|DOT|[^${letter}]{0,4}(?:${dots}))`;
}

const asciiHost = hostBehind('A-Za-z\\d', 'a-z', '[.]');
const unicodeHost = hostBehind('\\p{L}\\p{N}', '\\p{Ll}', `[.${dotLookAlikes}]`);

const ascii = {
  at: new RegExp(`[Aa][Tt](?<![A-Za-z\\d]..)${asciiHost}`),
  otherNames: new RegExp(`(?:${otherNames})${asciiHost}`, 'i'),
};
const unicode = {
  signs: new RegExp(
    `[${signLookAlikes}]|${either(spacelessNamesOfSign)}|[\\p{Ps}<] ?(?:[aаɑα]|ad|et) ?[\\p{Pe}>]`,
    'iu',
  ),
  names: new RegExp(`(?:[aаɑα][tтτ]|${otherNames})${unicodeHost}`, 'iu'),
};

/**
 * Whether the text may contain an address: a quick test that clears most texts. It recognizes every form that
 * findAddresses finds, and has false positives.
 */
export function mayHoldAddress(text: string): boolean {
  if (plainSigns.test(text) || bracketedSigns.test(text) || gluedSign.test(text) || text.includes('=40')) return true;
  if (isAscii(text)) return ascii.at.test(text) || ascii.otherNames.test(text);
  if (unicode.signs.test(text)) return true;
  const plain = plainForm(text);
  return plainSigns.test(plain) || unicode.signs.test(plain) || unicode.names.test(plain);
}
