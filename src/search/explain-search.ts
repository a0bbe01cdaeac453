import type { MediaRecord } from '#records/media-record.ts';
import type { AskedPart } from './asked-parts.ts';
import type { ChosenPlan, Count } from './choice.ts';
import { allOf, anyOf, type Condition, tiersByProminence } from './conditions.ts';
import { conditionsMetBy } from './meets-condition.ts';
import type { PlannedQuery } from './plan-query.ts';
import { planningOf } from './planning.ts';
import type { SearchIndex } from './search-index.ts';
import type { Understanding } from './search-query.ts';

/** Chooses the plan of a text as a search of media without filters does, with counts of the index. */
export async function explainChoice(index: Pick<SearchIndex, 'findFirst'>, text: Understanding): Promise<ChosenPlan> {
  const choosing = planningOf({}).choose(text);
  let step = choosing.next();
  while (!step.done) {
    const { counts } = step.value;
    const plans = counts.map(({ condition: match }) => ({
      match,
      tiers: tiersByProminence('rest', [match]),
      nameKey: '',
    }));
    const counted = await index.findFirst(plans, [], 'masked');
    const numberOf = new Map<Count, number>(
      counts.map((count, place) => [count, Math.min(counted[place]?.total ?? 0, count.limit)]),
    );
    step = choosing.next((count) => numberOf.get(count) ?? 0);
  }
  return step.value;
}

/** Which of the asked parts no record of the chosen plan has. */
export async function partsOfNone(
  index: Pick<SearchIndex, 'findFirst'>,
  { plan, asked }: ChosenPlan,
): Promise<readonly AskedPart[]> {
  if (plan === null || asked.length === 0) return [];
  const questions = asked.map(({ condition }) => {
    const match = allOf([plan.match, condition]);
    return { match, tiers: tiersByProminence('rest', [match]), nameKey: '' };
  });
  const counted = await index.findFirst(questions, [], 'masked');
  return asked.filter((_, place) => counted[place]?.total === 0);
}

/** What a record meets of a condition, without the alternatives that it does not meet; null if it does not meet it. */
export function partMetBy(record: MediaRecord, condition: Condition): Condition | null {
  const meets = conditionsMetBy(record);
  const cut = (part: Condition): Condition => {
    if (!('of' in part)) return part;
    const met = part.of.filter(meets).map(cut);
    return part.is === 'any' ? anyOf(met) : allOf(met);
  };
  return meets(condition) ? cut(condition) : null;
}

/** The first tier of a plan that a record meets, from 1; null if it meets none. */
export function tierOf({ tiers }: Pick<PlannedQuery, 'tiers'>, record: MediaRecord): number | null {
  const meets = conditionsMetBy(record);
  const place = tiers.findIndex(({ condition }) => meets(condition));
  return place < 0 ? null : place + 1;
}
