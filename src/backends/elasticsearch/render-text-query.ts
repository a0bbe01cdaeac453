import type { estypes } from '@elastic/elasticsearch';
import type { Condition, Scope } from '#search/conditions.ts';
import { nameToken } from '#search/name-forms.ts';
import type { PlannedQuery } from '#search/plan-query.ts';
import { phraseTokens } from '#search/searchable-text.ts';
import { indexedTerms, indexedWord } from './index-document.ts';
import { NearTerms, type Typed, typedIn } from './near-terms.ts';

export type Clause = estypes.QueryDslQueryContainer;

const fields: Record<Scope, readonly string[]> = {
  names: ['find.names'],
  traits: ['find.names', 'find.host_labels', 'find.traits'],
  // The mapping copies the others here.
  anywhere: ['find.words'],
  people: ['find.people'],
};

/** Scores by tiers: the first one counts most, and records of one tier are equal. `tierOfScore` reads it. */
export function renderTiers({ tiers }: PlannedQuery, near: NearTerms): Clause {
  const told = new Set<string>();
  const queries = tiers.flatMap(({ condition }, place) => {
    const filter = renderCondition(condition, near);
    const text = JSON.stringify(filter);
    if (told.has(text)) return [];
    told.add(text);
    return [{ constant_score: { filter, boost: tiers.length - place } }];
  });
  return { dis_max: { queries } };
}

/** The place of the best tier of a record. */
export function tierOfScore({ tiers }: PlannedQuery, score: number): number {
  return tiers.length - Math.round(score);
}

export function renderCondition(condition: Condition, near = new NearTerms()): Clause {
  return any(renderAlternatives(condition, near));
}

/** Clauses, any one of which suffices; nested choices are flattened. */
function renderAlternatives(condition: Condition, near: NearTerms): Clause[] {
  const renderAll = (conditions: readonly Condition[]) => conditions.map((one) => renderCondition(one, near));
  const renderNear = (field?: string) =>
    typedIn(condition).map((typed) => nearTerms({ ...typed, ...(field && { field }) }, near.find(typed)));
  switch (condition.is) {
    case 'word': {
      const { word, unfinished, edits } = condition;
      return fields[condition.in].flatMap((field): Clause[] => {
        const begun = unfinished ? [{ prefix: { [field]: { value: indexedWord(word) } } }] : [];
        if (edits > 0) return [...begun, ...renderNear(field)];
        return unfinished ? begun : [{ term: { [field]: indexedWord(word) } }];
      });
    }
    case 'phrase':
      return fields[condition.in].map((field) => phraseIn(field, condition.words));
    case 'concept':
      return [{ term: { 'find.concepts': condition.concept } }];
    case 'host':
      return [...renderHosts(condition.hosts), ...renderNear()];
    case 'name': {
      const { form, keys, edits } = condition;
      if (edits > 0) return renderNear();
      return [{ terms: { 'find.name_keys': indexedTerms(keys.map((key) => nameToken(form, key))) } }];
    }
    case 'nameBeginning':
      return [{ prefix: { 'find.name_keys': { value: indexedWord(nameToken('whole', condition.key)) } } }];
    case 'all':
      return [{ bool: { filter: renderAll(condition.of) } }];
    case 'any':
      return condition.of.flatMap((one) => renderAlternatives(one, near));
    case 'atLeast':
      return [{ bool: { should: renderAll(condition.of), minimum_should_match: condition.count } }];
  }
}

/** The hosts, or a name that spells one of them out. */
function renderHosts(hosts: readonly string[]): Clause[] {
  const written = hosts.map((host) => host.replaceAll(/[.-]/g, ' ').trim());
  return [
    { terms: { 'find.hosts': [...hosts] } },
    ...written.map((query): Clause => ({ match_phrase: { 'find.names': query } })),
  ];
}

function phraseIn(field: string, words: readonly string[]): Clause {
  const tokens = phraseTokens(words);
  const [only] = tokens;
  if (tokens.length === 1 && only !== undefined) return { term: { [field]: indexedWord(only) } };
  return { match_phrase: { [field]: tokens.join(' ') } };
}

function nearTerms({ field, term, edits, prefix, limit }: Typed, known: string[] | null): Clause {
  if (known !== null) return { terms: { [field]: known } };
  return { fuzzy: { [field]: { value: term, fuzziness: edits, prefix_length: prefix, max_expansions: limit } } };
}

function any(clauses: readonly Clause[]): Clause {
  const [only] = clauses;
  return clauses.length === 1 && only !== undefined
    ? only
    : { bool: { should: [...clauses], minimum_should_match: 1 } };
}
