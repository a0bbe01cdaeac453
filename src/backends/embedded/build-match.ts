import { isSpaceless } from '#domain/search/fold.ts';
import { decidingWords, leastWords, mostDeciding, stretchesOf } from '#domain/search/forgiveness.ts';
import { hostAndParents } from '#domain/search/hosts.ts';
import type { TextQuery } from '#domain/search/search-query.ts';
import { conceptsBeginning, conceptsNear, conceptsOf } from '#domain/search/search-words.ts';
import { phraseTokens, tokensOf } from '#domain/search/searchable-text.ts';
import { exactToken } from './index-text.ts';

/** Gives the words of the index that a typed word may have been meant as, itself among them where it is one. */
export type FindMeanings = (word: string) => readonly string[];

/** So many meanings are looked for of each word: of many words fewer, since the others tell what is meant. */
const mostMeanings = { ofFew: 12, ofMany: 4 };
const fewWords = 3;

/**
 * The exact form of a query as an FTS5 expression: every word, or what it stands for ("tech": technology), the last one
 * also as a beginning; every phrase and every host. Words that follow each other in a name as typed add to its score.
 * Null where there is nothing to find but exclusions.
 */
export function buildExactMatch(text: TextQuery): string | null {
  const words = text.words.map((word, index) => wordTerm(word, index === text.words.length - 1));
  const required = [...words, ...text.phrases.map(phraseTerm), ...text.hosts.map((host) => hostTerm([host]))];
  const whole = wholeNameTerm(text);
  if (required.length === 0) return text.excluded.length + text.excludedHosts.length > 0 ? null : whole;
  const all = every(required);
  const inOrder = text.typedWords.length > 1 ? [every([inNames(phrase(text.typedWords)), all])] : [];
  return any([whole, ...inOrder, all]);
}

/** The forgiving form of a query: what it finds, and, of that, what to show first. */
export interface ForgivingMatch {
  match: string;
  /** Records one of whose names is what was typed, but for one mistyped word. */
  corrected: string | null;
  /** Records where no word is missing, where there can be any. */
  complete: string | null;
}

/**
 * The forgiving form: each word in any of its meanings, one word of a query of three or more may be missing, three of
 * ten; a host may be mistyped, or found by the domain it belongs to. Null where too few of the words mean anything.
 */
export function buildForgivingMatch(text: TextQuery, findMeanings: FindMeanings): ForgivingMatch | null {
  const most = text.words.length <= fewWords ? mostMeanings.ofFew : mostMeanings.ofMany;
  const findFew = (word: string) => findMeanings(word).slice(0, most);
  const terms = new Map(
    text.words.map((word, index) => [word, meaningTerm(word, index === text.words.length - 1, findFew)]),
  );
  const deciding = decidingWords(text.words).map((word) => terms.get(word) ?? null);
  const known = deciding.filter((term) => term !== null);
  const needed = leastWords(deciding.length);
  if (known.length < needed) return null;

  const hosts = text.hosts.map((host) => hostTerm([...findFew(host), ...hostAndParents(host)]));
  const required = [...text.phrases.map(phraseTerm), ...hosts];
  const some = known.length > 0 ? [...required, atLeast(needed, known)] : required;
  if (some.length === 0) return null;
  const corrected = correctedNames(text.nameKey.split(' '), findFew);
  const all = [...terms.values()].filter((term) => term !== null);
  return {
    match: any([wholeNameTerm(text), ...corrected, every(some)]),
    corrected: corrected.length === 0 ? null : any(corrected),
    complete: all.length === terms.size ? every([...required, ...all]) : null,
  };
}

/**
 * What must not be there; null where nothing is excluded. A word that stands for one thing only leaves that out too:
 * "-radio" all radio stations, whereas "-news" only what has that word.
 */
