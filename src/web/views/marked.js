import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { html, once } from '../dom.js';

/** Marks the words of a search in texts. */

// Also finds words in scripts that have no spaces between them.
const segmenter = once(() => new Intl.Segmenter('und', { granularity: 'word' }));

/** Shorter words are marked only as whole words: otherwise `a` would be marked in every word that begins with it. */
const minBeginning = 3;

/** Without case and accents. @param {string} word */
export function fold(word) {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The words of a query, except those that are excluded (`-word`). @param {string} query */
export function readTerms(query) {
  const segments = [...segmenter().segment(query.replace(/(?:^|\s)-\S+/gu, ' '))];
  return segments.filter(({ isWordLike }) => isWordLike).map(({ segment }) => fold(segment));
}

/** @type {import('preact').Context<readonly string[]>} */
const Terms = createContext(/** @type {readonly string[]} */ ([]));

/** Tells the views within it which words to mark (`readTerms`). */
export const InTerms = Terms.Provider;

/** A text with the words marked that begin with a term. @param {{ text: string }} props */
export function Marked({ text }) {
  const terms = useContext(Terms);
  if (terms.length === 0) return text;
  // Pieces at even places are plain, those at odd places are marked.
  const pieces = [''];
  for (const { segment } of segmenter().segment(text)) {
    const word = fold(segment);
    const isMarked = terms.some((term) => word === term || (term.length >= minBeginning && word.startsWith(term)));
    if (isMarked === (pieces.length % 2 === 0)) pieces.push(`${pieces.pop()}${segment}`);
    else pieces.push(segment);
  }
  return pieces.map((piece, at) => (at % 2 === 1 ? html`<mark>${piece}</mark>` : piece || null));
}
