import { allOf, type Condition, concept, hostCondition, pageCondition, phrase } from '../conditions/conditions.ts';
import type { Understanding } from '../search-query.ts';
import { knownConcept } from '../words/concepts.ts';
import { anyNature, hasKind } from '../words/parts.ts';
import { readPart, readParts } from '../words/read-parts.ts';
import type { PlannedQuery } from './plan-query.ts';

/**
 * What excluded words stand for, if it is one thing, places or languages: `-radio` all radio stations, `-midwest` twelve states, `-news`
 * only the word, and so does what the text asks for in another word, or nothing would be left: `papers -newspapers`. Beside a kind, a
 * frequency or a coverage is meant: `newspapers -daily`.
 */
export function conceptsExcludedBy(run: readonly string[], { parts }: Pick<Understanding, 'parts'>): readonly string[] {
  const natures = readPart(run, 0).concepts.filter((name) => anyNature.test(name));
  if (natures.length > 0 && run.length === 1 && parts.some(hasKind)) return natures;
  const concepts = readParts(run).flatMap((part) => (part.words.length === run.length ? part.concepts : []));
  const areExcluded =
    concepts.length === 1 || concepts.every((name) => /^(?:country|region|city|language)\./.test(name));
  const otherParts = parts.filter(({ words }) => words.join(' ') !== run.join(' '));
  const isAsked = otherParts.some(
    (part) => part.concepts.length === 1 && concepts.includes(part.concepts[0] as string),
  );
  return areExcluded && !isAsked ? concepts : [];
}

/** What no record may meet. */
export function exclusionConditions(text: Understanding): Condition[] {
  return [
    ...text.excluded.map((run) => phrase(run, 'anywhere')),
    ...text.excluded.flatMap((run) => conceptsExcludedBy(run, text)).map(concept),
    ...text.excludedHosts.map((host) => hostCondition([host])),
    ...text.excludedPages.map((page) => pageCondition(page)),
  ];
}

/** The plan with media known to be something else before those of which nobody knows: `chilean radio but not santiago`. */
export function withKnownFirst(text: Understanding, plan: PlannedQuery): PlannedQuery {
  const excluded = text.excluded
    .flatMap((run) => conceptsExcludedBy(run, text))
    .flatMap((name) => knownConcept(name) ?? []);
  const of = [...new Set(excluded)].map(concept);
  const [first] = of;
  if (first === undefined) return plan;
  const atLeast = (count: number): Condition => (of.length === 1 ? first : { is: 'atLeast', count, of });
  const tiers = plan.tiers.flatMap((tier) => {
    const { name, condition, comparesNames } = tier;
    const counts = name === 'rest' || comparesNames ? [] : of.map((_, place) => of.length - place);
    return [...counts.map((count) => ({ ...tier, condition: allOf([condition, atLeast(count)]) })), tier];
  });
  return { ...plan, tiers };
}
