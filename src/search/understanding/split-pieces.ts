import { foldedWords, normalForm, partElisions, withoutElisions, withoutInvisible } from '#text/fold.ts';
import { withoutLocalParts } from '#text/hosts.ts';
import { findPage, type WebPage } from '#text/pages.ts';
import { emojisIn } from '../indexed/searchable-text.ts';
import { conceptsOf, isRegionCode } from '../words/concepts-of.ts';
import { addressPreposition, isFiller } from '../words/query-words.ts';

/* The first steps of understanding a text (see understand.ts): they know signs and codes, but no meaning. */

/** Not « » and „: people quote names with them, not phrases to search. */
const typographicQuotes = /[“”＂]/g;
/** `"a phrase"` or a run without spaces, each with an optional `-` before it. */
const piece = /(-?)(?:"([^"]*)"|(\S+))/g;
/** Two letters behind a comma, at the end or as capitals; or capitals behind a word that has small letters. */
const stateCode =
  /(?<=\p{L},\s?)(?:[A-Za-z]{2}\.?$|[A-Z]{2}(?!\S))|(?<=\p{Ll}\s)(?:[A-Z]{2}$|(?!OR|IN|ON)[A-Z]{2}(?=\s))/u;
/** A sign between alternatives: `tv/radio`, `uk & ireland`. */
const linkingSigns = /[&+/|]/g;

/** The text in one form, with the host of an address instead of the address. */
export function normalizeTyped(input: string): string {
  return withoutLocalParts(normalForm(withoutInvisible(input), 'NFC').replace(typographicQuotes, '"'));
}

/** `Lafayette, LA`, `Flagstaff AZ radio` → `Lafayette, within LA`: the codes of some states are small words too. */
export function markStates(typed: string): string {
  return typed.replace(stateCode, (code) => {
    const letters = code.slice(0, 2).toLowerCase();
    // In `boston, chicago, la`, another city is meant.
    const isListed = typed.split(',').length > 2 && conceptsOf(letters).length > 0;
    return isRegionCode(letters) && isFiller(letters) && !isListed ? `${addressPreposition} ${code}` : code;
  });
}

/** A text by what its pieces are. */
export interface Pieces {
  words: string[];
  phrases: string[][];
  excluded: string[][];
  /** Of hosts, URLs and addresses. */
  pages: WebPage[];
  excludedPages: WebPage[];
  /** Pieces without anything searchable. */
  empty: string[];
  /** Indexes of words that follow a linking sign, and of words that follow a comma. */
  linked: Set<number>;
  listed: Set<number>;
}

export function splitPieces(typed: string): Pieces {
  const pieces: Pieces = {
    words: [],
    phrases: [],
    excluded: [],
    pages: [],
    excludedPages: [],
    empty: [],
    linked: new Set(),
    listed: new Set(),
  };
  const { words, linked, listed } = pieces;
  for (const [, minus, quoted, bare = ''] of typed.matchAll(piece)) {
    // `-30-` is a way to write a name, not an exclusion.
    const isExcluded = minus === '-' && !bare.endsWith('-');
    const page = findPage(quoted ?? bare);
    const text = quoted === undefined ? withoutElisions(bare) : partElisions(quoted);
    const run = [...foldedWords(text), ...emojisIn(text)];
    for (const { index } of bare.matchAll(linkingSigns)) {
      linked.add(words.length + foldedWords(bare.slice(0, index)).length);
    }
    if (bare.endsWith(',')) listed.add(words.length + run.length);
    if (page !== null) (isExcluded ? pieces.excludedPages : pieces.pages).push(page);
    else if (run.length === 0) pieces.empty.push(bare);
    else if (isExcluded) pieces.excluded.push(run);
    else if (quoted !== undefined && run.length > 1) pieces.phrases.push(run);
    else words.push(...run);
  }
  return pieces;
}
