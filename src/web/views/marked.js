import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { html, once } from '../dom.js';

/** What is searched for, marked in texts. */

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

/** @type {import('preact').Context<readonly string[]>} */
const Terms = createContext(/** @type {readonly string[]} */ ([]));

/** Gives the views within it what is searched for (`readTerms`). */
export const InTerms = Terms.Provider;

/** A text with the words marked that begin with a term. @param {{ text: string }} props */
export function Marked({ text }) {
  const terms = useContext(Terms);
  if (terms.length === 0) return text;
  // Plain and marked in turn.
  const pieces = [''];
  for (const { segment } of segmenter().segment(text)) {
    const word = fold(segment);
    const isMarked = terms.some((term) => word === term || (term.length >= minBeginning && word.startsWith(term)));
    if (isMarked === (pieces.length % 2 === 0)) pieces.push(`${pieces.pop()}${segment}`);
    else pieces.push(segment);
  }
  return pieces.map((piece, at) => (at % 2 === 1 ? html`<mark>${piece}</mark>` : piece || null));
}
