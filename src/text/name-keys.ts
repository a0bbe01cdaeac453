import { wordsOfUse } from '#languages/words.ts';
import { foldedWords, nameKey, withoutElisions, withoutInvisible } from './fold.ts';
import { consonantKey, soundKey, withoutArabicArticle } from './spellings.ts';

/* Small words carry no meaning of their own next to others, in many languages. All are folded. */

/** Articles, by which names of media begin: "The Herald", "Die Zeit", "Il Tempo", "Το Βήμα", "Al Ahram". */
export const articles = wordSet('article', 'article_in_names');

/** Words for "and", which names also write as `&` or `+`; not those written as one word with the next. */
export const andWords = wordSet('and', 'and_in_names');

/** Between alternatives. */
export const linkingWords = wordSet('and', 'and_in_names', 'or');

/** Those that can only say that one is enough: `o` is Spanish for "or", and an article in Portuguese. */
export const orWords: ReadonlySet<string> = new Set([...wordSet('or')].filter((word) => word.length > 1));

/** Prepositions after which a place is named. */
export const placePrepositions: ReadonlySet<string> = new Set(['in', 'near', 'around', 'from', 'at', 'within', 'by']);

/** Articles, conjunctions, prepositions: next to other words they add nothing to a search ("periódicos de madrid"). */
export const smallWords = wordSet('article', 'and', 'preposition');

/** The words of these uses in the files of languages: `small.article`. */
function wordSet(...uses: string[]): ReadonlySet<string> {
  return new Set(uses.flatMap((use) => wordsOfUse(`small.${use}`)).flatMap(foldedWords));
}

/** `Times, The`, as sorted lists have it. */
const trailingWord = /,\s*(\p{L}{1,3})$/u;

const mark = 'ˈ';

export type NameKeys = ReturnType<typeof nameKeysOf>;

/**
 * The keys of a name in its own letters. `own`: its nameKey; `others`: without articles and "and" (`The Bread & Butter` and `Bread
 * and Butter` share `bread butter`), none if the same.
 */
export function nameKeysOf(name: string) {
  const ownKey = nameKey(name);
  const loose = looseKey(withoutInvisible(name).trim());
  return { own: ownKey, others: loose === ownKey || loose === '' ? [] : [loose] };
}

/** All keys under which a name is found as a whole, where names are written in these scripts (see scriptsOf). */
export function wholeNameKeys(keys: NameKeys, scripts: readonly string[]): string[] {
  const { bySound, byConsonants } = latinKeys(keys, scripts);
  return [keys.own, ...keys.others.map(markedKey), ...bySound, ...byConsonants];
}

/** A loose key as it is indexed. The mark tells it from a name, so that `Advocate` finds the Advocate before The Advocate. */
export function markedKey(key: string): string {
  return mark + key;
}

/** Keys of a name in Latin letters (see romanize.ts), at most one of each kind. */
export interface LatinKeys {
  bySound: string[];
  byConsonants: string[];
}

/** The keys of a name in Latin letters; `any` for typed names, which may be meant for any place. */
export function latinKeys({ own: ownKey, others: otherKeys }: NameKeys, scripts: readonly string[] | 'any'): LatinKeys {
  const key = otherKeys[0] ?? ownKey;
  const listOf = (latin: string | null) => (latin === null ? [] : [latin]);
  return { bySound: listOf(soundKey(key, scripts)), byConsonants: listOf(consonantKey(key, scripts)) };
}

function looseKey(name: string): string {
  const words = nameKey(withoutElisions(name)).split(' ').map(withoutArabicArticle);
  const trailing = trailingWord.exec(name)?.[1];
  if (words.length > 1 && trailing !== undefined && articles.has(nameKey(trailing))) words.pop();
  if (words.length > 1 && articles.has(words[0] ?? '')) words.shift();
  return words.filter((word, index) => index === 0 || index === words.length - 1 || !andWords.has(word)).join(' ');
}

/** cyrb53: a hash of 53 bits, never 0. Of three million texts, two share one with a chance of 1 in 2,000. */
export function hashText(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 0x200000 * (low >>> 0) + ((high >>> 0) & 0x1fffff) || 1;
}
