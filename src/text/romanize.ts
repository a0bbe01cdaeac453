import anyAscii from 'any-ascii';
import { memoize } from './memoize.ts';

/**
 * Words of other scripts in a form that all their Latin spellings share (`novaya`, `novaja`, `nowaja` for `новая`). It
 * begins with a mark that no folded word has, so it never meets a word as it is written.
 */

/** A folded word by its sound: for Cyrillic and Greek. Null if the word has no such form. */
export function soundForm(word: string): string | null {
  if (!soundable.test(word)) return null;
  const latin = plainLatin.test(word) ? word : lettersOnly(anyAscii(replaceAll(word, greekPairs)));
  const sound = replaceAll(latin, soundRules);
  return sound.length < minSound ? null : `ʾ${sound}`;
}

/** A folded word by its consonants: for Arabic and Hebrew, which leave out most vowels. Null if it has no such form. */
export function consonantForm(word: string): string | null {
  if (!consonantal.test(word)) return null;
  // Letter by letter: two of them may look like one sound of two letters.
  const sounds = plainLatin.test(word) ? [word] : [...word.replace(vowelLetters, '')].map((letter) => anyAscii(letter));
  const letters = sounds.map((sound) => replaceAll(lettersOnly(sound), consonantPairs)).join('');
  const consonants = replaceAll(letters, consonantRules);
  return consonants === '' ? null : `ʿ${consonants}`;
}

/** Whether consonants tell enough of a word to search for it, or of a whole name. */
export function tellsEnough(forms: readonly string[]): boolean {
  return forms.join('').length - forms.length >= minConsonants;
}

const minSound = 2;
const minConsonants = 3;

const plainLatin = /^[a-z]+$/;
const soundable = /^(?:[a-z]+|\p{Script=Cyrillic}+|\p{Script=Greek}+)$/u;
const consonantal = /^(?:[a-z]+|\p{Script=Arabic}+|\p{Script=Hebrew}+)$/u;
/** They are vowels as often as consonants: vav and yod, waw and ya. */
const vowelLetters = /[ויوی]/g;

type Rules = readonly (readonly [RegExp, string])[];

/** What two letters together spell (ELOT 743). */
const greekPairs: Rules = [
  [/ου/g, 'ou'],
  [/([αεη])υ/g, '$1β'],
  [/^μπ/, 'b'],
  [/^ντ/, 'd'],
  [/γ(?=[γκξχ])/g, 'n'],
];

/** One letter where romanizations differ (BGN/PCGN, GOST 7.79, ISO 9, DIN 1460, ELOT 743), without diacritics. */
const soundRules: Rules = [
  [/schtsch|shch|stch/g, 'sc'],
  [/t?sch(?=[aeiouyj]|$)|sh|sz/g, 's'],
  [/tch|ch|cz|t[sz]/g, 'c'],
  [/zh/g, 'z'],
  [/kh/g, 'h'],
  [/ph/g, 'f'],
  [/x/g, 'ks'],
  [/q|ck/g, 'k'],
  [/w/g, 'v'],
  [/[yj]/g, 'i'],
  [/ou/g, 'u'],
  [/([ae])[uf]/g, '$1v'],
  [/(^|[aeiou])ie/g, '$1e'],
  [/(.)\1+/g, '$1'],
];

const consonantPairs: Rules = [
  [/^(?:al|el)(?=.{3})/, ''],
  [/[sc]h/g, 's'],
  [/kh/g, 'h'],
  [/gh/g, 'g'],
  [/th/g, 't'],
  [/dh/g, 'd'],
  [/zh/g, 'j'],
  [/ph/g, 'f'],
  [/t[sz]/g, 'c'],
];

const consonantRules: Rules = [
  [/[qx]/g, 'k'],
  [/[bp]/g, 'v'],
  [/[aeiouyw]/g, ''],
  [/(.)\1+/g, '$1'],
  // Hebrew's article, and the ending of a feminine word, spelled or not.
  [/^h(?=.{3})/, ''],
  [/(?<=..)[th]$/, ''],
];

function replaceAll(text: string, rules: Rules): string {
  return rules.reduce((spelled, [pattern, letters]) => spelled.replace(pattern, letters), text);
}

/** Without the signs for letters that have no sound. */
function lettersOnly(latin: string): string {
  return latin.toLowerCase().replace(/[^a-z]/g, '');
}

type Origin = { language: string | null; country: string | null };

/** The ISO 15924 codes of the scripts in which media of a language or a country are written. */
export function scriptsOf({ language, country }: Origin): readonly string[] {
  const scripts = [language === null ? null : scriptOf(language), country === null ? null : scriptOf(`und-${country}`)];
  return scripts.filter((script) => script !== null);
}

/** The script of a language or country, by CLDR's likely subtags. */
const scriptOf = memoize((tag) => {
  try {
    return new Intl.Locale(tag).maximize().script ?? null;
  } catch {
    return null;
  }
});
