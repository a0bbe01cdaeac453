import { type Condition, concept, hostCondition, pageCondition, phrase } from './conditions.ts';
import { readParts } from './read-parts.ts';
import type { Understanding } from './search-query.ts';

/**
 * What excluded words stand for, if it is one thing, places or languages: `-radio` all radio stations, `-midwest` twelve states, `-news`
 * only the word, and so does what the text asks for in another word, or nothing would be left: `newspapers -daily`.
 */
export function conceptsExcludedBy(run: readonly string[], { parts }: Pick<Understanding, 'parts'>): readonly string[] {
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
