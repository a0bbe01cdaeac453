import type { Condition } from '../conditions/conditions.ts';
import type { AskedPart } from './asked-parts.ts';
import type { PlannedQuery } from './plan-query.ts';

/** A question to an engine: how many records meet a condition, counted up to `limit`. */
export interface Count {
  condition: Condition;
  limit: number;
  /** Set if every record that meets it is also found by the likely plan. */
  isWithin?: true;
}

/** The plan by which a text is answered; null if the text has only exclusions. */
export interface ChosenPlan {
  name: 'strict' | 'fuzzy' | 'far names' | 'last';
  /** Why this plan was chosen, for people: a line for each plan that was tried. */
  why: readonly string[];
  plan: PlannedQuery | null;
  /** The strict plan, if the chosen one is another. */
  asTyped: PlannedQuery | null;
  /** The parts of the text, in the order typed, if records of the plan may lack some of them. */
  asked: readonly AskedPart[];
}

/** Yields counts and the likely plan, with which an engine may begin; takes a function that answers each count. */
export type Choice<Chosen> = Generator<
  { counts: readonly Count[]; likely: PlannedQuery },
  Chosen,
  (count: Count) => number
>;

/** In records. A strict plan that finds fewer may have missed what was meant. */
export const enoughRecords = 5;
/** In records. Words that more records have are equally common. */
export const mostCounted = 2_000;

/** A plan that forgives something. */
export type CorrectedPlan = Pick<ChosenPlan, 'name' | 'why' | 'asked'> & { plan: PlannedQuery };

/** How many records meet one condition. */
export function* countOne(likely: PlannedQuery, count: Count): Choice<number> {
  return (yield { counts: [count], likely })(count);
}