export function buildExclusion(text: TextQuery): string | null {
  const concepts = text.excluded
    .map((run) => (run.length === 1 ? conceptsOf(run[0] ?? '') : []))
    .filter(({ length }) => length === 1)
    .flat();
  const terms = [
    ...text.excluded.map(phraseTerm),
    ...concepts.map(conceptTerm),
    ...text.excludedHosts.map((host) => hostTerm([host])),
  ];
  return terms.length === 0 ? null : any(terms);
}

/** The expression for records one of whose names is exactly what was typed. */
export function wholeNameTerm(text: TextQuery): string {
  return `exact : ${quote(exactToken(text.nameKey))}`;
}

/** The typed name with one of its words taken for another, each as a whole name. */
function correctedNames(words: readonly string[], findMeanings: FindMeanings): string[] {
  if (words.length > mostDeciding) return [];
  return words.flatMap((word, index) =>
    findMeanings(word)
      .filter((meaning) => meaning !== word)
      .map((meaning) => `exact : ${quote(exactToken(words.with(index, meaning).join(' ')))}`),
  );
}

function wordTerm(word: string, isLast: boolean): string {
  if (isSpaceless(word)) return runTerm(word);
  const concepts = isLast ? conceptsBeginning(word) : conceptsOf(word);
  return any([inText(isLast ? `${quote(word)} *` : quote(word)), ...concepts.map(conceptTerm)]);
}

/** A run of a script without spaces: its characters in a row. */
function runTerm(run: string): string {
  const pairs = tokensOf(run);
  return inText(pairs.length === 1 ? `${quote(run)} *` : quote(pairs.slice(0, -1).join(' ')));
}

function phraseTerm(words: readonly string[]): string {
  return inText(phrase(words));
}

/** The words in a row. */
function phrase(words: readonly string[]): string {
  return quote(phraseTokens(words).join(' '));
}

function hostTerm(hosts: readonly string[]): string {
  return any(
    hosts.flatMap((host) => [`hosts : ${quote(host)}`, `{names aliases} : ${quote(host.replaceAll(/[.-]/g, ' '))}`]),
  );
}

function meaningTerm(word: string, isLast: boolean, findMeanings: FindMeanings): string | null {
  if (isSpaceless(word)) return forgivingRun(word);
  const meanings = findMeanings(word).map(quote).map(inText);
  if (isLast) meanings.push(inText(`${quote(word)} *`));
  meanings.push(...new Set([...conceptsNear(word), ...(isLast ? conceptsBeginning(word) : [])].map(conceptTerm)));
  return meanings.length === 0 ? null : any(meanings);
}

/** One of its stretches is whole. Its pairs add to the score. */
function forgivingRun(run: string): string {
  const stretches = stretchesOf(run);
  if (stretches.length === 1) return runTerm(run);
  const found = stretches.map(runTerm);
  const pairs = tokensOf(run)
    .slice(0, -1)
    .map((pair) => inText(quote(pair)));
  return every([any(found), any([...found, ...pairs])]);
}

/** At least `count` of the terms, as a choice of conjunctions. */
function atLeast(count: number, terms: readonly string[]): string {
  return any(combinations(terms, count).map(every));
}

function combinations<Item>(items: readonly Item[], size: number): Item[][] {
  if (size === items.length) return [[...items]];
  if (size === 0) return [[]];
  return items.flatMap((item, index) => combinations(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]));
}

/** In the columns of words: not among whole names, nor what a record is. */
function inText(term: string): string {
  return `- {exact concepts} : ${term}`;
}

function inNames(term: string): string {
  return `{names aliases} : ${term}`;
}

function conceptTerm(concept: string): string {
  return `concepts : ${quote(concept)}`;
}

function every(terms: readonly string[]): string {
  return `(${terms.join(' AND ')})`;
}

function any(terms: readonly string[]): string {
  return `(${terms.join(' OR ')})`;
}

/** Every token is quoted: nothing a person types is FTS5 syntax. */
function quote(token: string): string {
  return `"${token.replaceAll('"', '""')}"`;
}
