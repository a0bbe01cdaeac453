import letters from './letters.json' with { type: 'json' };
import { memoize } from './memoize.ts';

/**
 * Letters that Unicode does not decompose, with the spelling people type for them; those of Bengali and Malayalam are also
 * spelled with a joiner, which nobody sees.
 */
const plainSpellings: Readonly<Record<string, string>> = letters.plainSpellings;
const specialLetters = new RegExp(`[${Object.keys(plainSpellings).join('')}]`, 'g');

const asciiOnly = /^[\0-\x7f]*$/;

/** Whether the text is pure ASCII, as most text is: then many checks can be skipped. */
export function isAscii(text: string): boolean {
  return asciiOnly.test(text);
}

/** Characters that show nothing (Default_Ignorable_Code_Point, annotations), such as the joiners of Persian, Indic scripts and emoji. */
const invisible = /[\p{DI}\ufff9-\ufffb]/gu;

/** The text without characters that show nothing. Every search in a text, or for one, begins with this. */
export function withoutInvisible(text: string): string {
  return isAscii(text) ? text : text.replace(invisible, '');
}

/** Marks that do not count: those of Latin, Greek, Cyrillic, Arabic, Hebrew. In Indic and South-East Asian scripts they are vowels. */
const decorations =
  /[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]/g;

const arabicVariants: Readonly<Record<string, string>> = letters.arabicVariants;
const arabicVariant = new RegExp(`[${Object.keys(arabicVariants).join('')}]`, 'g');

/** The form of a text for comparing, in records and queries: without case, accents, widths and extra whitespace. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase().replace(/\s+/g, ' ').trim();
  const plain = normalForm(withoutInvisible(text), 'NFKD')
    .replace(decorations, '')
    .toLowerCase()
    .replace(specialLetters, (letter) => plainSpellings[letter] ?? letter)
    .replace(arabicVariant, (letter) => arabicVariants[letter] ?? letter);
  return normalForm(plain, 'NFC').replace(/\s+/g, ' ').trim();
}

/** Signs that people type for an apostrophe. Some are letters by Unicode. */
const apostrophes = "'’‘‛`´′‵＇ʼʻʽʾʿʹˈꞌ՚׳ߴߵ᾽᾿῾";

/**
 * Letters, digits and their marks; an apostrophe inside a word, the quotes of a Hebrew abbreviation and the Catalan dot
 * are dropped. Patterns start with the rare character, which V8 searches for first.
 */
const word = /[\p{L}\p{N}\p{M}]+/gu;
const letterApostrophes = /[ʼʻʽʾʿʹˈꞌ]/g;
const innerApostrophe = new RegExp(`[${apostrophes}](?<=[\\p{L}\\p{M}].)(?=\\p{L})`, 'gu');
const innerPunctuation = /["״“”″](?<=\p{Script=Hebrew}.)(?=\p{Script=Hebrew})|·(?<=[lL].)(?=[lL])/gu;
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
 * The folded words of a text, in order. A run in a script without spaces (CJK, Thai) is one word: `"8am新闻 L'Écho"` →
 * `['8am', '新闻', 'lecho']`. Memoized, because the index asks for names in several forms, and records share cities.
 */
export const foldedWords: (text: string) => readonly string[] = memoize((text): readonly string[] => {
  if (isAscii(text)) return text.toLowerCase().replace(asciiInnerPunctuation, '').match(asciiWord) ?? [];
  const visible = withoutInvisible(text).replace(innerApostrophe, '').replace(letterApostrophes, '');
  const words = fold(visible.replace(innerPunctuation, '')).match(word) ?? [];
  return words.flatMap(splitScripts);
});

/** The text with each apostrophe inside a word as a space: `L'Écho d’Arcy` → `L Écho d Arcy`. */
export function partAtApostrophes(text: string): string {
  return withoutInvisible(text).replace(innerApostrophe, ' ');
}

/** Articles and prepositions that lose their vowel before another: French, Italian, Catalan. */
const elided = '(?<![\\p{L}\\p{M}])(?:l|d|un|gl|all|dall|dell|nell|sull)';
const elision = new RegExp(`${elided}[${apostrophes}](?=\\p{L})`, 'giu');
const anyApostrophe = new RegExp(`[${apostrophes}]`);
const elisionSign = new RegExp(`[${apostrophes}](?<=${elided}.)(?=\\p{L})`, 'giu');

/** The text with elided articles as words of their own: `L'Écho d’Arcy, Women's Hour` → `L Écho d Arcy, Women's Hour`. */
export function partElisions(text: string): string {
  return text.replace(elisionSign, ' ');
}

/** The text without elided articles: `L'Écho d’Arcy` → `Écho Arcy`. */
export function withoutElisions(text: string): string {
  return anyApostrophe.test(text) ? text.replace(elision, '') : text;
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
  // No name has U+0000, at which SQLite ends a text.
  return foldedWords(name).join(' ') || fold(name).replaceAll('\0', '');
}

/** Normalizing sorts runs of marks in quadratic time: 256 KiB take two minutes. Two letters become marks when normalized. */
const longRunOfMarks = /[\p{M}\uff9e\uff9f]{31,}/gu;
/** No language needs more marks on a letter; the limit of Unicode's Stream-Safe Text Format (UAX #15, section 13). */
const maxMarks = 30;

const firstMark = /[\u0300-\uffff]/;

/** The text in a Unicode normal form. Only the first 30 combining marks of a run are kept. */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  if (!firstMark.test(text)) return text.normalize(form);
  return text.replace(longRunOfMarks, (run) => [...run].slice(0, maxMarks).join('')).normalize(form);
}

/** The text without these characters at its end. A pattern such as `/[.,]+$/` would scan each run of them repeatedly. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}
