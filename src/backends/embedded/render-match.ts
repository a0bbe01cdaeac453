import { type Condition, type PlannedQuery, weights } from '#domain/search/plan-query.ts';
import { phraseTokens, tokensOf } from '#domain/search/searchable-text.ts';
import { exactToken, formToken, hostOfToken, hostToken, wordCountToken } from './index-text.ts';
import type { KnownTerms } from './vocabulary.ts';

/** A planned query as FTS5 expressions. */
export interface RenderedQuery {
  /** What it finds. */
  match: string;
  /** The ranks of the matches, best first, after the record whose name equals the query. */
  ranks: readonly string[];
}

/** bm25 weights of the columns exact, names, aliases, hosts, concepts, place, description. */
export const columnWeights = [
  0,
  weights.names,
  weights.aliases,
  weights.hosts,
  weights.concepts,
  weights.place,
  weights.text,
].join(', ');

/** Null if the index has no name and too few of the words for anything to match. */
export function renderQuery({ match, byName, ranks, inOrder }: PlannedQuery, known: KnownTerms): RenderedQuery | null {
  const render = (condition: Condition) => renderCondition(condition, known);
  const words = render(match);
  const scored = words === null || inOrder === null ? [] : [every([`{names aliases} : ${phrase(inOrder)}`, words])];
  const found = [...byName.map(render), ...scored, words].filter((one) => one !== null);
  if (found.length === 0) return null;
  return {
    match: any(found),
    ranks: ranks
      .filter(({ is }) => is !== 'name')
      .map(render)
      .filter((rank) => rank !== null),
  };
}

/** One condition of a plan as an FTS5 expression; null if no record in the index can match it. */
export function renderCondition(condition: Condition, known: KnownTerms): string | null {
  const alternatives = renderAlternatives(condition, known);
  return alternatives.length === 0 ? null : any(alternatives);
}

/** Expressions, any one of which suffices; nested choices are flattened. */
function renderAlternatives(condition: Condition, known: KnownTerms): string[] {
  const render = (one: Condition) => renderCondition(one, known);
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
    case 'phrase':
      return [inText(phrase(condition.words))];
    case 'concept':
      return [`concepts : ${quote(condition.concept)}`];
    case 'host': {
      const { hosts, near } = condition;
      const meant =
        near === null ? [] : known.findNear(hostToken(near.host), near.edits, near.corrections).map(hostOfToken);
      return [...new Set([...meant, ...hosts])].flatMap(asHost);
    }
    case 'name':
    case 'wholeName':
      return [isName(exactToken(condition.key))];
    case 'nameForm':
      return condition.names
        .map(formToken[condition.form])
        .filter((token) => known.has(token))
        .map(isName);
    case 'nearName':
      return known.findNearNames(condition).map(formToken[condition.form]).map(isName);
    case 'nameBeginning':
      return [`exact : ${beginning(exactToken(condition.key))}`];
    case 'nameWords':
      return [every(condition.beginnings.map((word) => `{names aliases} : ${unfinished(word)}`))];
    case 'nameOfWords': {
      const words = condition.words.map((word) => `{names aliases} : ${phrase([word])}`);
      return [every([...words, isName(wordCountToken(condition.count))])];
    }
    case 'all': {
      const terms = condition.of.map(render);
      return terms.every((term) => term !== null) ? [every(terms)] : [];
    }
    case 'any':
      return condition.of.flatMap((one) => renderAlternatives(one, known));
    case 'atLeast': {
      const terms = condition.of.map(render).filter((term) => term !== null);
      return terms.length < condition.count ? [] : [any(combinations(terms, condition.count).map(every))];
    }
    case 'scored': {
      const must = renderAlternatives(condition.condition, known);
      const extras = condition.extras.flatMap((extra) => renderAlternatives(extra, known));
      return must.length === 0 ? [] : [every([any(must), any([...must, ...extras])])];
    }
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

/** A complete name, or one of its keys. */
function isName(token: string): string {
  return `exact : ${quote(token)}`;
}

/** In the word columns, not in complete names or concepts. */
function inText(term: string): string {
  return `- {exact concepts} : ${term}`;
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
function quote(token: string): string {
  return `"${token.replaceAll('"', '""')}"`;
}
