import { normalForm } from '#domain/linear-text.ts';

/** Letters that Unicode does not decompose, with the spelling people type for them. */
const plainSpellings: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ə: 'e',
};
const specialLetters = new RegExp(`[${Object.keys(plainSpellings).join('')}]`, 'g');

const asciiOnly = /^[\0-\x7f]*$/;

/** Whether the text is pure ASCII, as most text is: then many checks can be skipped. */
export function isAscii(text: string): boolean {
  return asciiOnly.test(text);
}

/**
 * Marks that only decorate: of the Latin, Greek and Cyrillic scripts, of Arabic and Hebrew (vowel points), and
 * invisible joiners. The vowel signs of Indic and South-East Asian scripts are letters and stay.
 */
const decorations =
  /[\ufe00-\ufe0f]|[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]|[\u0640\u200b-\u200f\u2060\ufeff]/g;

const arabicVariants: Record<string, string> = { ي: 'ی', ى: 'ی', ك: 'ک', ة: 'ه' };

/**
 * The form for comparing text: without case, accents, widths and decorations, whitespace runs as one space. The same
 * for records and queries, on every backend that compares whole values (names, regions, cities).
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase().replace(/\s+/g, ' ').trim();
  const plain = normalForm(text, 'NFKD')
    .replace(decorations, '')
    .toLowerCase()
    .replace(specialLetters, (letter) => plainSpellings[letter] ?? letter)
    .replace(/[يىكة]/g, (letter) => arabicVariants[letter] ?? letter);
  return normalForm(plain, 'NFC').replace(/\s+/g, ' ').trim();
}

/**
 * Letters, digits and their marks; an apostrophe inside a word is dropped. The patterns start with the rare character,
 * which V8 searches for first, and check what precedes it afterwards.
 */
const word = /[\p{L}\p{N}\p{M}]+/gu;
const innerPunctuation = /['’ʼ`´ʹ](?<=\p{L}.)(?=\p{L})/gu;
const asciiWord = /[a-z0-9]+/g;
const asciiInnerPunctuation = /['`](?<=[a-z].)(?=[a-z])/g;

/** Scripts written without spaces between words. */
const spacelessRun =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}\u30fc]+/gu;

/** Whether the word is in a script without spaces, so it may contain several words. */
export function isSpaceless(text: string): boolean {
  return !isAscii(text) && text.search(spacelessRun) >= 0;
}

/**
 * The words of a text, folded, in order. A run in a script without spaces (CJK, Thai, …) is one word: `"8am新闻 L'Écho"`
 * → `['8am', '新闻', 'lecho']`.
 */
export function foldedWords(text: string): string[] {
  if (isAscii(text)) return text.toLowerCase().replace(asciiInnerPunctuation, '').match(asciiWord) ?? [];
  const words = fold(text).replace(innerPunctuation, '').match(word) ?? [];
  return words.flatMap(splitScripts);
}

function splitScripts(text: string): string[] {
  const parts: string[] = [];
  let end = 0;
  for (const run of text.matchAll(spacelessRun)) {
    if (run.index > end) parts.push(text.slice(end, run.index));
    parts.push(run[0]);
    end = run.index + run[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** The form in which equal names are equal: `"The Herald (Everett)"` and `"the herald, Everett"` are. */
export function nameKey(name: string): string {
  return foldedWords(name).join(' ') || fold(name);
}
