import { perObject } from '#text/memoize.ts';
import type { Condition } from './conditions/conditions.ts';
import type { Choice, ChosenPlan } from './plans/choice.ts';
import type { PlannedQuery } from './plans/plan-query.ts';
import type { Position } from './search-query.ts';

/*
 * Walking through all rows of a query, page by page, while others change the index: a row that does not change comes exactly once
 * (contract A20). Its place must depend on nothing but itself, so the plan stays the one that was chosen first, all near words count,
 * rows stand by tier and prominence without comparing names, and a page begins behind values of the order.
 */

/** A plan, and what was counted to choose it. */
export interface KnownChoice {
  chosen: ChosenPlan;
  counted: Position['counted'];
}

/** The rows of a page, of which one more was read than its limit, and the position of its last row; null where no more follow. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (last: Row) => Position,
): { rows: readonly Row[]; next: Position | null } {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), next: last === undefined ? null : positionOf(last) };
}

/** Chooses a plan, and says what was counted for that; with what was counted `earlier`, it asks for nothing and chooses the same again. */
export function* chooseKnowing(
  choosing: Choice<ChosenPlan>,
  earlier: Position['counted'] | undefined,
): Choice<KnownChoice> {
  const counted: number[] = [];
  let step = choosing.next();
  while (!step.done) {
    const { counts } = step.value;
    const numberOf = earlier === undefined ? yield step.value : null;
    const numbers = counts.map((count, place) => numberOf?.(count) ?? earlier?.[counted.length + place] ?? 0);
    counted.push(...numbers);
    step = choosing.next((count) => numbers[counts.indexOf(count)] ?? 0);
  }
  return { chosen: step.value, counted };
}

/** A plan in which all near words and names count, not only the first of them, which depend on what other rows have. */
export const takingAllNear = perObject(({ match, tiers, ...plan }: PlannedQuery): PlannedQuery => {
  return {
    ...plan,
    match: takeAllNear(match),
    tiers: tiers.map((tier) => ({ ...tier, condition: takeAllNear(tier.condition) })),
  };
});

/** Memoized because tiers share conditions, which engines look up once. */
const takeAllNear = perObject((condition: Condition): Condition => {
  if ('of' in condition) return { ...condition, of: condition.of.map(takeAllNear) };
  if (condition.is === 'contact') return { ...condition, meets: takeAllNear(condition.meets) };
  return 'edits' in condition && condition.edits > 0 ? { ...condition, takesAllNear: true } : condition;
});
