import { foldedWords } from './fold.ts';
import known from './small-words.json' with { type: 'json' };

/** Words that carry no meaning of their own next to others, in many languages. All are folded. */

/** Articles, by which names of media begin: "The Herald", "Die Zeit", "Il Tempo", "Το Βήμα", "Al Ahram". */
export const articles = wordSet(known.articles, known.articlesInNames);

/**
 * Words for "and", which names also write as a sign (`&`, `+`). Those that are written as one word with the next are
 * left out.
 */
export const andWords = wordSet(known.ands, known.andsInNames);

/** Prepositions after which a place is named. */
export const placePrepositions = wordSet('in near around from at within');

/**
 * Articles, conjunctions and prepositions: next to other words they add nothing to a search ("podcasts about
 * technology", "periódicos de madrid").
 */
export const smallWords = wordSet(known.articles, known.ands, known.prepositions);

function wordSet(...lists: string[]): ReadonlySet<string> {
  return new Set(lists.flatMap(foldedWords));
}
