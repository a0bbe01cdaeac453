import { foldedWords, nameKey, normalForm, partElisions, withoutElisions, withoutInvisible } from '#text/fold.ts';
import { withoutLocalParts } from '#text/hosts.ts';
import { latinKeys, nameKeysOf } from '#text/name-keys.ts';
import { findPage, type WebPage } from '#text/pages.ts';
import { conceptsOf, isRegionCode, wordsWithin } from './concepts-of.ts';
import { compactName } from './name-forms.ts';
import { addressPreposition, isFiller, isRoleWord, isValueWord } from './query-words.ts';
import { areAlternatives, areOfOneLevel, isRecognized, partExceptions, readParts } from './read-parts.ts';
import type { TextQuery } from './search-query.ts';
import { emojisIn } from './searchable-text.ts';

/** Limits on what one query asks of an engine, however long it is: the rest is ignored. */
const maxWords = 16;
const maxRuns = 8;

/** Not « » and „: people quote names with them, not phrases to search. */
const typographicQuotes = /[“”＂]/g;
/** `"a phrase"` or a run without spaces, each with an optional `-` before it. */
const piece = /(-?)(?:"([^"]*)"|(\S+))/g;
/** Two letters behind a comma, at the end or as capitals; or capitals behind a word that has small letters. */
const stateCode =
  /(?<=\p{L},\s?)(?:[A-Za-z]{2}\.?$|[A-Z]{2}(?!\S))|(?<=\p{Ll}\s)(?:[A-Z]{2}$|(?!OR|IN|ON)[A-Z]{2}(?=\s))/u;
const listSeparator = /[;,\t\n|]|\s[-–—·]\s|:\s/;
/** A sign between alternatives: `tv/radio`, `uk & ireland`. */
const linkingSigns = /[&+/|]/g;

/**
 * Parses what a person typed: words, `"phrases"`, `-exclusions`, hosts. Nothing is an error: unclosed quotes, a lone
 * `-` and any punctuation are read as a person would mean them. Only the host of an address is used. Returns null if
 * nothing was typed. Text without anything searchable (`@`, `jane@`, `!!!`) is a query without words, which finds only
 * a record with that name.
 */
export function parseTextQuery(input: string): TextQuery | null {
  const typed = withoutLocalParts(normalForm(withoutInvisible(input), 'NFC').replace(typographicQuotes, '"'));
  // A text of only invisible characters is not empty, but asks for nothing.
  if (typed === '') return input.trim() === '' ? null : noWords;

  const { words, phrases, excluded, pages, excludedPages, empty, ...signs } = readPieces(withPreposition(typed));
  // Exclusions alone mean "everything else"; next to a piece without meaning, nobody asked for everything.
  const saysNothing = empty.length > 0 && words.length + phrases.length + pages.length === 0;
  if (saysNothing) return { ...noWords, nameKey: nameKey(empty.join(' ')) };

  const all = withAlternatives(words, signs);
  const { kept: typedWords, exceptions } = partExceptions(all.slice(0, maxWords));
  const nameKeys = nameKeysOf(typed);
  const tellingWords = distinct(typedWords.filter((word) => !isFiller(word)));
  return {
    nameKey: nameKeys.own,
    otherNameKeys: distinct([...nameKeys.others, ...withoutRole(typedWords)]),
    latinKeys: latinKeys(nameKeys, 'any'),
    listedNames: namesInList(typed),
    typedWords,
    words: tellingWords.length > 0 ? tellingWords : distinct(typedWords),
    phrases: phrases.slice(0, maxRuns).map((phrase) => phrase.slice(0, maxWords)),
    excluded: [...excluded, ...exceptions].slice(0, maxRuns).map((run) => run.slice(0, maxWords)),
    hosts: hostsOf(pages),
    pages: pages.filter(({ path }) => path !== '').slice(0, maxRuns),
    excludedHosts: hostsOf(excludedPages),
    excludedPages: excludedPages.filter(({ path }) => path !== '').slice(0, maxRuns),
  };
}

/** `Lafayette, LA`, `Flagstaff AZ radio` → `Lafayette, within LA`: the codes of some states are small words too. */
function withPreposition(typed: string): string {
  return typed.replace(stateCode, (code) => {
    const letters = code.slice(0, 2).toLowerCase();
    // In `boston, chicago, la`, another city is meant.
    const isListed = typed.split(',').length > 2 && conceptsOf(letters).length > 0;
    return isRegionCode(letters) && isFiller(letters) && !isListed ? `${addressPreposition} ${code}` : code;
  });
}

interface Pieces {
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

function readPieces(typed: string): Pieces {
  const read: Pieces = {
    words: [],
    phrases: [],
    excluded: [],
    pages: [],
    excludedPages: [],
    empty: [],
    linked: new Set(),
    listed: new Set(),
  };
  const { words, linked, listed } = read;
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
    if (page !== null) (isExcluded ? read.excludedPages : read.pages).push(page);
    else if (run.length === 0) read.empty.push(bare);
    else if (isExcluded) read.excluded.push(run);
    else if (quoted !== undefined && run.length > 1) read.phrases.push(run);
    else words.push(...run);
  }
  return read;
}

/** The hosts that were typed without a path. */
function hostsOf(pages: readonly WebPage[]): string[] {
  return distinct(pages.flatMap(({ host, path }) => (path === '' ? [host] : []))).slice(0, maxRuns);
}

/** The words, with "and" where a sign or a comma stands between alternatives. */
function withAlternatives(words: readonly string[], { linked, listed }: Pick<Pieces, 'linked' | 'listed'>): string[] {
  const isLinked = (place: number) => {
    if (!linked.has(place) && !(listed.size > 1 && listed.has(place))) return false;
    const both = words.slice(place - 1, place + 1).map((word) => ({ words: [word], concepts: conceptsOf(word) }));
    return linked.has(place) ? areAlternatives(both) : areOfOneLevel(both);
  };
  return words.flatMap((word, place) => [...(isLinked(place) ? ['and'] : []), ...wordsWithin(word)]);
}

/** A query that looks for nothing. */
export const noWords = {
  otherNameKeys: [],
  latinKeys: { bySound: [], byConsonants: [] },
  listedNames: [],
  typedWords: [],
  words: [],
  phrases: [],
  excluded: [],
  hosts: [],
  pages: [],
  excludedHosts: [],
  excludedPages: [],
  nameKey: '',
};

/** The name behind a role: `editor at the oregonian`, `who covers climate at the oregonian` → `oregonian`. Empty without one. */
function withoutRole(words: readonly string[]): string[] {
  const place = words.lastIndexOf('at') + 1;
  const isAt = place > 0 && place < words.length && words.slice(0, place).some(isRoleWord);
  const from = isAt ? place : 0;
  const start = from + words.slice(from).findIndex((word) => !isFiller(word));
  return words.slice(0, start).some(isValueWord) ? [words.slice(start).join(' ')] : [];
}

/**
 * `Denver Post; The Boston Globe` → `denverpost`, `thebostonglobe`, `bostonglobe`. No list of places, topics or words is meant so.
 * The title of a page has a name too: `Bridge opens | Denver Post`.
 */
function namesInList(typed: string): string[] {
  const pieces = typed.split(listSeparator);
  if (pieces.length < 2) return [];
  const names = pieces
    .map(nameKeysOf)
    .filter(({ own }) => own !== '' && !readParts(own.split(' ')).every(isRecognized));
  const isList = names.length > 1 && names.length * 2 > pieces.length && names.some(({ own }) => own.includes(' '));
  return isList ? names.flatMap(({ own, others }) => [own, ...others].map(compactName)) : [];
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
