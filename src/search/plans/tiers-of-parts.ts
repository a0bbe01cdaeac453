import { isSpaceless } from '#text/fold.ts';
import {
  allOf,
  anyOf,
  type Condition,
  isName,
  type Scope,
  type Tier,
  type TierName,
  tiersByProminence,
  wordsIn,
} from '../conditions/conditions.ts';
import { meaningOf, orGuessed } from '../conditions/word-conditions.ts';
import { wordsInDigits } from '../words/number-words.ts';
import { isOfKind, isOfLanguage, isPlace, isRecognized, type Part, withoutUnknown } from '../words/parts.ts';
import type { PartsPlan } from './plan-parts.ts';

type ConditionOfPart = (part: Part) => Condition;

/** All words in names, in names and traits, and what is recognized by its meaning. Whole words come first. */
export function tiersOfWords(plan: PartsPlan): Tier[] {
  if (plan.parts.length === 0) return [];
  const mayGoOn = plan.last !== null && !isRecognized(plan.last);
  return [...nameBesideMeaning(plan), ...(mayGoOn ? wordsAndMeaning(plan, false) : []), ...wordsAndMeaning(plan, true)];
}

/** Records that are all that the text says, if every part of it is recognized: `student newspapers in texas`. */
export function tiersOfMeaning(plan: PartsPlan): Tier[] {
  return [
    ...tiersByProminence(nameOfTier(plan, 'name and meaning'), nameBeforeLast(plan)),
    ...tiersByProminence(nameOfTier(plan, 'described'), describing(plan)),
  ];
}

function describing(plan: PartsPlan): Condition[] {
  if (!plan.isDescribed || plan.words.length > 0) return [];
  const ways = waysToMean(plan);
  // "Student" by the word itself, sooner than by education or a university.
  const byWord = (way: ConditionOfPart) => (part: Part) =>
    hasOwnWord(part) ? anyOf(wordsIn(part.words, 'traits')) : way(part);
  const bySame = plan.recognized.some(hasOwnWord) ? ways.map(byWord) : [];
  // Of synonyms first as typed: "marketing" before its stem "market".
  const asTyped = (way: ConditionOfPart) => (part: Part) =>
    isOfSame(part) ? anyOf(wordsIn(part.words, 'traits').slice(0, 1)) : byWord(way)(part);
  const byTyped = plan.recognized.some(isOfSame) ? ways.map(asTyped) : [];
  // A guessed topic comes after the word itself, in descriptions too: a language has hardly a word in them.
  const inLanguage = (part: Part) => (isOfLanguage(part) ? orGuessed(part, meaningOf(part)) : meaningOf(part));
  const guessed = plan.recognized.some(isOfLanguage) ? [inLanguage] : [];
  return [...byTyped, ...bySame, ...ways, ...guessed].map((way) => meantBy(plan, way, 'anywhere'));
}

/** A whole name beside a place or a kind: `the times london`. */
function nameBesideMeaning(plan: PartsPlan): Tier[] {
  const name = plan.isDescribed ? plan.words.flatMap(({ words }) => words).join('') : '';
  if (name === '') return [];
  const isNamed = isName('compact', [name]);
  return tiersByProminence(nameOfTier(plan, 'name and meaning'), [
    allOf([...plan.recognized.map(meaningOf), isNamed, ...plan.required]),
  ]);
}

/** A whole name before its kind, `asian journal news`, or its place, `channels tv nigeria`, unless it is only one part: `berlin news`. */
function nameBeforeLast(plan: PartsPlan): Condition[] {
  const last = plan.last;
  const isBesidePlace = last !== null && isPlace(last) && plan.words.length === 0 && plan.parts.length > 2;
  if (last === null || !(isOfKind(last) || isBesidePlace)) return [];
  const name = plan.text.typedWords.slice(0, -last.words.length);
  if (name.length <= (plan.parts[0]?.words.length ?? 0)) return [];
  const isNamed = isName('compact', [name.join(''), wordsInDigits(name).join('')]);
  return [allOf([isNamed, ...(isBesidePlace ? [plan.match] : []), ...plan.required])];
}

/** @param mayGoOn whether the last word is also found as a beginning: `weath` in "Weathercock" */
function wordsAndMeaning(plan: PartsPlan, mayGoOn: boolean): Tier[] {
  const { words } = plan.text;
  // Several words may be a name with a typo. A single word is a whole name, or asks for the best-known records.
  const comparesNames = words.length > 1 || words.some(isSpaceless);
  const byWords = (['names', 'traits'] as const).map((scope): Tier => {
    return {
      name: nameOfTier(plan, 'words'),
      condition: allOf([...plan.required, ...plan.conditionsOf(plan.parts, scope, mayGoOn)]),
      comparesNames,
    };
  });
  if (!plan.isDescribed || plan.words.length === 0) return byWords;
  const ways = waysToMean(plan);
  const meantIn = (scope: Scope) =>
    tiersByProminence(
      nameOfTier(plan, 'words and meaning'),
      ways.map((way) => meantBy(plan, way, scope, mayGoOn)),
    );
  return [...meantIn('names'), ...byWords, ...meantIn('anywhere')];
}

function nameOfTier(plan: PartsPlan, asTyped: TierName): TierName {
  return plan.typos === 0 ? asTyped : 'corrected';
}

/** What is recognized by its meaning, and the other words in a scope. */
function meantBy(plan: PartsPlan, way: ConditionOfPart, scope: Scope, mayGoOn = true): Condition {
  return allOf([...plan.recognized.map(way), ...plan.conditionsOf(plan.words, scope, mayGoOn), ...plan.required]);
}

/** Records that are known to be weekly come before those of an unknown frequency. */
function waysToMean(plan: PartsPlan): ConditionOfPart[] {
  const withKnownNature = (part: Part) => meaningOf(withoutUnknown(part) ?? part);
  return plan.recognized.some(withoutUnknown) ? [withKnownNature, meaningOf] : [meaningOf];
}

/** Whether records may have the word itself: it stands for a topic or a synonym, not for a country or a kind. */
function hasOwnWord(part: Part): boolean {
  const isOf = (kinds: RegExp) => part.concepts.some((conceptName) => kinds.test(conceptName));
  return isOf(/^(?:topic|same)\./) && !isOf(/^country\./) && !isOfKind(part);
}

const isOfSame = ({ concepts }: Part) =>
  concepts.length > 0 && concepts.every((conceptName) => conceptName.startsWith('same.'));
