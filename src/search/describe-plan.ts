import type { Condition } from './conditions.ts';
import type { PlannedQuery } from './plan-query.ts';
import { isRecognized } from './read-parts.ts';
import type { Understanding } from './search-query.ts';

/*
 * Plans as text that a person reads (docs/search.md):
 * - `radio in names` is a word, `weath… in traits` a beginning, `~1` one typo, `"new york" in anywhere` a phrase; `ʳ` marks a stem;
 * - `type.radio` is a concept; `host bbc.co.uk`, `page bbc.co.uk/news` where the record is;
 * - `compact name elpais` is a name in one of its forms (name-forms.ts), `name el p…` its beginning;
 * - `contact (…)` is one and the same contact that meets this;
 * - `&` joins what a record must meet, `|` alternatives, `2 of (…)` at least so many; `found` is all that the plan finds.
 */

/** A condition in that notation. */
export function describe(condition: Condition, match?: Condition): string {
  if (condition === match) return 'match';
  switch (condition.is) {
    case 'word':
      return `${describeWord(condition)} in ${condition.in}`;
    case 'phrase':
      return `"${condition.words.join(' ')}" in ${condition.in}`;
    case 'concept':
      return condition.concept;
    case 'host':
      return `host ${condition.hosts.join(' or ')}${typos(condition.edits)}`;
    case 'page': {
      const { page, standing } = condition;
      const asNamed = { at: '', like: ' of an outlet named like it', same: ' of an outlet with its name' }[standing];
      return `page ${page.host}${page.path}${asNamed}`;
    }
    case 'address':
      return 'an address';
    case 'name':
      return `${condition.form} name ${condition.keys.join(' or ')}${typos(condition.edits)}`;
    case 'nameBeginning':
      return `name ${condition.key}…`;
    case 'contact':
      return `contact (${describe(condition.meets)})`;
    case 'all':
      return condition.of.map((one) => describePart(one, match)).join(' & ') || 'everything';
    case 'any':
      return describeAlternatives(condition.of, match).join(' | ') || 'nothing';
    case 'atLeast':
      return `${condition.count} of (${condition.of.map((one) => describe(one, match)).join(', ')})`;
  }
}

type Word = Extract<Condition, { is: 'word' }>;

function describeWord({ word, unfinished, edits }: Word): string {
  return `${word}${unfinished ? '…' : ''}${typos(edits)}`;
}

const typos = (edits: 0 | 1 | 2) => (edits === 0 ? '' : `~${edits}`);

/** Words in the same part of a record are said together: `radio or ʳrad in traits`. */
function describeAlternatives(conditions: readonly Condition[], match?: Condition): string[] {
  const words = Map.groupBy(
    conditions.filter((one): one is Word => one.is === 'word' && one !== match),
    ({ in: scope }) => scope,
  );
  const inScopes = [...words].map(([scope, all]) => `${all.map(describeWord).join(' or ')} in ${scope}`);
  const besideWords = conditions.filter((one) => one.is !== 'word' || one === match);
  return [...inScopes, ...besideWords.map((one) => describePart(one, match))];
}

function describePart(condition: Condition, match?: Condition): string {
  const text = describe(condition, match);
  const isGroup = (condition.is === 'all' || condition.is === 'any') && condition.of.length > 1;
  return isGroup && condition !== match ? `(${text})` : text;
}

/**
 * What a plan finds, and its tiers, best first: their number, name and condition. Behind the name of a tier, `*` says that the
 * nearest names come first in it.
 */
export function describePlan({ match, tiers }: Pick<PlannedQuery, 'match' | 'tiers'>): string[] {
  return [
    `match: ${describe(match)}`,
    ...tiers.map(({ name, condition, comparesNames }, place) => {
      return `${place + 1} ${name}${comparesNames ? '*' : ''}: ${describe(condition, match)}`;
    }),
  ];
}

/** What was understood of a text, a line for each part: `radio: type.radio`, `in: ignored`. */
export function describeText(text: Understanding): string[] {
  const parts = text.parts.map((part) => {
    return `${part.words.join(' ')}: ${isRecognized(part) ? part.concepts.join(' or ') : 'a word'}`;
  });
  const wordsOfParts = new Set(text.parts.flatMap(({ words }) => words));
  const ignored = text.typedWords.filter((word) => !wordsOfParts.has(word));
  return [
    ...parts,
    ...(ignored.length === 0 ? [] : [`${ignored.join(', ')}: ignored`]),
    ...text.phrases.map((words) => `"${words.join(' ')}": a phrase`),
    ...text.hosts.map((host) => `${host}: a host`),
    ...text.pages.map(({ host, path }) => `${host}${path}: a page`),
    ...text.excluded.map((words) => `${words.join(' ')}: excluded`),
    ...text.excludedHosts.map((host) => `${host}: an excluded host`),
    ...text.excludedPages.map(({ host, path }) => `${host}${path}: an excluded page`),
  ];
}
