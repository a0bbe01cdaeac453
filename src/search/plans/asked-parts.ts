import { allOf, anyOf, type Condition, contactWith, isName } from '../conditions/conditions.ts';
import { asksForWords, nameConditions } from '../conditions/name-conditions.ts';
import { mayTellPerson, namedPerson, partOfContact } from '../conditions/people-conditions.ts';
import { fuzzyWord, mayGoOn, orGuessed } from '../conditions/word-conditions.ts';
import type { Understanding } from '../search-query.ts';
import { isOfKind, isRecognized, type Part } from '../words/parts.ts';
import type { PlannedQuery } from './plan-query.ts';

/** A part of a text, and which records have what it asks for. */
export interface AskedPart {
  words: readonly string[];
  condition: Condition;
}

/** How far a corrected plan forgives: what `chooseMediaPlan` has learned about the text. */
interface Forgiven {
  typos: 1 | 2;
  farNames: boolean;
  /** The parts whose word is no typo: `chess` beside a place is not forgiven as `chefs`. */
  spelledRight: ReadonlySet<Part>;
  /** The words of a long text that tell too little to be asked for. */
  common: readonly Part[];
}

/** For a text that is found as typed: all its words count, each with one typo at most. */
export const forgivingOneTypo: Forgiven = { typos: 1, farNames: false, spelledRight: new Set(), common: [] };

/**
 * What each part of a text asks for, where a corrected plan may leave some of them out: beside a place, a kind or anything else
 * that is recognized (contract A19). Common words of a long text ask for nothing. A record whose name is the text has all
 * parts. None for any other text: of a long one, a record need not have every word.
 */
export function askedParts(text: Understanding, { typos, farNames, spelledRight, common }: Forgiven): AskedPart[] {
  const parts = text.parts;
  if (!parts.some(isRecognized)) return [];
  const byName = namedSo(text, parts, farNames);
  const telling = parts.filter((part) => !common.includes(part));
  return telling.map((part) => {
    // A code asks for its place: what only begins like it is no such record.
    const isLast = mayGoOn(part) && part === parts.at(-1) && part.words.at(-1) === text.typedWords.at(-1);
    const met = fuzzyWord(part, isLast, 'anywhere', spelledRight.has(part) ? 0 : typos, text);
    // Not the ways in which a contact and its medium share the text: engines take only so many conditions, and this is in each tier.
    const byContact = mayTellPerson(part) ? [contactWith(partOfContact(part, text, 1))] : [];
    return { words: part.words, condition: anyOf([...byName, orGuessed(part, met), ...byContact]) };
  });
}

/** The same plan, with only the records that have every part. */
export function withEveryPart(plan: PlannedQuery, parts: readonly AskedPart[]): PlannedQuery {
  const conditions = parts.map(({ condition }) => condition);
  return {
    match: allOf([plan.match, ...conditions]),
    nameKey: plan.nameKey,
    tiers: plan.tiers.map((tier) => ({ ...tier, condition: allOf([tier.condition, ...conditions]) })),
  };
}

/** Names that all of the text stands for, but for words for a kind. Not those with any other word too many. */
function namedSo(text: Understanding, parts: readonly Part[], farNames: boolean): Condition[] {
  const { whole, same, handles, near, far, byConsonants, abbreviated, outlined } = nameConditions(text);
  const people = namedPerson(text);
  const names = [...whole, ...same, ...handles, ...near, ...(farNames ? far : [])];
  return [...names, ...byConsonants, ...abbreviated, ...outlined, ...people, ...withoutKinds(text, parts)];
}

/** `the harbour times newspaper` → the name The Harbour Times, whatever its type. */
function withoutKinds(text: Understanding, parts: readonly Part[]): Condition[] {
  const kinds = new Set(parts.filter(isOfKind).flatMap(({ words }) => words));
  const name = text.typedWords.filter((word) => !kinds.has(word)).join('');
  const hasUrl = text.hosts.length + text.pages.length > 0;
  const isNamed = !asksForWords(text) && !hasUrl && kinds.size > 0 && !parts.every(isRecognized);
  return isNamed ? [isName('compact', [name])] : [];
}
