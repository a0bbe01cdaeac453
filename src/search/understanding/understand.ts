import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import { nameKey } from '#text/fold.ts';
import { latinKeys, nameKeysOf } from '#text/name-keys.ts';
import type { WebPage } from '#text/pages.ts';
import { addressToken } from '../indexed/record-tokens.ts';
import type { Understanding } from '../search-query.ts';
import { areAlternatives, areOfOneLevel } from '../words/alternatives.ts';
import { conceptsOf, wordsWithin } from '../words/concepts-of.ts';
import { joinNumbers, wordsInDigits } from '../words/number-words.ts';
import { isFiller } from '../words/query-words.ts';
import { readParts } from '../words/read-parts.ts';
import { readCallSigns } from './call-signs.ts';
import { takeExceptions } from './exceptions.ts';
import { markStates, normalizeTyped, type Pieces, splitPieces } from './split-pieces.ts';
import { nameBehindRole, namesInList } from './typed-names.ts';

/** Limits on what one query asks of an engine, however long it is: the rest is ignored. */
const maxWords = 16;
const maxRuns = 8;

/**
 * Understands what a person typed: words, `"phrases"`, `-exclusions`, hosts. Nothing is an error: unclosed quotes, a lone `-` and
 * any punctuation are read as a person would mean them. Of an address, words use only the host. Returns null if nothing was typed.
 * Text without anything searchable (`@`, `jane@`, `!!!`) is a query without words, which finds only a record with that name.
 *
 * The steps for `tv/radio in Bend OR but not sports`:
 * 1. normalizeTyped: one form of letters and quotes
 * 2. markStates: `tv/radio in Bend within OR but not sports`
 * 3. splitPieces: words, phrases, exclusions, hosts and URLs
 * 4. linkAlternatives: `tv and radio in bend within or but not sports`
 * 5. takeExceptions: `tv and radio in bend within or`, without `sports`
 * 6. readParts: `tv and radio` = type.tv or type.radio, `bend` = city.us.bend, `or` = region.us.or
 */
export function understand(input: string): Understanding | null {
  if (input.trim() === '') return null;
  const typed = normalizeTyped(input);
  const pieces = splitPieces(markStates(typed));
  const typedAddresses = addressesIn(input);
  if (asksForNothing(pieces)) return { ...noWords, nameKey: nameKey(pieces.empty.join(' ')), typedAddresses };
  const linked = linkAlternatives(pieces).slice(0, maxWords);
  const { words: typedWords, exceptions } = takeExceptions(joinNumbers(linked));
  return {
    ...readNames(typed, typedWords),
    typedWords,
    callSigns: readCallSigns(typed, typedWords),
    parts: readParts(typedWords),
    words: tellingWords(typedWords),
    phrases: limitRuns(pieces.phrases),
    excluded: limitRuns([...pieces.excluded, ...exceptions]),
    hosts: hostsOf(pieces.pages),
    pages: pagesOf(pieces.pages),
    excludedHosts: hostsOf(pieces.excludedPages),
    excludedPages: pagesOf(pieces.excludedPages),
    typedAddresses,
    addresses: [],
  };
}

/** The text without its last word, behind which the word before it is whole. */
export function withoutLastWord(text: Understanding): Understanding {
  const before = text.typedWords.slice(0, -1);
  return {
    ...text,
    ...readNames(before.join(' '), before),
    parts: text.parts.slice(0, -1),
    words: tellingWords(before),
  };
}

/**
 * Exclusions alone mean "everything else"; next to a piece without meaning, nobody asked for everything. A text of only invisible
 * characters asks for nothing.
 */
function asksForNothing({ words, phrases, pages, excluded, excludedPages, empty }: Pieces): boolean {
  const hasExclusions = excluded.length + excludedPages.length > 0;
  return words.length + phrases.length + pages.length === 0 && (empty.length > 0 || !hasExclusions);
}

/** The words, with "and" where a sign or a comma stands between alternatives, and compounds in their parts. */
function linkAlternatives({ words, linked, listed }: Pieces): string[] {
  const isLinked = (place: number) => {
    if (!linked.has(place) && !(listed.size > 1 && listed.has(place))) return false;
    const neighbors = words.slice(place - 1, place + 1).map((word) => ({ words: [word], concepts: conceptsOf(word) }));
    return linked.has(place) ? areAlternatives(neighbors) : areOfOneLevel(neighbors);
  };
  return words.flatMap((word, place) => [...(isLinked(place) ? ['and'] : []), ...wordsWithin(word)]);
}

/** The forms in which a name may equal the text, or be in it. */
function readNames(typed: string, words: readonly string[]) {
  const keys = nameKeysOf(typed);
  return {
    nameKey: keys.own,
    otherNameKeys: distinct([...keys.others, ...nameBehindRole(words), ...nameInDigits(words)]),
    latinKeys: latinKeys(keys, 'any'),
    listedNames: namesInList(typed),
  };
}

/** `bbc radio four` → `bbc radio 4` */
function nameInDigits(words: readonly string[]): string[] {
  const inDigits = wordsInDigits(words);
  return words.length > 1 && inDigits.some((word) => /^\d/.test(word)) ? [inDigits.join(' ')] : [];
}

function tellingWords(words: readonly string[]): string[] {
  const telling = distinct(words.filter((word) => !isFiller(word)));
  return telling.length > 0 ? telling : distinct(words);
}

function limitRuns(runs: ReadonlyArray<readonly string[]>): string[][] {
  return runs.slice(0, maxRuns).map((run) => run.slice(0, maxWords));
}

/** The hosts that were typed without a path. */
function hostsOf(pages: readonly WebPage[]): string[] {
  return distinct(pages.flatMap(({ host, path }) => (path === '' ? [host] : []))).slice(0, maxRuns);
}

/** The pages that were typed with a path. */
function pagesOf(pages: readonly WebPage[]): WebPage[] {
  return pages.filter(({ path }) => path !== '').slice(0, maxRuns);
}

/** `Ann One <ann@daily.example>` → the token of that address. */
function addressesIn(input: string): string[] {
  const pieces = input.split(/[\s<>,;"()]+/).filter((piece) => piece.includes('@') && !piece.startsWith('-'));
  const emails = pieces.slice(0, maxRuns).map(normalizeEmail);
  return distinct(
    emails.flatMap((result) => ('email' in result && !result.isFirstOfSeveral ? addressToken(result.email) : [])),
  );
}

/** What looks for nothing. */
export const noWords: Understanding = {
  nameKey: '',
  otherNameKeys: [],
  latinKeys: { bySound: [], byConsonants: [] },
  listedNames: [],
  typedWords: [],
  callSigns: [],
  parts: [],
  words: [],
  phrases: [],
  excluded: [],
  hosts: [],
  pages: [],
  excludedHosts: [],
  excludedPages: [],
  typedAddresses: [],
  addresses: [],
};

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
