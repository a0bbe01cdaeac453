import type { Condition } from '../conditions/conditions.ts';
import { joinNeighbors } from '../indexed/searchable-text.ts';
import type { Understanding } from '../search-query.ts';
import type { Part } from '../words/parts.ts';
import { stemsOfTyped } from '../words/stems.ts';
import { conceptsExcludedBy } from './exclusion-conditions.ts';
import type { PlannedQuery } from './plan-query.ts';

/*
 * Plans as text that a person reads (docs/search.md):
 * - `radio in names` is a word, `radio+` a word or a stem of it, `ʳrad` a stem alone, `weath… in traits` a beginning, `~1` one typo, `"new york" in anywhere` a phrase;
 * - `type.radio` is a concept, `city.gb.*12` any of twelve; `host bbc.co.uk`, `page bbc.co.uk/news` where the record is;
 * - `compact name elpais` is a name in one of its forms (name-forms.ts), `name el p…` its beginning;
 * - `contact (…)` is one and the same contact that meets this;
 * - `&` joins what a record must meet, `|` alternatives, `2 of (…)` at least so many; `found` is all that the plan finds.
 */

/** What a description is read beside. */
interface Beside {
  /** All that a plan finds, or a step of it, which is said as `match`. */
  matches?: ReadonlySet<Condition>;
  /** Typed neighbors as one word, which are said as `joined`. */
  joined?: ReadonlySet<string>;
}

/** A condition in that notation. */
export function describe(condition: Condition, beside: Beside = {}): string {
  if (beside.matches?.has(condition)) return 'match';
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
      return describeConjuncts(condition, beside).join(' & ') || 'everything';
    case 'any':
      return describeAlternatives(condition, beside).join(' | ') || 'nothing';
    case 'atLeast':
      return `${condition.count} of (${condition.of.map((part) => describePart(part, beside)).join(', ')})`;
  }
}

/** The conditions of which a record must meet each, within one another as one list. */
export function conjunctsOf(condition: Condition): readonly Condition[] {
  return partsOf(condition, 'all');
}

/** What is joined in one way, within one another as one list, but for what is said by a name. */
function partsOf(condition: Condition, way: 'all' | 'any', named: Beside['matches'] = new Set()): readonly Condition[] {
  return condition.is === way && !named.has(condition)
    ? condition.of.flatMap((part) => partsOf(part, way, named))
    : [condition];
}

function describeConjuncts(condition: Extract<Condition, { is: 'all' }>, beside: Beside): string[] {
  return [...new Set(partsOf(condition, 'all', beside.matches).map((part) => describePart(part, beside)))];
}

type Word = Extract<Condition, { is: 'word' }>;

function describeWord({ word, unfinished, edits }: Word): string {
  return `${word}${unfinished ? '…' : ''}${typos(edits)}`;
}

const typos = (edits: 0 | 1 | 2) => (edits === 0 ? '' : `~${edits}`);

/** Words in the same part of a record are said together, and each thing once: `radio+ or wireless in traits`. */
function describeAlternatives(condition: Extract<Condition, { is: 'any' }>, beside: Beside): string[] {
  const { matches = new Set(), joined = new Set() } = beside;
  const conditions = partsOf(condition, 'any', matches);
  const isJoined = (part: Condition) => part.is === 'word' && joined.has(part.word);
  const words = Map.groupBy(
    conditions.filter((part): part is Word => part.is === 'word' && !matches.has(part) && !isJoined(part)),
    ({ in: scope }) => scope,
  );
  const inScopes = [...words].map(([scope, scopeWords]) => `${describeWords(scopeWords)} in ${scope}`);
  const concepts = conditions.flatMap((part) => (part.is === 'concept' && !matches.has(part) ? [part.concept] : []));
  const otherParts = conditions.filter((part) => (part.is !== 'word' && part.is !== 'concept') || matches.has(part));
  const phrases = [...inScopes, ...describeConcepts(concepts), ...otherParts.map((part) => describePart(part, beside))];
  return [...new Set([...phrases, ...(conditions.some(isJoined) ? ['joined'] : [])])];
}

/** The words of a part, with `+` for their stems: `radio+`. What another one covers, as `radio~1` does `radio`, is not said. */
function describeWords(words: readonly Word[]): string {
  const texts = new Set(words.map(({ word }) => word));
  const covered = new Set([...texts].flatMap((word) => stemsOfTyped(word).filter((stem) => stem !== word)));
  const wider = new Set(words.filter(({ unfinished, edits }) => unfinished || edits > 0).map(({ word }) => word));
  const phrases = words
    .filter(({ word }) => !covered.has(word))
    .filter(({ word, unfinished, edits }) => unfinished || edits > 0 || !wider.has(word))
    .map((typed) => `${describeWord(typed)}${stemsOfTyped(typed.word).some((stem) => texts.has(stem)) ? '+' : ''}`);
  return [...new Set(phrases)].join(' or ');
}

/** So many concepts of one kind are said one by one: `city.gb.*12` are more. */
const maxSaid = 3;

function describeConcepts(concepts: readonly string[]): string[] {
  const ofKind = Map.groupBy(concepts, (concept) => concept.slice(0, concept.lastIndexOf('.')));
  return [...ofKind].flatMap(([kind, names]) => (names.length > maxSaid ? [`${kind}.*${names.length}`] : names));
}

function describePart(condition: Condition, beside: Beside): string {
  const text = describe(condition, beside);
  const isGroup = (condition.is === 'all' || condition.is === 'any') && / (?:[&|]|or) /.test(text);
  return isGroup && !beside.matches?.has(condition) ? `(${text})` : text;
}

/** How the conditions of a text's plans are said. */
export const besideText = ({ typedWords }: Pick<Understanding, 'typedWords'>): Beside => ({
  joined: new Set(joinNeighbors(typedWords)),
});

/**
 * What a plan finds, and its tiers, best first: their number, name, step and condition. Behind the name of a tier, `*` says that the
 * nearest names come first in it. The step is that of a plan which leaves out more and more: `of any kind`.
 */
export function describePlan({ match, tiers }: Pick<PlannedQuery, 'match' | 'tiers'>, text: Understanding): string[] {
  const rests = tiers.filter(({ name }) => name === 'rest').map(({ condition }) => condition);
  const beside = { ...besideText(text), matches: new Set([match, ...rests]) };
  return [
    `match: ${describe(match, besideText(text))}`,
    ...tiers.map(({ name, condition, comparesNames, step }, place) => {
      const inStep = step === undefined ? '' : ` (${step})`;
      const rest = `all else that this ${step === undefined ? 'plan' : 'step'} finds`;
      const description = name === 'rest' ? rest : describe(condition, beside);
      return `${place + 1} ${name}${comparesNames ? '*' : ''}${inStep}: ${description}`;
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
    ...text.excluded.map(
      (words) =>
        `${words.join(' ')}: ${['excluded', ...describeConcepts(conceptsExcludedBy(words, text))].join(', also ')}`,
    ),
    ...text.excludedHosts.map((host) => `${host}: an excluded host`),
    ...text.excludedPages.map(({ host, path }) => `${host}${path}: an excluded page`),
  ];
}
