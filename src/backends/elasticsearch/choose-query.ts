import { conditionsMetBy } from '#search/meets-condition.ts';
import { type Count, choosePlan, type PlannedQuery } from '#search/plan-query.ts';
import type { Filter, TextQuery } from '#search/search-query.ts';
import { buildProbe, type RenderedQuery, renderText, type SearchBody } from './build-query.ts';
import { type Ask, readMinTotal, readRecords, readTotal, type SearchResponse } from './search-requests.ts';

type OneOrMore<Item> = [Item, ...Item[]];

interface AnsweredQuery {
  query: RenderedQuery | null;
  answers: OneOrMore<SearchResponse>;
}

export interface ChosenQuery extends AnsweredQuery {
  /** Whether the query is not the strict one, and found more than that. */
  isCorrected: boolean;
}

/**
 * Runs what `build` makes of the plan that is chosen for a text; the first answer must tell the total. What the choice asks
 * for is sent together with the requests of the plan that it will most likely come to.
 */
export async function chooseQuery(
  ask: Ask,
  text: TextQuery | null,
  filters: readonly Filter[],
  build: (query: RenderedQuery | null) => OneOrMore<SearchBody>,
): Promise<ChosenQuery> {
  if (text === null) return { query: null, answers: oneOrMore(await ask(...build(null))), isCorrected: false };
  const answered = new Map<PlannedQuery | null, AnsweredQuery>();
  /** Runs a plan, unless that was done, and counts. */
  const run = async (plan: PlannedQuery | null, counts: readonly Count[] = []) => {
    const known = answered.get(plan);
    const query = known?.query ?? renderText(text, plan);
    const bodies = known === undefined ? build(query) : [];
    const isOfAll = known === undefined && filters.length + query.exclusions.length === 0;
    const isRead = isOfAll && (bodies[0]?.size ?? 0) > 0;
    const isTold = ({ condition, isWithin }: Count) => (isOfAll && condition === plan?.match) || (isRead && isWithin);
    const probes = counts.filter((count) => !isTold(count)).map(buildProbe);
    const got = bodies.length + probes.length === 0 ? [] : await ask(...bodies, ...probes);
    const one = known ?? { query, answers: oneOrMore(got.slice(0, bodies.length)) };
    answered.set(plan, one);
    const probed = got.slice(bodies.length).map(readMinTotal).values();
    const counted: number[] = [];
    for (const count of counts) {
      if (!isTold(count)) counted.push(probed.next().value ?? 0);
      else if (count.condition === plan?.match) counted.push(readTotal(one.answers[0]));
      else counted.push(countRead(one.answers[0], count) ?? readMinTotal(oneOrMore(await ask(buildProbe(count)))[0]));
    }
    return { ...one, counted };
  };
  const choosing = choosePlan(text);
  let step = choosing.next();
  while (!step.done) {
    const { counted } = await run(step.value.likely, step.value.counts);
    step = choosing.next(counted);
  }
  const { plan, asTyped } = step.value;
  const { query, answers } = await run(plan);
  // All that the strict query finds, the others find too.
  const strict = asTyped === null ? null : (await run(asTyped)).answers[0];
  return { query, answers, isCorrected: strict !== null && readTotal(answers[0]) > readTotal(strict) };
}

/** Whether a record that was read meets a condition, as 1 or 0; null if another may. Those of a typed name are read first. */
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
