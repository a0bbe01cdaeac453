import { once } from './dom.js';

/** Scripts that write words without spaces between them. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const word = /[\p{L}\p{N}\p{M}]+/gu;

/** Shorter words are found whole only: `a` is not marked in every word that begins with it. */
const minBeginning = 3;

/**
 * The words of a query that may be in a text: not those that are excluded.
 * @param {string} query
 */
export function readTerms(query) {
  const wanted = query.replace(/(?:^|\s)-\S+/gu, ' ');
  return [...new Set(Array.from(wanted.matchAll(word), ([found]) => found))];
}

/**
 * The text in pieces, those that a term stands for marked: words that begin with it, in any case and without accents.
 * @param {string} text
 * @param {readonly string[]} terms of `readTerms`
 * @returns {{ text: string, isMarked: boolean }[]}
 */
export function markTerms(text, terms) {
  const pieces = [];
  let end = 0;
  const add = (/** @type {number} */ from, /** @type {number} */ to) => {
    if (from > end) pieces.push({ text: text.slice(end, from), isMarked: false });
    pieces.push({ text: text.slice(from, to), isMarked: true });
    end = to;
  };
  for (const { 0: found, index } of terms.length === 0 ? [] : text.matchAll(word)) {
    const inside = terms.filter((term) => unspaced.test(term) && found.includes(term));
    if (inside.length > 0) for (const { from, to } of placesOf(found, inside)) add(index + from, index + to);
    else if (terms.some((term) => begins(found, term))) add(index, index + found.length);
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMarked: false });
  return pieces;
}

/** Where terms are in a text, without overlaps, in order. @param {string} text @param {readonly string[]} terms */
function* placesOf(text, terms) {
  for (let from = 0; from < text.length; from += 1) {
    const term = terms.find((candidate) => text.startsWith(candidate, from));
    if (term === undefined) continue;
    yield { from, to: from + term.length };
    from += term.length - 1;
  }
}

/** @param {string} found @param {string} term */
function begins(found, term) {
  if (term.length >= minBeginning) return found.length >= term.length && isSame(found.slice(0, term.length), term);
  return found.length === term.length && isSame(found, term);
}

// Without changing the form of a text that anybody may have written.
const compareLetters = once(() => new Intl.Collator('und', { sensitivity: 'base' }).compare);

/** Without case and accents. @param {string} a @param {string} b */
function isSame(a, b) {
  return compareLetters()(a, b) === 0;
}
