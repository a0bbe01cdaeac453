import type { Condition } from './conditions.ts';
import type { PlannedQuery } from './plan-query.ts';
import type { Part } from './read-parts.ts';
import type { Understanding } from './search-query.ts';
import { isStem } from './stems.ts';

/*
 * Plans as text that a person reads (docs/search.md):
 * - `radio in names` is a word, `radio+` a word or a stem of it, `ʳrad` a stem alone, `weath… in traits` a beginning, `~1` one typo, `"new york" in anywhere` a phrase;
 * - `type.radio` is a concept, `city.gb.*12` any of twelve; `host bbc.co.uk`, `page bbc.co.uk/news` where the record is;
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
      return [...new Set(condition.of.map((one) => describePart(one, match)))].join(' & ') || 'everything';
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

/** Words in the same part of a record are said together, and each thing once: `radio+ or wireless in traits`. */
function describeAlternatives(conditions: readonly Condition[], match?: Condition): string[] {
  const words = Map.groupBy(
    conditions.filter((one): one is Word => one.is === 'word' && one !== match),
    ({ in: scope }) => scope,
  );
  const inScopes = [...words].map(([scope, all]) => `${describeWords(all)} in ${scope}`);
  const concepts = conditions.flatMap((one) => (one.is === 'concept' && one !== match ? [one.concept] : []));
  const besideWords = conditions.filter((one) => (one.is !== 'word' && one.is !== 'concept') || one === match);
  const beside = besideWords.map((one) => describePart(one, match));
  return [...new Set([...inScopes, ...describeConcepts(concepts), ...beside])];
}

/** The words of a part, with `+` for their stems: `radio+`. */
function describeWords(words: readonly Word[]): string {
  const typed = words.filter(({ word }) => !isStem(word));
  const [first, ...more] = new Set((typed.length > 0 ? typed : words).map(describeWord));
  const hasStems = typed.length > 0 && typed.length < words.length;
  return [`${first}${hasStems ? '+' : ''}`, ...more].join(' or ');
}

/** So many concepts of one kind are said one by one: `city.gb.*12` are more. */
const maxSaid = 3;

function describeConcepts(concepts: readonly string[]): string[] {
  const ofKind = Map.groupBy(concepts, (concept) => concept.slice(0, concept.lastIndexOf('.')));
  return [...ofKind].flatMap(([kind, all]) => (all.length > maxSaid ? [`${kind}.*${all.length}`] : all));
}

function describePart(condition: Condition, match?: Condition): string {
  const text = describe(condition, match);
  const isGroup = (condition.is === 'all' || condition.is === 'any') && / (?:[&|]|or) /.test(text);
  return isGroup && condition !== match ? `(${text})` : text;
}

/**
 * What a plan finds, and its tiers, best first: their number, name, step and condition. Behind the name of a tier, `*` says that the
 * nearest names come first in it. The step is that of a plan which leaves out more and more: `of any kind`.
 */
export function describePlan({ match, tiers }: Pick<PlannedQuery, 'match' | 'tiers'>): string[] {
  return [
    `match: ${describe(match)}`,
    ...tiers.map(({ name, condition, comparesNames, step }, place) => {
      const inStep = step === undefined ? '' : ` (${step})`;
      const isRestOfStep = name === 'rest' && condition !== match;
      const what = isRestOfStep ? 'all else that this step finds' : describe(condition, match);
      return `${place + 1} ${name}${comparesNames ? '*' : ''}${inStep}: ${what}`;
    }),
  ];
}

/** `type.radio`, or for a last word that begins something `a word that begins country.de`. */
function describePartOfText({ concepts, begun = [] }: Part): string {
  if (concepts.length > 0) return describeConcepts(concepts).join(' or ');
  return begun.length > 0 ? `a word that may begin ${describeConcepts(begun).join(' or ')}` : 'a word';
}

/** What was understood of a text, a line for each part: `radio: type.radio`, `in: ignored`. */
export function describeText(text: Understanding): string[] {
  const parts = text.parts.map((part) => {
    return `${part.words.join(' ')}: ${describePartOfText(part)}`;
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
