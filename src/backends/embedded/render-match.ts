import type { Condition, PlannedQuery } from '#search/plan-query.ts';
import { phraseTokens, tokensOf } from '#search/searchable-text.ts';
import { isSpaceless } from '#text/fold.ts';
import { exactToken, formToken, hostOfToken, hostToken, joinedToken, nearForms, wordCountToken } from './index-text.ts';
import type { KnownTerms } from './vocabulary.ts';

/** A planned query as FTS5 expressions. */
export interface RenderedQuery {
  /** What it finds. */
  match: string;
  /** Parts of it, best first; the last is all of it. */
  tiers: readonly Tier[];
}

/** Records that are found alike. */
export interface Tier {
  match: string;
  /** Whether those with names near the typed one come first, or those with the largest audience. */
  comparesNames: boolean;
  /** Whether the strict query finds all of them. */
  isAsTyped?: boolean;
}

/** The columns with words, not complete names or concepts. */
const textColumns = {
  names: 'names',
  hosts: '{names aliases hosts}',
  properties: '{names aliases hosts place}',
  anywhere: '- {exact concepts}',
} as const;

/** Where words are looked for; concepts are properties of a record. */
type Columns = keyof typeof textColumns;

/** Where words matter most first. */
const everywhere = ['names', 'hosts', 'properties', 'anywhere'] as const satisfies readonly Columns[];

/** Null if the index has no name and too few of the words for anything to match. */
export function renderQuery(
  { match, byName, ranks, scoredWords }: PlannedQuery,
  known: KnownTerms,
): RenderedQuery | null {
  const render = (condition: Condition) => renderCondition(condition, known);
  const found = [...byName, match].map(render).filter((one) => one !== null);
  if (found.length === 0) return null;
  const all = any(found);
  // Several words may be a name that is typed otherwise. One word is a name, or asks for what is best known.
  const isLikeName = scoredWords.length > 1 || scoredWords.some(isSpaceless);
  const byPlace = (words: Condition) => everywhere.map((columns) => renderCondition(words, known, columns));
  const tiers = [
    ...ranks.flatMap((rank) => {
      const matches = isOfWords(rank) ? byPlace(rank) : [render(rank)];
      return matches.map((match) => ({ match, comparesNames: isLikeName || isName(rank) }));
    }),
    ...[...byPlace(match), all].map((match) => ({ match, comparesNames: isLikeName })),
  ];
  return { match: all, tiers: [...new Map(tiers.filter(isRendered).map((tier) => [tier.match, tier])).values()] };
}

/** A query that finds no record: no name has this token. */
export const nothing: RenderedQuery = { match: renderToken('_'), tiers: [] };

/** One condition of a plan as an FTS5 expression; null if no record in the index can match it. */
export function renderCondition(condition: Condition, known: KnownTerms, columns: Columns = 'anywhere'): string | null {
  const alternatives = renderAlternatives(condition, known, columns);
  return alternatives.length === 0 ? null : any(alternatives);
}

