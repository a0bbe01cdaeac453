import { once } from '#text/memoize.ts';
import {
  allOf,
  anyOf,
  type Condition,
  isName,
  type Tier,
  tiersByName,
  tiersByProminence,
} from '../conditions/conditions.ts';
import { asksForWords, nameConditions, namesOrInitials } from '../conditions/name-conditions.ts';
import { namedPerson, peopleConditions } from '../conditions/people-conditions.ts';
import { mayGoOn } from '../conditions/word-conditions.ts';
import { withoutLastOfTwo } from '../indexed/name-forms.ts';
import type { Understanding } from '../search-query.ts';
import { isOfKind, isPlace, isRecognized, mayBeName, type Part } from '../words/parts.ts';
import { anyTwo, type Missing, mostOf, someOf } from './missing-parts.ts';
import { isKindAlone, PartsPlan } from './plan-parts.ts';
import { tiersOfMeaning, tiersOfWords } from './tiers-of-parts.ts';

/**
 * The plans of a typed text: what each searches for and in which order, decided once for every engine (docs/search.md). An
 * engine renders conditions and decides nothing. choose-plan.ts decides which plan answers a text.
 */

export interface PlannedQuery {
  match: Condition;
  /** Best first. All are within `match`, which is the last. Prominence and names order the records of a tier. */
  tiers: readonly Tier[];
  /** The typed name, which order-by-names.ts compares. */
  nameKey: string;
}

/** A name that equals the typed text. */
export function wholeName({ nameKey }: Pick<Understanding, 'nameKey'>): Condition {
  return isName('whole', [nameKey]);
}

/**
 * The strict plan: the name, or every phrase, host and word, or what a word stands for. The last word may be unfinished.
 * Null if the text has only exclusions.
 */
export function planStrict(text: Understanding): PlannedQuery | null {
  const isOnlyExclusions = text.excluded.length + text.excludedHosts.length + text.excludedPages.length > 0;
  const parts = new PartsPlan(text, 0);
  const isKind = isKindAlone(text);
  if (parts.isEmpty && isOnlyExclusions) return null;
  const names = nameConditions(text);
  // Behind an article, a word that stands for something may begin a name: `El Fin`.
  const begun = text.words.length < text.typedWords.length ? names.begun : [];
  const byName = [...names.whole, ...names.same, ...names.handles, ...begun, ...names.abbreviated];
  const people = [...namedPerson(text), ...peopleConditions(text, 0)];
  const match = anyOf([...byName, ...people, ...(parts.isEmpty ? [] : [parts.match])]);
  return arrange(text, match, () => [
    ...tiersByProminence('located', [...allBesideHost(text, parts), ...names.located]),
    ...tiersByName('whole', names.whole),
    ...tiersByName('same', names.same),
    ...(isKind ? tiersOfMeaning(parts) : []),
    ...tiersByName('begun', names.begunByWord),
    ...tiersByName('handle', names.handles),
    ...tiersByName('begun', begunWithin(text, match)),
    ...tiersByName('longer', names.longer),
    ...(isKind ? [] : tiersOfMeaning(parts)),
    ...tiersOfWords(parts),
    ...tiersByProminence('exact', parts.mayBeGuessed ? [parts.asSaid] : []),
    ...tiersByName('abbreviated', names.abbreviated),
    ...tiersOfPeople(text),
  ]);
}

/**
 * The fuzzy plan: one typo in each word or in a name, or a name with a word too many. If nothing is recognized, one of three
 * words may be missing. Null if there is nothing to correct.
 */
export function planFuzzy(text: Understanding): PlannedQuery | null {
  return planForgiving(text, text.parts, { typos: 1 });
}

/** The fuzzy plan with names that have two typos. Null if the text is too short, or all of it is recognized. */
export function planFarNames(text: Understanding): PlannedQuery | null {
  const parts = text.parts;
  const isDescribed = parts.length > 0 && parts.every(isRecognized);
  if (isDescribed || nameConditions(text).far.length === 0) return null;
  return planForgiving(text, parts, { typos: 1, farNames: true });
}

