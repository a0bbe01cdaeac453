import { type ChosenPlan, choosePlan } from '#search/choose-plan.ts';
import type { Filter, TextQuery } from '#search/search-query.ts';
import { buildCount, buildProbe, type RenderedQuery, renderText, type SearchBody } from './build-query.ts';
import { readMinTotal, readTotal, type SearchResponse } from './read-response.ts';
import type { Ask } from './search-requests.ts';

type OneOrMore<Item> = [Item, ...Item[]];

/** The chosen query for a text, and the answers to the requests built for it. */
export interface ChosenQuery {
  query: RenderedQuery | null;
  answers: OneOrMore<SearchResponse>;
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
  const choosing = choosePlan(text);
  let step = choosing.next();
  let tried: { query: RenderedQuery; answers: SearchResponse[] } | null = null;
  while (!step.done) {
    const { counts, likely } = step.value;
    const query = renderText(text, likely);
    const bodies = build(query);
    const answered: SearchResponse[] = await ask(...bodies, ...counts.map(buildProbe));
    tried = { query, answers: answered.slice(0, bodies.length) };
    step = choosing.next(answered.slice(bodies.length).map(readMinTotal));
  }
  const { plan, asTyped } = step.value;
  const isTried = tried !== null && tried.query.planned === plan;
  const query = isTried && tried !== null ? tried.query : renderText(text, plan);
  const answers = oneOrMore(isTried && tried !== null ? tried.answers : await ask(...build(query)));
  return { query, answers, isCorrected: await findsMore(ask, text, filters, { plan, asTyped }, answers[0]) };
}

/** All that the strict query finds, the others find too. */
async function findsMore(
  ask: Ask,
  text: TextQuery,
  filters: readonly Filter[],
  { asTyped }: ChosenPlan,
  answer: SearchResponse,
): Promise<boolean> {
  if (asTyped === null || readTotal(answer) === 0) return false;
  const [strict] = await ask(buildCount(renderText(text, asTyped), filters));
  return strict !== undefined && readTotal(answer) > readTotal(strict);
}

function oneOrMore(answers: readonly SearchResponse[]): OneOrMore<SearchResponse> {
  const [first, ...others] = answers;
  if (first === undefined) throw new RangeError('no request was sent');
  return [first, ...others];
}
