import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { html } from '../html.js';
import { markTerms } from '../marks.js';

/** @type {import('preact').Context<readonly string[]>} */
const Terms = createContext(/** @type {readonly string[]} */ ([]));

/** Gives the views within it what is searched for (`readTerms`). */
export const InTerms = Terms.Provider;

/** A text with what is searched for marked in it. @param {{ text: string }} props */
export function Marked({ text }) {
  const terms = useContext(Terms);
  if (terms.length === 0) return text;
  return markTerms(text, terms).map((piece) => (piece.isMarked ? html`<mark>${piece.text}</mark>` : piece.text));
}
