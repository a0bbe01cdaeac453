import { isAscii } from './fold.ts';
import { consonantForm, soundForm, tellsEnough } from './romanize.ts';

/* Names are indexed in all their spellings, and typed words are searched in all of theirs, so that the two meet. */

/** The Arabic article, which is written as one word with the next: `الشراع`, `شراع`. */
const arabicArticle = /^ال(?=\p{L}{3})/u;

/** A typed word's other spellings. */
export function otherSpellings(word: string): string[] {
  const bare = withoutArabicArticle(word);
  return [bare === word ? null : bare, isAscii(word) ? null : soundForm(word)].filter((spelling) => spelling !== null);
}

/** Spellings for a query that finds too little. Otherwise too many match by chance: few Latin words are transcriptions. */
export function looseSpellings(word: string): string[] {
  const sound = isAscii(word) ? soundForm(word) : null;
  const consonants = consonantForm(withoutArabicArticle(word));
  return [sound, consonants !== null && tellsEnough([consonants]) ? consonants : null].filter((form) => form !== null);
}

/** Spellings for an index. Latin words get some only where names have another script: nobody types `Правда` in Ohio. */
export function respell(words: readonly string[], scripts: readonly string[]): string[][] {
  const text = words.join(' ');
  const bare = isAscii(text) ? words : words.map(withoutArabicArticle);
  const changed = bare.some((word, index) => word !== words[index]) ? [[...bare]] : [];
  const bySound = isTranscribed(text, scripts, bySoundOnly, soundScripts) ? [withoutNull(words.map(soundForm))] : [];
  const byConsonants = isTranscribed(text, scripts, byConsonantsOnly, consonantScripts)
    ? [withoutNull(bare.map(consonantForm))]
    : [];
  return [...changed, ...bySound, ...byConsonants].filter(({ length }) => length > 0);
}

/** The key of a whole name by its sound; null if it has none. */
export function soundKey(key: string, scripts: readonly string[] | 'any'): string | null {
  if (!isTranscribed(key, scripts, bySoundOnly, soundScripts)) return null;
  return allOrNone(key.split(' ').map(soundForm))?.join(' ') ?? null;
}

/** The key of a whole name by its consonants, which other names may share; null if it has none. */
export function consonantKey(key: string, scripts: readonly string[] | 'any'): string | null {
  if (!isTranscribed(key, scripts, byConsonantsOnly, consonantScripts)) return null;
  const bare = key
    .split(' ')
    .map(withoutArabicArticle)
    .filter((word) => !transcribedArticle.test(word));
  const consonants = allOrNone(bare.map(consonantForm));
  return consonants !== null && tellsEnough(consonants) ? consonants.join(' ') : null;
}

export function withoutArabicArticle(word: string): string {
  return word.replace(arabicArticle, '');
}

const soundScripts = ['Cyrl', 'Grek'];
const consonantScripts = ['Arab', 'Hebr'];
const bySoundOnly = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const byConsonantsOnly = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const transcribedArticle = /^(?:al|el|ha)$/;

function isTranscribed(
  text: string,
  scripts: readonly string[] | 'any',
  script: RegExp,
  sources: readonly string[],
): boolean {
  if (scripts === 'any' || sources.some((source) => scripts.includes(source))) return true;
  return !isAscii(text) && script.test(text);
}

function withoutNull(forms: readonly (string | null)[]): string[] {
  return forms.filter((form) => form !== null);
}

function allOrNone(forms: readonly (string | null)[]): string[] | null {
  const knownForms = withoutNull(forms);
  return knownForms.length > 0 && knownForms.length === forms.length ? knownForms : null;
}
