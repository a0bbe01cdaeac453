import { type Count, choosePlan } from '#search/choose-plan.ts';
import { conditionsMetBy } from '#search/meets-condition.ts';
import type { PlannedQuery } from '#search/plan-query.ts';
import type { Filter, TextQuery } from '#search/search-query.ts';
import { buildProbe, type RenderedQuery, renderText, type SearchBody } from './build-query.ts';
import { type Ask, readMinTotal, readRecords, readTotal, type SearchResponse } from './search-requests.ts';

type OneOrMore<Item> = [Item, ...Item[]];

interface AnsweredQuery {
  query: RenderedQuery | null;
  answers: OneOrMore<SearchResponse>;
}

export interface ChosenQuery extends AnsweredQuery {
  /** Whether the query is not the strict one, and found more records than that. */
  isCorrected: boolean;
}

/**
 * Chooses the plan of a text and runs the requests that `build` makes of it; the first answer must have the exact total.
 * To save round trips, the counts that the choice needs go out together with the requests of the plan it will likely choose.
 */
export async function chooseQuery(
  ask: Ask,
  text: TextQuery | null,
  filters: readonly Filter[],
  build: (query: RenderedQuery | null) => OneOrMore<SearchBody>,
): Promise<ChosenQuery> {
  if (text === null) return { query: null, answers: oneOrMore(await ask(...build(null))), isCorrected: false };
  const answered = new Map<PlannedQuery | null, AnsweredQuery>();
  /** Runs a plan, unless it ran before, and answers the counts. */
  const run = async (plan: PlannedQuery | null, counts: readonly Count[] = []) => {
    const known = answered.get(plan);
    const query = known?.query ?? renderText(text, plan);
    const bodies = known === undefined ? build(query) : [];
    // Without filters and exclusions, the plan's own answer has some of the counts; the others need a probe.
    const isUnfiltered = known === undefined && filters.length + query.exclusions.length === 0;
    const readsRecords = isUnfiltered && (bodies[0]?.size ?? 0) > 0;
    const isTotal = ({ condition }: Count) => isUnfiltered && condition === plan?.match;
    const isAmongRead = ({ isWithin }: Count) => readsRecords && isWithin === true;
    const probed = counts.filter((count) => !isTotal(count) && !isAmongRead(count));
    const asked = [...bodies, ...probed.map(buildProbe)];
    const got = asked.length === 0 ? [] : await ask(...asked);
    const answer = known ?? { query, answers: oneOrMore(got.slice(0, bodies.length)) };
    answered.set(plan, answer);
    const probes = new Map(probed.map((count, place) => [count, got[bodies.length + place]]));
    const answerCount = async (count: Count) => {
      const probe = probes.get(count);
      if (probe !== undefined) return readMinTotal(probe);
      if (isTotal(count)) return readTotal(answer.answers[0]);
      return countRead(answer.answers[0], count) ?? readMinTotal(oneOrMore(await ask(buildProbe(count)))[0]);
    };
    const numbers = await Promise.all(counts.map(answerCount));
    return { ...answer, numberOf: (count: Count) => numbers[counts.indexOf(count)] ?? 0 };
  };
  const choosing = choosePlan(text);
  let step = choosing.next();
  while (!step.done) {
    const { numberOf } = await run(step.value.likely, step.value.counts);
    step = choosing.next(numberOf);
  }
  const { plan, asTyped } = step.value;
  const { query, answers } = await run(plan);
  // Every other query also finds what the strict one finds.
  const strict = asTyped === null ? null : (await run(asTyped)).answers[0];
  return { query, answers, isCorrected: strict !== null && readTotal(answers[0]) > readTotal(strict) };
}

/** 1 if a record that was read meets a condition, 0 if none does; null if one that was not read may. The typed name's come first. */
function countRead(answer: SearchResponse, { condition }: Count): number | null {
  const isOfName = condition.is === 'name';
  const records = readRecords(answer).slice(0, isOfName ? 1 : undefined);
  if (records.some((record) => conditionsMetBy(record)(condition))) return 1;
  return isOfName || records.length === readTotal(answer) ? 0 : null;
}

function oneOrMore(answers: readonly SearchResponse[]): OneOrMore<SearchResponse> {
  const [first, ...others] = answers;
  if (first === undefined) throw new RangeError('no request was sent');
  return [first, ...others];
}