/**
 * The last plan: two typos in each word, and without one of the words; then with all of them, but without the words for a
 * kind: what was asked for comes before media of other kinds. Of two words, the first may be the whole name. Null if there is
 * nothing to correct.
 */
export function planLast(text: Understanding, forgiven: ForgivenLast): PlannedQuery | null {
  const parts = text.parts;
  const shorter = asksForWords(text) ? [] : namesWithinText(text);
  const telling = parts.filter((part) => !isOfKind(part));
  const last = { ...forgiven, typos: 2, isLast: true } as const;
  const withoutKinds = planForgiving(text, telling.length === 0 ? parts : telling, last);
  const isFree = !parts.some(isRecognized);
  const withoutWord = isFree ? null : planForgiving(text, parts, { ...last, mayMiss: true });
  const plans = [withoutWord, withoutKinds].filter((plan) => plan !== null);
  // A name with all other words may be of any kind.
  const named = mayBeName(parts) && !isFree ? new PartsPlan(text, 2, telling).inNames : [];
  if (plans.length + shorter.length === 0) return null;
  return arrange(text, anyOf([...shorter, ...plans.map(({ match }) => match)]), () => [
    ...tiersByName('shorter', shorter),
    ...tiersOfStep('most of the parts', withoutWord).slice(0, -1),
    ...tiersByName('corrected', named),
    ...tiersOfStep('most of the parts', withoutWord).slice(-1),
    ...tiersOfStep('of any kind', withoutKinds),
  ]);
}

/** A name of which a record lacks what was typed beside it: the last of two words, or a place (`KEYT santa barbara`). */
function namesWithinText({ nameKey, parts, callSigns }: Understanding): Condition[] {
  const [word, ...more] = parts.filter((part) => !isRecognized(part)).map((part) => part.words.join(''));
  const isBesidePlace = parts.length > 1 && parts.every((part) => isPlace(part) || !isRecognized(part));
  if (isBesidePlace && word !== undefined && more.length === 0 && isAbbreviation(word, callSigns))
    return namesOrInitials(word);
  // `radio crete` does not ask for a station called Radio.
  const isKindInPlace = parts[0] !== undefined && isOfKind(parts[0]) && parts.some(isPlace);
  const name = isKindInPlace ? null : withoutLastOfTwo(nameKey);
  return name === null ? [] : [isName('compact', [name])];
}

/** Whether a word can only be letters: a call sign, or one without vowels (`dnn`). */
const isAbbreviation = (word: string, callSigns: readonly string[]) =>
  callSigns.includes(word) || /^[b-df-hj-np-tv-xz]+$/.test(word);

/** What has two parts of a text at least, which follows where a corrected plan finds hardly anything. Null for a text of two parts. */
export function planAnyTwo(text: Understanding): PlannedQuery | null {
  const two = anyTwo(new PartsPlan(text, 1));
  return two === null ? null : arrange(text, two.match, () => tiersByProminence('corrected', two.byCount));
}

/** All that one plan finds, then what another finds beside it, with the name of this step. */
export function joinPlans(text: Understanding, first: PlannedQuery, second: PlannedQuery, step: string): PlannedQuery {
  return arrange(text, anyOf([first.match, second.match]), () => [...first.tiers, ...tiersOfStep(step, second)]);
}

function tiersOfStep(step: string, plan: PlannedQuery | null): Tier[] {
  return plan?.tiers.map((tier) => ({ ...tier, step: tier.step === undefined ? step : `${step}; ${tier.step}` })) ?? [];
}

/** What the last plan may leave out. */
export type ForgivenLast = Required<
  Pick<Forgiveness, 'rarest' | 'byRarity' | 'isFound' | 'farNames' | 'mayLeavePlaces'>
>;

interface Forgiveness extends Partial<Missing> {
  /** How many typos a word may have. */
  typos: 1 | 2;
  /** Whether the plan itself finds names with two typos, for which an engine takes longer than for all else. */
  farNames?: boolean;
  /** Whether a word may be missing though others are recognized. */
  mayMiss?: boolean;
}

