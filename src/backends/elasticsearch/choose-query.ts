import { type Count, choosePlan, type PlannedQuery } from '#search/plan-query.ts';
import type { Filter, TextQuery } from '#search/search-query.ts';
import { buildProbe, type RenderedQuery, renderText, type SearchBody } from './build-query.ts';
import { NearTerms } from './near-terms.ts';
import { type Ask, readMinTotal, readTotal, type SearchResponse } from './search-requests.ts';

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
  const near = new NearTerms();
  const answered = new Map<PlannedQuery | null, AnsweredQuery>();
  /** Runs a plan, unless that was done, and counts. */
  const run = async (plan: PlannedQuery | null, counts: readonly Count[] = []) => {
    const known = answered.get(plan);
    // The first plan is the text as typed: there are few slips to look for.
    const forgives = known === undefined && answered.size > 0;
    if (forgives && plan !== null) await near.lookUp(async (body) => (await ask(body))[0], plan.match);
    const query = known?.query ?? renderText(text, plan, near);
    const bodies = known === undefined ? build(query) : [];
    const isTotal = ({ condition }: Count) => {
      return condition === plan?.match && filters.length + (query?.exclusions.length ?? 0) === 0;
    };
    const probes = counts.filter((count) => !isTotal(count)).map((count) => buildProbe(count, near));
    const got = bodies.length + probes.length === 0 ? [] : await ask(...bodies, ...probes);
    const one = known ?? { query, answers: oneOrMore(got.slice(0, bodies.length)) };
    answered.set(plan, one);
    const counted = got.slice(bodies.length).map(readMinTotal).values();
    return {
      ...one,
      counted: counts.map((count) => (isTotal(count) ? readTotal(one.answers[0]) : (counted.next().value ?? 0))),
    };
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

function oneOrMore(answers: readonly SearchResponse[]): OneOrMore<SearchResponse> {
  const [first, ...others] = answers;
  if (first === undefined) throw new RangeError('no request was sent');
  return [first, ...others];
}
