import type { Condition } from './conditions.ts';
import {
  isDescription,
  minStrictMatches,
  type PlannedQuery,
  planBound,
  planFuzzy,
  planLast,
  planSlip,
  planStrict,
  planWholeName,
  wordsToLeave,
} from './plan-query.ts';
import type { TextQuery } from './search-query.ts';

/** What an engine is asked before a plan is chosen: how many records meet each condition, counted up to `limit`. */
export interface Count {
  condition: Condition;
  limit: number;
}

/** The plan by which a text is answered; null if the text has only exclusions. */
export interface ChosenPlan {
  plan: PlannedQuery | null;
  /** The strict plan, if the chosen one is another. */
  asTyped: PlannedQuery | null;
}

/** Counts to answer, and the plan that will most likely be chosen: an engine may begin with it. */
export interface Question {
  counts: readonly Count[];
  likely: PlannedQuery;
}

/** Words of so many records are alike in telling nothing. */
const common = 2_000;

/**
 * Chooses the strict plan if it finds enough, unless there is a name that only differs by a slip, or if a name equals the
 * text; otherwise the fuzzy one, or the last one if that finds nothing, or few that were described. The choice depends on the text alone, over the whole
 * database: never on filters. Yields what it needs to know, for engines that answer at once or later.
 */
export function* choosePlan(text: TextQuery): Generator<Question, ChosenPlan, readonly number[]> {
  const strict = planStrict(text);
  if (strict === null || text.isStrict) return { plan: strict, asTyped: null };
  const enough = minStrictMatches(text);
  const slip = planSlip(text);
  const counts: Count[] = [
    { condition: strict.match, limit: enough },
    { condition: planWholeName(text), limit: 1 },
    ...(slip === null ? [] : [{ condition: slip, limit: 1 }]),
  ];
  const [found = 0, named = 0, slips = 0] = yield { counts, likely: strict };
  if (named > 0 || (found >= enough && slips === 0)) return { plan: strict, asTyped: null };
  const fuzzy = planFuzzy(text);
  if (fuzzy === null) return { plan: strict, asTyped: null };
  const least = isDescription(text) ? enough : 1;
  const [corrected = 0] = yield { counts: [{ condition: fuzzy.match, limit: least }], likely: fuzzy };
  if (corrected >= least) return { plan: fuzzy, asTyped: strict };
  const words = wordsToLeave(text);
  const rarity =
    words.length === 0
      ? []
      : yield { counts: words.map(({ condition }) => ({ condition, limit: common })), likely: fuzzy };
  const known = words.filter((_, place) => (rarity[place] ?? 0) > 0);
  const [telling] = known.toSorted((a, b) => (rarity[words.indexOf(a)] ?? 0) - (rarity[words.indexOf(b)] ?? 0));
  const last = planLast(text, telling?.part) ?? fuzzy;
  const bound = planBound(text);
  if (bound === null) return { plan: last, asTyped: strict };
  const [left = 0] = yield { counts: [{ condition: last.match, limit: 1 }], likely: last };
  return { plan: left > 0 ? last : bound, asTyped: strict };
}
