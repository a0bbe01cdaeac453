import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { html, once } from '../dom.js';

/** Marks the words of a search in texts. */

// Also finds words in scripts that have no spaces between them.
const segmenter = once(() => new Intl.Segmenter('und', { granularity: 'word' }));
const sentences = once(() => new Intl.Segmenter('und', { granularity: 'sentence' }));

/** Shorter words are marked only as whole words: otherwise `a` would be marked in every word that begins with it. */
const minBeginning = 3;

/** Without case and accents. @param {string} word */
export function fold(word) {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Words that say nothing of what is looked for: marked, they would hide those that do. */
const small = new Set('a about an and at by for from in of on or the to who with'.split(' '));

/** The words of a query, except those that are excluded (`-word`), and small ones beside others. @param {string} query */
export function readTerms(query) {
  const segments = [...segmenter().segment(query.replace(/(?:^|\s)-\S+/gu, ' '))];
  const words = segments.filter(({ isWordLike }) => isWordLike).map(({ segment }) => fold(segment));
  const telling = words.filter((word) => !small.has(word));
  return telling.length > 0 ? telling : words;
}

/** @type {import('preact').Context<readonly string[]>} */
const Terms = createContext(/** @type {readonly string[]} */ ([]));

/** Tells the views within it which words to mark (`readTerms`). */
export const InTerms = Terms.Provider;

/** Whether a term begins the word. @param {readonly string[]} terms @param {string} segment */
function isTerm(terms, segment) {
  const word = fold(segment);
  return terms.some((term) => word === term || (term.length >= minBeginning && word.startsWith(term)));
}

/** How much of a sentence is shown before the first word of the search in it, in characters. */
const shownBefore = 60;

/** The sentence of a text that has most words of the search, else its first, from near the first of them on. @param {{ text: string }} props */
export function MarkedSentence({ text }) {
  const terms = useContext(Terms);
  let best = { sentence: '', count: -1, from: 0 };
  for (const { segment: sentence } of sentences().segment(text)) {
    const met = [...segmenter().segment(sentence)].filter(({ segment }) => isTerm(terms, segment));
    const count = new Set(met.map(({ segment }) => fold(segment))).size;
    if (count > best.count) best = { sentence, count, from: met[0]?.index ?? 0 };
  }
  const from = best.from > 2 * shownBefore ? best.sentence.indexOf(' ', best.from - shownBefore) + 1 : 0;
  return html`${from > 0 ? '… ' : null}<${Marked} text=${best.sentence.slice(from).trim()} />`;
}

/** A text with the words marked that begin with a term. @param {{ text: string }} props */
export function Marked({ text }) {
  const terms = useContext(Terms);
  if (terms.length === 0) return text;
  // Pieces at even places are plain, those at odd places are marked.
  const pieces = [''];
  for (const { segment } of segmenter().segment(text)) {
    const isMarked = isTerm(terms, segment);
    if (isMarked === (pieces.length % 2 === 0)) pieces.push(`${pieces.pop()}${segment}`);
    else pieces.push(segment);
  }
  return pieces.map((piece, at) => (at % 2 === 1 ? html`<mark>${piece}</mark>` : piece || null));
}
