import { anyOf, type Condition } from '../conditions/conditions.ts';
import { nameConditions } from '../conditions/name-conditions.ts';
import type { Understanding } from '../search-query.ts';
import { isOfLanguage, isPlace, isRecognized, mayBeName, type Part, partsToLeave } from '../words/parts.ts';
import { askedParts } from './asked-parts.ts';
import { type Choice, type CorrectedPlan, type Count, countOne, enoughRecords } from './choice.ts';
import { commonWords } from './count-words.ts';
import { isLong } from './missing-parts.ts';
import { type ForgivenLast, joinPlans, type PlannedQuery, planAnyTwo, planLast } from './plan-query.ts';

/** The last plan. If few records in the places of a long text are found, others follow; if still few, what has two parts of the text. */
export function* chooseLast(
  text: Understanding,
  fuzzy: PlannedQuery,
  forgiven: Omit<ForgivenLast, 'mayLeavePlaces'>,
  spelledRight: ReadonlySet<Part>,
): Choice<Pick<CorrectedPlan, 'plan' | 'asked' | 'why'>> {
  const { byRarity, isFound, farNames } = forgiven;
  const optional = partsToLeave(text.parts, isFound);
  const isLongText = isLong(text, optional);
  const inPlaces = planLast(text, { ...forgiven, mayLeavePlaces: false }) ?? fuzzy;
  const mayLeavePlaces =
    isLongText &&
    text.parts.some((part) => isPlace(part) || isOfLanguage(part)) &&
    (yield* countOne(inPlaces, { condition: inPlaces.match, limit: enoughRecords })) < enoughRecords;
  const elsewhere = mayLeavePlaces ? planLast(text, { ...forgiven, mayLeavePlaces }) : null;
  const placesPlan = elsewhere === null ? inPlaces : joinPlans(text, inPlaces, elsewhere, 'anywhere');
  // Media in the place without the topic, before those of the topic elsewhere.
  const mayLeaveTopics = isFound && partsToLeave(text.parts, false).length > optional.length;
  const withoutTopics =
    mayLeaveTopics && !(yield* findsEnough(text, placesPlan))
      ? planLast(text, { ...forgiven, isFound: false, mayLeavePlaces: false })
      : null;
  const narrow = withoutTopics === null ? placesPlan : joinPlans(text, placesPlan, withoutTopics, 'of any topic');
  const anyTwo = text.parts.some(isRecognized) ? planAnyTwo(text) : null;
  const isEnough = anyTwo === null || (yield* findsEnough(text, narrow));
  const common = isLongText ? commonWords(byRarity.filter((part) => optional.includes(part))) : [];
  const steps = [
    ...(elsewhere === null ? [] : ['anywhere']),
    ...(withoutTopics === null ? [] : ['of any topic']),
    ...(isEnough ? [] : ['two of the parts']),
  ];
  return {
    why: [
      'last: answers',
      ...steps.map((step) => `last, ${step}: added, as fewer than ${enoughRecords} are found without`),
    ],
    plan: isEnough ? narrow : joinPlans(text, narrow, anyTwo, 'two of the parts'),
    asked: askedParts(text, { typos: 2, farNames, spelledRight, common }),
  };
}

/** Whether a plan finds enough records, or one that is called nearly like the text: `Lantern 3 radio`. */
function* findsEnough(text: Understanding, plan: PlannedQuery): Choice<boolean> {
  const name = mistypedName(text);
  const matches: Count = { condition: plan.match, limit: enoughRecords };
  const named: Count[] = name === null ? [] : [{ condition: name, limit: 1 }];
  const numberOf = yield { counts: [matches, ...named], likely: plan };
  return numberOf(matches) >= enoughRecords || named.some((count) => numberOf(count) > 0);
}

/** A name with one typo, or without one of the words; null if all of the text is recognized as it is. */
export function mistypedName(text: Understanding): Condition | null {
  const parts = text.parts;
  if (text.hosts.length + text.pages.length > 0 || (parts.length > 0 && parts.every(isRecognized))) return null;
  const { near, shorter } = nameConditions(text);
  const names = [...near, ...(mayBeName(parts) ? shorter : [])];
  return names.length === 0 ? null : anyOf(names);
}
