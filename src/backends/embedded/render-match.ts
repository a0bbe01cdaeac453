import { type Condition, type NearWord, type PlannedQuery, weights } from '#domain/search/plan-query.ts';
import { phraseTokens } from '#domain/search/searchable-text.ts';
import { exactToken } from './index-text.ts';

/** Returns up to `max` words of the index within `edits` of a word, including the word itself if the index has it. */
export type FindNear = (word: string, edits: number, max: number) => readonly string[];

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

/** Null if too many of the words are missing from the index for anything to match. */
export function renderQuery({ match, byName, ranks, inOrder }: PlannedQuery, findNear: FindNear): RenderedQuery | null {
  const render = (condition: Condition) => renderCondition(condition, findNear);
  const found = render(match);
  if (found === null) return null;
  const names = byName.map(render).filter((name) => name !== null);
  const scored = inOrder === null ? [] : [every([`{names aliases} : ${phrase(inOrder)}`, found])];
  return {
    match: any([...names, ...scored, found]),
    ranks: ranks
      .filter(({ is }) => is !== 'name')
      .map(render)
      .filter((rank) => rank !== null),
  };
}

/** One condition of a plan as an FTS5 expression; null if no record in the index can match it. */
export function renderCondition(condition: Condition, findNear: FindNear): string | null {
  const alternatives = renderAlternatives(condition, findNear);
  return alternatives.length === 0 ? null : any(alternatives);
}

/** Expressions, any one of which suffices; nested choices are flattened. */
function renderAlternatives(condition: Condition, findNear: FindNear): string[] {
  const render = (one: Condition) => renderCondition(one, findNear);
  switch (condition.is) {
    case 'word':
      return [inText(condition.unfinished ? beginning(condition.word) : quote(condition.word))];
    case 'prefix':
      return [inText(beginning(condition.prefix))];
    case 'nearWord': {
      const { word, unfinished, edits, corrections } = condition;
      const near = findNear(word, edits, corrections).map(quote);
      return (unfinished ? [...near, beginning(word)] : near).map(inText);
    }
    case 'phrase':
      return [inText(phrase(condition.words))];
    case 'concept':
      return [`concepts : ${quote(condition.concept)}`];
    case 'host': {
      const { hosts, near } = condition;
      const meant = near === null ? [] : findNear(near.host, near.edits, near.corrections);
      return [...new Set([...meant, ...hosts])].flatMap((host) => [
        `hosts : ${quote(host)}`,
        `{names aliases} : ${quote(host.replaceAll(/[.-]/g, ' '))}`,
      ]);
    }
    case 'name':
    case 'wholeName':
      return [wholeName(condition.key)];
    case 'nearName':
      return nearNames(condition.words, (word, edits) => findNear(word, edits, condition.corrections));
    case 'all': {
      const terms = condition.of.map(render);
      return terms.every((term) => term !== null) ? [every(terms)] : [];
    }
    case 'any':
      return condition.of.flatMap((one) => renderAlternatives(one, findNear));
    case 'atLeast': {
      const terms = condition.of.map(render).filter((term) => term !== null);
      return terms.length < condition.count ? [] : [any(combinations(terms, condition.count).map(every))];
    }
    case 'scored': {
      const must = renderAlternatives(condition.condition, findNear);
      const extras = condition.extras.flatMap((extra) => renderAlternatives(extra, findNear));
      return must.length === 0 ? [] : [every([any(must), any([...must, ...extras])])];
    }
  }
}

/** The typed name with one word corrected, as complete names. */
function nearNames(words: readonly NearWord[], findNear: (word: string, edits: number) => readonly string[]): string[] {
  const typed = words.map(({ word }) => word);
  return words.flatMap(({ word, edits }, index) =>
    findNear(word, edits)
      .filter((near) => near !== word)
      .map((near) => wholeName(typed.with(index, near).join(' '))),
  );
}

function combinations<Item>(items: readonly Item[], size: number): Item[][] {
  if (size === items.length) return [[...items]];
  if (size === 0) return [[]];
  return items.flatMap((item, index) => combinations(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]));
}

function wholeName(key: string): string {
  return `exact : ${quote(exactToken(key))}`;
}

/** In the word columns, not in complete names or concepts. */
function inText(term: string): string {
  return `- {exact concepts} : ${term}`;
}

/** The words in sequence. */
function phrase(words: readonly string[]): string {
  return quote(phraseTokens(words).join(' '));
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