function planForgiving(
  text: Understanding,
  parts: readonly Part[],
  { typos, farNames = false, mayMiss = false, ...missing }: Forgiveness,
): PlannedQuery | null {
  const forgiving = new PartsPlan(text, typos, parts);
  if (forgiving.isEmpty) return null;
  const names = nameConditions(text);
  const near = [...names.whole, ...names.same, ...names.handles, ...names.near, ...(farNames ? names.far : [])];
  const loose = [...names.byConsonants, ...names.abbreviated, ...names.shorter, ...names.outlined];
  const people = [...namedPerson(text), ...peopleConditions(text, 1)];
  const mayLack = { rarest: null, byRarity: [], isFound: true, isLast: false, mayLeavePlaces: false, ...missing };
  const isPartial = mayMiss || !parts.some(isRecognized);
  const someParts = isPartial ? someOf(forgiving, mayLack) : null;
  const words = someParts?.match ?? (isPartial ? mostOf(forgiving, mayLack) : forgiving.match);
  const match = anyOf([...near, ...loose, ...people, words]);
  return arrange(text, match, () => {
    const strict = new PartsPlan(text, 0);
    const far = farNames ? names.far : names.far.map((condition) => allOf([condition, match]));
    return [
      ...tiersByProminence('located', names.located),
      ...tiersByName('whole', names.whole),
      ...tiersByName('same', names.same),
      ...tiersByName('begun', names.begunByWord),
      ...tiersByName('handle', names.handles),
      ...tiersByName('begun', begunWithin(text, match)),
      ...tiersByName('longer', names.longer),
      ...tiersByName('near', names.near),
      // Beside a place or a topic, what is left of the text may be the name of another medium.
      ...(mayBeName(parts) ? [...tiersByName('far', far), ...tiersByName('shorter', names.shorter)] : []),
      ...tiersOfMeaning(strict),
      ...tiersOfWords(strict),
      ...tiersByProminence('exact', strict.isEmpty ? [] : [strict.asSaid]),
      ...tiersOfPeople(text),
      ...tiersByName('far', far),
      ...tiersByName('consonants', names.byConsonants),
      ...tiersByProminence('people', [anyOf(peopleConditions(text, 1))]),
      ...tiersOfMeaning(forgiving),
      ...tiersOfWords(forgiving),
      ...tiersByProminence('corrected', mayMiss ? [forgiving.match] : []),
      ...tiersByName('shorter', names.shorter),
      ...tiersByName('outlined', names.outlined),
      ...tiersByProminence('corrected', someParts?.byCount ?? []),
    ];
  });
}

/** The media of people: first those of somebody with this name, then all others. */
function tiersOfPeople(text: Understanding): Tier[] {
  return tiersByProminence('people', [...namedPerson(text), anyOf(peopleConditions(text, 0))]);
}

/** What has all that was typed beside a host, before all else at it: `laut.fm austria`. */
function allBesideHost({ hosts, parts: typedParts }: Understanding, parts: PartsPlan): Condition[] {
  return hosts.length > 0 && typedParts.length > 0 ? [parts.asSaid] : [];
}

/** Names that begin like the text, of records that the plan finds: a last word that is whole, `york`, finds no `Yorkshire`. */
function begunWithin(text: Understanding, match: Condition): Condition[] {
  const { begun } = nameConditions(text);
  const last = text.parts.at(-1);
  return last === undefined || mayGoOn(last) ? begun : begun.map((condition) => allOf([condition, match]));
}

/**
 * A plan with its match as the last tier. A condition may be in two tiers. The tiers are made when they are first read: a
 * plan that only counts, or is not chosen, needs none.
 */
function arrange({ nameKey }: Understanding, match: Condition, makeTiers: () => readonly Tier[]): PlannedQuery {
  const tiers = once(() => {
    const allTiers = [...makeTiers(), ...tiersByProminence('rest', [match])];
    return allTiers.filter(({ condition }) => !('of' in condition && condition.of.length === 0));
  });
  return {
    match,
    nameKey,
    get tiers() {
      return tiers();
    },
  };
}
