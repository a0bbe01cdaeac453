/**
 * Other spellings of folded words. Names are indexed in each, and a typed word is searched in each, so that the two meet
 * whichever one was written.
 */

/** The Arabic article, which is written as one word with the next: `الشراع`, `شراع`. */
const arabicArticle = /^ال(?=\p{L}{3})/u;

/** A word's other spellings, for a query. */
export function otherSpellings(word: string): string[] {
  const bare = withoutArabicArticle(word);
  return bare === word ? [] : [bare];
}

/** A name's words in other spellings, for an index. */
export function respell(words: readonly string[]): string[][] {
  const bare = words.map(withoutArabicArticle);
  return bare.every((word, index) => word === words[index]) ? [] : [bare];
}

export function withoutArabicArticle(word: string): string {
  return word.replace(arabicArticle, '');
}