/** Expressions, any one of which suffices; nested choices are flattened. */
function renderAlternatives(condition: Condition, known: KnownTerms, columns: Columns): string[] {
  const render = (one: Condition) => renderCondition(one, known, columns);
  const inText = (term: string) => `${textColumns[columns]} : ${term}`;
  switch (condition.is) {
    case 'word':
      return [inText(condition.unfinished ? beginning(condition.word) : quote(condition.word))];
    case 'prefix':
      return [inText(beginning(condition.prefix))];
    case 'nearWord': {
      const { word, unfinished, edits, corrections } = condition;
      const near = known.findNear(word, edits, corrections).map(quote);
      return (unfinished ? [...near, beginning(word)] : near).map(inText);
    }
    case 'joinedWords':
      return [joinedToken(condition.joined)].filter((token) => known.hasName(token)).map(renderToken);
    case 'phrase':
      return [inText(phrase(condition.words))];
    case 'concept':
      return columns === 'anywhere' || columns === 'properties' ? [`concepts : ${quote(condition.concept)}`] : [];
    case 'host': {
      const { hosts, near } = condition;
      const meant =
        near === null ? [] : known.findNear(hostToken(near.host), near.edits, near.corrections).map(hostOfToken);
      return [...new Set([...meant, ...hosts])].flatMap(asHost);
    }
    case 'name':
    case 'wholeName':
      return [exactToken(condition.key)].filter((token) => known.hasName(token)).map(renderToken);
    case 'nameForm':
      return condition.names
        .map(formToken[condition.form])
        .filter((token) => known.hasName(token))
        .map(renderToken);
    case 'nearName':
      return nearForms.flatMap((form) => known.findNearNames(condition, form).map(formToken[form]).map(renderToken));
    case 'nameBeginning': {
      const { key, wordCount } = condition;
      const begins = `exact : ${beginning(exactToken(key))}`;
      return [wordCount === null ? begins : every([begins, renderToken(wordCountToken(wordCount))])];
    }
    case 'nameWords':
      return [every(condition.beginnings.map((word) => `{names aliases} : ${unfinished(word)}`))];
    case 'nameOfWords': {
      const words = condition.words.map((word) => `{names aliases} : ${phrase([word])}`);
      return [every([...words, renderToken(wordCountToken(condition.count))])];
    }
    case 'all': {
      const terms = condition.of.map(render);
      return terms.every((term) => term !== null) ? [every(terms)] : [];
    }
    case 'any':
      return condition.of.flatMap((one) => renderAlternatives(one, known, columns));
    case 'atLeast': {
      const terms = condition.of.map(render).filter((term) => term !== null);
      return terms.length < condition.count ? [] : [any(combinations(terms, condition.count).map(every))];
    }
    case 'scored':
      return renderAlternatives(condition.condition, known, columns);
  }
}

/** Records of any of the hosts, as if each was typed. */
export function renderHosts(hosts: readonly string[]): string {
  return any(hosts.flatMap(asHost));
}

/** The host, also spelled out in a name. */
function asHost(host: string): string[] {
  return [`hosts : ${quote(hostToken(host))}`, `{names aliases} : ${quote(host.replaceAll(/[.-]/g, ' '))}`];
}

function combinations<Item>(items: readonly Item[], size: number): Item[][] {
  if (size === items.length) return [[...items]];
  if (size === 0) return [[]];
  return items.flatMap((item, index) => combinations(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]));
}

/** A complete name, one of its keys, or a value to filter by: a token of index-text.ts. */
export function renderToken(token: string): string {
  return `exact : ${quote(token)}`;
}

/** The words in sequence. */
function phrase(words: readonly string[]): string {
  return quote(phraseTokens(words).join(' '));
}

/** A word that may go on; a run in a script without spaces always may. */
function unfinished(word: string): string {
  return tokensOf(word).length > 1 ? phrase([word]) : beginning(word);
}

function beginning(word: string): string {
  return `${quote(word)} *`;
}

function every(terms: readonly string[]): string {
  return join(terms, ' AND ');
}

function any(terms: readonly string[]): string {
  return join(terms, ' OR ');
}

function join(terms: readonly string[], operator: string): string {
  const [only] = terms;
  return terms.length === 1 && only !== undefined ? only : `(${terms.join(operator)})`;
}

/** Every token is quoted, so nothing a person types is FTS5 syntax. */
export function quote(token: string): string {
  return `"${token.replaceAll('"', '""')}"`;
}

function isName(condition: Condition): boolean {
  return concerns(condition, ['name', 'wholeName', 'nameForm', 'nearName']);
}

/** Whether it is about words, wherever the record has them. */
function isOfWords(condition: Condition): boolean {
  return concerns(condition, ['word', 'nearWord', 'prefix', 'phrase']);
}

/** Whether the condition, or one that it is made of, is of one of the kinds. */
function concerns(condition: Condition, kinds: readonly Condition['is'][]): boolean {
  if (condition.is === 'any' || condition.is === 'all') return condition.of.some((one) => concerns(one, kinds));
  return kinds.includes(condition.is);
}

function isRendered(tier: { match: string | null; comparesNames: boolean }): tier is Tier {
  return tier.match !== null;
}
