import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { memoize } from '#text/memoize.ts';
import spellingVariants from './spelling-variants.json' with { type: 'json' };

/**
 * Stems of the words of texts (Snowball), so that "weeklies" finds "weekly", with British spellings as American ones. A
 * stem is indexed beside its word, with a mark that no folded word has, where the two differ.
 */

const stemmers: Readonly<Record<string, (word: string) => string>> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
  it: italian,
  pt: portuguese,
};
const american = new Map(Object.entries(spellingVariants));
const stemmed = /^[a-z]{3,30}$/;
const minStem = 3;
const maxEnding = 4;
const stemMark = 'ʳ';

/** Whether a word is a stem with its mark. */
export const isStem = (word: string): boolean => word.startsWith(stemMark);

/** For each language, a function from a word to its stem: `weeklies` → `weekli`. A word without a stem stays itself. */
const stemIn = Object.fromEntries(
  Object.entries(stemmers).map(([language, stem]) => [
    language,
    (word: string) => (stemmed.test(word) ? stem(american.get(word) ?? word) : word),
  ]),
);

/** For each language, a function from a word to its stem with the mark; null if the word is its own stem. */
const markedStemIn = Object.fromEntries(
  Object.entries(stemIn).map(([language, stem]) => [
    language,
    memoize((word) => {
      const wordStem = stem(word);
      return wordStem === word ? null : stemMark + wordStem;
    }),
  ]),
);

/** The marked stems of a record's words that differ from them, in its language (English if unknown). */
export function stemsOf(words: readonly string[], language: string | null): string[] {
  const markedStem = markedStemIn[language?.split('-', 1)[0] ?? 'en'];
  if (markedStem === undefined) return [];
  const stems = new Set<string>();
  for (const word of words) {
    const stem = markedStem(word);
    if (stem !== null) stems.add(stem);
  }
  return [...stems];
}

/** What else a typed word is looked up as: its stem in each language, with the mark and as a word. */
export const stemsOfTyped = memoize((word: string): readonly string[] => {
  if (!stemmed.test(word)) return [];
  const stems = new Set(Object.values(stemIn).map((stem) => stem(word)));
  // A much shorter stem stands for other words: `organ` for organisation, `be` for beer.
  const likely = [...stems].filter(
    (stem) => stem === word || (stem.length >= minStem && word.length - stem.length <= maxEnding),
  );
  // A word that is its own stem is indexed without the mark: `podcast` for `podcasts`, but not `navi` for `navy`.
  const english = stemIn.en?.(word);
  return likely.flatMap((stem) =>
    stem === english && stem !== word && word.startsWith(stem) ? [stemMark + stem, stem] : [stemMark + stem],
  );
});
