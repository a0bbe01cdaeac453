import { allOf, type Condition } from '../conditions/conditions.ts';
import { minMatchingWords } from '../conditions/typo-tolerance.ts';
import { strictWord } from '../conditions/word-conditions.ts';
import type { Understanding } from '../search-query.ts';
import { isLikely, isOfKind, isOfLanguage, isPlace, isRecognized, type Part, partsToLeave } from '../words/parts.ts';
import type { PartsPlan } from './plan-parts.ts';

/** What may be missing from a record. */
export interface Missing {
  /** The part that may not, of a short text. */
  rarest: Part | null;
  /** The parts that some records have as they were typed, the rarest first; empty if these were not counted. */
  byRarity: readonly Part[];
  /** Whether a record has everything that is recognized. */
  isFound: boolean;
  /** Whether nothing better is found, so that much of a long text may be missing. */
  isLast: boolean;
  /** Whether also its places and languages may be, which few podcasts say. */
  mayLeavePlaces: boolean;
}

/** So many parts that may be missing make a text long; of one that may be a name, more. */
const minOptional = 3;
const minOptionalOfName = 5;
/** Of a long text so many of the rarest parts are telling, though they are more than half. */
const minTelling = 2;
/** A text of so many words is hardly a name. */
const minWordsOfSentence = 7;

/** Whether a text is a sentence or a long description: of what may be missing, hardly a record has nearly all. */
export function isLong(text: Understanding, optional: readonly Part[]): boolean {
  if (text.typedWords.length >= minWordsOfSentence) return optional.length > 1;
  return (
    optional.length >=
    (text.parts.every((part) => !isRecognized(part) || isOfKind(part)) ? minOptionalOfName : minOptional)
  );
}

/** The rarer half of the parts that some records have, if they were counted. */
export function rarerHalf(byRarity: readonly Part[]): readonly Part[] {
  return byRarity.slice(0, Math.max(Math.ceil(byRarity.length / 2), minTelling));
}

/** What is found, and in which order. */
interface ByCount {
  match: Condition;
  byCount: Condition[];
}

/** What must be there, the rarest word and most others: beside a place or a topic all but one, else minMatchingWords. */
export function mostOf(plan: PartsPlan, { rarest, isFound }: Missing): Condition {
  const optional = partsToLeave(plan.parts, isFound);
  const missable = optional.filter((part) => part.words[0] !== rarest?.words[0]);
  const ofAll = plan.parts.filter(isLikely).every(isOfKind) ? minMatchingWords(optional.length) : optional.length - 1;
  const count = ofAll - (optional.length - missable.length);
  return allOf([...allBut(plan, missable), ...atLeast(count, plan.conditionsOf(missable, 'anywhere'))]);
}

/**
 * Of a long text, the records that have one of its telling parts: what is recognized, and the rarer half of all. First those with most
 * of these as typed; of as many, those with more of all. Null for a short text.
 */
export function someOf(plan: PartsPlan, { byRarity, isFound, isLast, mayLeavePlaces }: Missing): ByCount | null {
  const mayBeLeft = (part: Part) => mayLeavePlaces && (isPlace(part) || isOfLanguage(part));
  const missable = [...partsToLeave(plan.parts, isFound), ...plan.parts.filter(mayBeLeft)];
  if (!isLast || !isLong(plan.text, missable)) return null;
  const counted = byRarity.filter((part) => missable.includes(part));
  const rarer = counted.length === 0 ? missable : rarerHalf(counted);
  const telling = missable.filter((part) => isRecognized(part) || rarer.includes(part));
  const needed = allBut(plan, missable);
  const have = (count: number, parts: readonly Part[]) =>
    atLeast(
      count,
      parts.map((part) => strictWord(part, false, 'anywhere')),
    );
  const byCount = telling.flatMap((_, place) => {
    const count = telling.length - place;
    const most = [...needed, ...have(count, telling)];
    return [allOf([...most, ...have(count + 1, missable)]), allOf(most)];
  });
  return { match: allOf([...needed, ...atLeast(1, plan.conditionsOf(telling, 'anywhere'))]), byCount };
}

/**
 * Two parts of a text of three or more, whichever they are: first those with most, of as many those of the asked kind, of these those
 * in the asked place. All words for a kind are one part. Null for a shorter text.
 */
export function anyTwo(plan: PartsPlan): ByCount | null {
  const [kinds, telling] = [plan.parts.filter(isOfKind), plan.parts.filter((part) => !isOfKind(part))];
  const ofKind = kinds.length === 0 ? [] : [allOf(plan.conditionsOf(kinds, 'anywhere'))];
  const conditions = [...ofKind, ...plan.conditionsOrGuesses(telling)];
  if (conditions.length < 3) return null;
  const have = (count: number) => allOf([...plan.required, { is: 'atLeast', count, of: conditions }]);
  const inPlaces = plan.conditionsOrGuesses(telling.filter(isPlace));
  const first = [[...ofKind, ...inPlaces], ofKind, inPlaces].filter(({ length }) => length > 0);
  const byCount = conditions.slice(2).flatMap((_, place) => {
    const most = have(conditions.length - 1 - place);
    return [...first.map((besides) => allOf([most, ...besides])), most];
  });
  return { match: have(2), byCount };
}

/** What is asked beside the parts that may be missing. */
function allBut(plan: PartsPlan, missable: readonly Part[]): Condition[] {
  return [...plan.required, ...plan.conditionsOrGuesses(plan.parts.filter((part) => !missable.includes(part)))];
}

/** Nothing to meet if `count` is 0 or less. */
function atLeast(count: number, conditions: readonly Condition[]): Condition[] {
  return count < 1 ? [] : [{ is: 'atLeast', count, of: conditions }];
}
