import type { Condition, Scope } from '#search/conditions.ts';
import { nameToken } from '#search/name-forms.ts';
import type { PlannedQuery } from '#search/plan-query.ts';
import { phraseTokens } from '#search/searchable-text.ts';
import { maxCorrections } from '#search/typo-tolerance.ts';
import { hostOfToken, hostToken } from './index-text.ts';
import { type KnownTerms, quote, renderToken } from './vocabulary.ts';

/** A planned query as FTS5 expressions. */
export interface RenderedQuery {
  /** What it finds. */
  match: string;
  /** Parts of it, best first; the last is all of it. */
  tiers: readonly RenderedTier[];
}

/** A tier, and its place in the plan. */
export interface RenderedTier {
  match: string;
  tier: number;
}

const columns: Record<Scope, string> = {
  names: '{names aliases}',
  hosts: '{names aliases hosts}',
  traits: '{names aliases hosts traits}',
  anywhere: '{names aliases hosts traits description}',
  people: 'people',
};

/** Null if the index has no name and too few of the words for anything to match. */
export function renderQuery({ match, tiers }: PlannedQuery, known: KnownTerms): RenderedQuery | null {
  const all = renderCondition(match, known);
  if (all === null) return null;
  const rendered = tiers.map(({ condition }, tier) => ({ match: renderCondition(condition, known), tier }));
  const found = rendered.filter((one): one is RenderedTier => one.match !== null);
  const once = [...Map.groupBy(found, (one) => one.match).values()].flatMap((same) => same.slice(0, 1));
  return { match: all, tiers: once };
}

/** One condition of a plan as an FTS5 expression; null if no record in the index can match it. */
export function renderCondition(condition: Condition, known: KnownTerms): string | null {
  const alternatives = [...new Set(renderAlternatives(condition, known))];
  return alternatives.length === 0 ? null : any(alternatives);
}

/** Expressions, any one of which suffices; nested choices are flattened. */
function renderAlternatives(condition: Condition, known: KnownTerms): string[] {
  switch (condition.is) {
    case 'word': {
      const { word, unfinished, edits } = condition;
      const words = edits === 0 ? [word] : known.findNear(word, edits, maxCorrections.word);
      const terms = unfinished ? [beginning(word), ...words.slice(1).map(quote)] : words.map(quote);
      return terms.map((term) => `${columns[condition.in]} : ${term}`);
    }
    case 'phrase':
      return [`${columns[condition.in]} : ${quote(phraseTokens(condition.words).join(' '))}`];
    case 'concept':
      return [`concepts : ${quote(condition.concept)}`];
    case 'host': {
      const { hosts, edits } = condition;
      const [first = ''] = hosts;
      const near = edits === 0 ? [] : known.findNear(hostToken(first), edits, maxCorrections.word).map(hostOfToken);
      return [...new Set([...near, ...hosts])].flatMap(asHost);
    }
    case 'name': {
      const { form, keys, edits } = condition;
      const tokens = keys.map((key) => nameToken(form, key));
      const found = edits === 0 ? tokens : tokens.flatMap((token) => known.findNearNames(token, edits));
      return found.filter((token) => known.hasName(token)).map(renderToken);
    }
    case 'nameBeginning':
      return [`exact : ${beginning(nameToken('whole', condition.key))}`];
    case 'all': {
      const terms = condition.of.map((one) => renderCondition(one, known));
      return terms.every((term) => term !== null) ? [every([...new Set(terms)])] : [];
    }
    case 'any':
      return condition.of.flatMap((one) => renderAlternatives(one, known));
    case 'atLeast': {
      const terms = condition.of.map((one) => renderCondition(one, known)).filter((term) => term !== null);
      return terms.length < condition.count ? [] : [any(combinations(terms, condition.count).map(every))];
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
