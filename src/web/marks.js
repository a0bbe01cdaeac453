import { once } from './dom.js';

// Also finds the words of scripts that write them without spaces between.
const segmenter = once(() => new Intl.Segmenter('und', { granularity: 'word' }));

/** Shorter words are found whole only: `a` is not marked in every word that begins with it. */
const minBeginning = 3;

/** Without case and accents. @param {string} word */
export function fold(word) {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The words of a query that may be in a text: not those that are excluded. @param {string} query */
export function readTerms(query) {
  const segments = [...segmenter().segment(query.replace(/(?:^|\s)-\S+/gu, ' '))];
  return segments.filter(({ isWordLike }) => isWordLike).map(({ segment }) => fold(segment));
}

/**
 * The text in pieces, those that a term stands for marked: words that begin with it.
 * @param {string} text
 * @param {readonly string[]} terms of `readTerms`
 */
export function markTerms(text, terms) {
  /** @type {{ text: string, isMarked: boolean }[]} */
  const pieces = [];
  for (const { segment } of segmenter().segment(text)) {
    const word = fold(segment);
    const isMarked = terms.some((term) => word === term || (term.length >= minBeginning && word.startsWith(term)));
    const last = pieces.at(-1);
    if (last?.isMarked === isMarked) last.text += segment;
    else pieces.push({ text: segment, isMarked });
  }
  return pieces;
}
