import { normalForm } from '#domain/normal-form.ts';
import { foldedWords, nameKey } from './fold.ts';
import { findHost } from './hosts.ts';
import type { TextQuery } from './search-query.ts';
import { isSmallWord } from './small-words.ts';

/** What one query may ask of an engine, however long it is: what is over is left out. */
const mostWords = 16;
const mostRuns = 8;

/** Not « » and „: with them names are written, not phrases asked for. */
const typographicQuotes = /[“”＂]/g;
const otherAtSigns = /＠|﹫|%40/g;
const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;
/** `"a phrase"` or a run without spaces, each with an optional `-` before it. */
const piece = /(-?)(?:"([^"]*)"|(\S+))/g;

/**
 * Takes apart what a person typed: words, `"phrases"`, `-exclusions`, hosts. Nothing is an error: a quote that is never
 * closed, a lone `-`, any punctuation are read as a person would mean them. Of an address only its host is looked at.
 * Answers null where nothing was typed. What was typed and comes to nothing (`@`, `jane@`, `!!!`) is a query without
 * words, which finds no record but one whose name it is.
 */
export function parseTextQuery(input: string): TextQuery | null {
  const typed = withoutLocalParts(normalForm(input, 'NFC').replace(typographicQuotes, '"'));
  if (typed === '') return null;

  const words: string[] = [];
  const phrases: string[][] = [];
  const excluded: string[][] = [];
  const hosts: string[] = [];
  const excludedHosts: string[] = [];
  const empty: string[] = [];

  for (const [, minus, quoted, bare = ''] of typed.matchAll(piece)) {
    // `-30-` is how a name is written, not a wish to leave something out.
    const isExcluded = minus === '-' && !bare.endsWith('-');
    const host = findHost(quoted ?? bare);
    const run = foldedWords(quoted ?? bare);
    if (host !== null) (isExcluded ? excludedHosts : hosts).push(host);
    else if (run.length === 0) empty.push(bare);
    else if (isExcluded) excluded.push(run);
    else if (quoted !== undefined && run.length > 1) phrases.push(run);
    else words.push(...run);
  }

  // Exclusions alone mean "everything else"; beside a piece that says nothing, nobody has asked for everything.
  const saysNothing = empty.length > 0 && words.length + phrases.length + hosts.length === 0;
  if (saysNothing) return { ...noWords, nameKey: nameKey(empty.join(' ')) };

  const typedWords = distinct(words).slice(0, mostWords);
  const tellingWords = typedWords.filter((word) => !isSmallWord(word));
  return {
    nameKey: nameKey(typed),
    typedWords,
    words: tellingWords.length > 0 ? tellingWords : typedWords,
    phrases: phrases.slice(0, mostRuns).map((phrase) => phrase.slice(0, mostWords)),
    excluded: excluded.slice(0, mostRuns).map((run) => run.slice(0, mostWords)),
    hosts: distinct(hosts).slice(0, mostRuns),
    excludedHosts: distinct(excludedHosts).slice(0, mostRuns),
  };
}

const noWords = { typedWords: [], words: [], phrases: [], excluded: [], hosts: [], excludedHosts: [] };

/** Drops what stands before an @, so that no query can tell one address of a host from another. */
function withoutLocalParts(text: string): string {
  return text
    .replace(otherAtSigns, '@')
    .replace(/"[^"]*"(?=@)/g, '')
    .split(/\s+/)
    .map((token) => (token.includes('@') && !isUrlWithAtInPath(token) ? withoutLocalPart(token) : token))
    .join(' ')
    .trim();
}

function withoutLocalPart(token: string): string {
  const opening = /^-?"?/.exec(token)?.[0] ?? '';
  // An @ with nothing behind it stays: something was typed.
  return opening + (token.slice(token.lastIndexOf('@') + 1) || '@');
}

/** `https://medium.com/@paper`: the @ is the site's, not an address's. */
function isUrlWithAtInPath(token: string): boolean {
  const authority = token.replace(scheme, '').split(/[/?#]/, 1)[0] ?? '';
  if (authority.includes('@') || !(scheme.test(token) || token.includes('/@'))) return false;
  return findHost(authority) !== null;
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
