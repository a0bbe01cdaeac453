import type { AskedPart } from '#search/asked-parts.ts';
import type { Count } from '#search/choose-plan.ts';
import type { Condition } from '#search/conditions.ts';
import { conditionsMetBy } from '#search/meets-condition.ts';
import type { PlannedQuery } from '#search/plan-query.ts';
import { planningOf } from '#search/planning.ts';
import type { SearchResult } from '#search/search-index.ts';
import type { Filter, Position, SearchQuery } from '#search/search-query.ts';
import { chooseKnowing, takingAllNear } from '#search/walk.ts';
import { cached } from '#text/memoize.ts';
import {
  buildAsked,
  buildProbe,
  type RenderedQuery,
  renderText,
  renderUnlisted,
  type SearchBody,
} from './build-query.ts';
import type { KnownTerms, NearTerms } from './known-terms.ts';
import {
  type Ask,
  type OneOrMore,
  oneOrMore,
  readDropped,
  readMinTotal,
  readRecords,
  readTotal,
  type SearchResponse,
} from './search-requests.ts';

type Build = (query: RenderedQuery | null) => OneOrMore<SearchBody>;

/** Of an answer whose total is that of a text without filters: the answers under the filters. */
type Split = (answer: SearchResponse) => OneOrMore<SearchResponse>;

interface ChosenQuery {
  query: RenderedQuery | null;
  answers: OneOrMore<SearchResponse>;
  /** Exact, under the filters. */
  total: number;
  /** Whether the query is not the strict one, and found more records than that. */
  isCorrected: boolean;
  /** The parts of the text that some of the found records may lack. */
  asked: readonly AskedPart[];
  counted: Position['counted'];
}

/**
 * Chooses the plan of a text and runs the requests that `build` makes of it; the first answer must have the exact total.
 * To save round trips, the counts that the choice needs go out together with the requests of the plan it will likely choose.
 *
 * @param names without them, the engine looks for near names
 * @param split if `build` makes one request of a text, whose query leaves the filters out
 * @param after set for a page that begins behind it
 */
export async function chooseQuery(
  ask: Ask,
  asked: SearchQuery,
  build: Build,
  {
    names = null,
    split = null,
    after,
  }: { names?: KnownTerms | null; split?: Split | null; after?: Position | null } = {},
): Promise<ChosenQuery> {
  const { text, filters } = asked;
  const unlisted = renderUnlisted(asked);
  if (text === null) {
    const query = unlisted.length === 0 ? null : { planned: null, match: null, exclusions: unlisted };
    const answers = oneOrMore(await ask(...build(query)));
    return { query, answers, total: readTotal(answers[0]), isCorrected: false, asked: [], counted: [] };
  }
  const { choose, excluded } = planningOf(asked);
  const exclusions = excluded(text);
  const runs = new PlanRuns(ask, (chosen, near) => {
    const whole = after === undefined || chosen === null ? chosen : takingAllNear(chosen);
    const plan = whole && (near?.putIntoPlan(whole) ?? whole);
    const rendered = renderText(plan, exclusions);
    const query = { ...rendered, exclusions: [...rendered.exclusions, ...unlisted] };
    const isNarrowed = query.exclusions.length > 0 || (filters.length > 0 && split === null);
    return { query, bodies: build(query), isNarrowed, answers: null };
  });
  const choosing = chooseKnowing(choose(text), after?.counted);
  let step = choosing.next();
  while (!step.done) {
    step = choosing.next(await runs.count(step.value.likely, step.value.counts));
    // What follows the strict plan forgives typos.
    if (!step.done) runs.near ??= (await names?.read()) ?? null;
  }
  const { chosen, counted } = step.value;
  const { plan, asTyped, asked: parts } = chosen;
  const run = async (one: PlannedQuery | null) => {
    const { query, answers } = await runs.run(one);
    return { query, answers: split === null ? answers : split(answers[0]) };
  };
  const { query, answers } = await run(plan);
  const total = readTotal(answers[0]);
  // Every other query also finds what the strict one finds.
  const strict = asTyped === null ? null : (await run(asTyped)).answers[0];
  const isCorrected = strict !== null && total > readTotal(strict);
  return { query, answers, total, isCorrected, asked: total === 0 ? [] : parts, counted };
}

/** The words of each part of the text that some of the found records lack, as the engine counts them. */
export async function countDropped(
  ask: Ask,
  { query, total, asked }: ChosenQuery,
  filters: readonly Filter[],
): Promise<SearchResult['dropped']> {
  if (asked.length === 0) return [];
  const [counted] = await ask(buildAsked(query, filters, asked));
  return readDropped(counted, asked, total);
}

interface Run {
  query: RenderedQuery;
  bodies: OneOrMore<SearchBody>;
  /** Whether filters or exclusions keep its answers from telling how many records of all the plan finds. */
  isNarrowed: boolean;
  /** Null until it was sent. */
  answers: OneOrMore<SearchResponse> | null;
}

/** Runs plans of a text, each once, and counts with as few requests as possible. */
class PlanRuns {
  readonly #ask: Ask;
  readonly #prepare: (plan: PlannedQuery | null, near: NearTerms | null) => Run;
  readonly #runs = new Map<PlannedQuery | null, Run>();
  /** The names near to what was typed, where they are known. */
  near: NearTerms | null = null;

  constructor(ask: Ask, prepare: (plan: PlannedQuery | null, near: NearTerms | null) => Run) {
    this.#ask = ask;
    this.#prepare = prepare;
  }

  async run(plan: PlannedQuery | null): Promise<Pick<ChosenQuery, 'query' | 'answers'>> {
    const run = cached(this.#runs, plan, () => this.#prepare(plan, this.near));
    return { query: run.query, answers: (await this.#send(run, [])).answers };
  }

  /** Runs the likely plan. Its answer tells some of the counts; the others are probed in the same request. */
  async count(likely: PlannedQuery, counts: readonly Count[]): Promise<(count: Count) => number> {
    const run = cached(this.#runs, likely, () => this.#prepare(likely, this.near));
    const readsRecords = (run.bodies[0].size ?? 0) > 0;
    const isAnswered = ({ condition, isWithin }: Count) =>
      !run.isNarrowed && (condition === likely.match || (isWithin === true && readsRecords));
    const [answered, probed] = [counts.filter(isAnswered), counts.filter((count) => !isAnswered(count))];
    const { answers, numbers } = await this.#send(run, probed);
    for (const count of answered) {
      const number = count.condition === likely.match ? readTotal(answers[0]) : countRead(answers[0], count);
      numbers.set(count, number ?? (await this.#send(run, [count])).numbers.get(count) ?? 0);
    }
    return (count) => numbers.get(count) ?? 0;
  }

  /** Sends a run, unless it was sent before, and probes in the same request. */
  async #send(run: Run, probed: readonly Count[]) {
    const bodies = run.answers === null ? run.bodies : [];
    const putInto = this.near?.putInto ?? ((condition: Condition) => condition);
    const probes = probed.map((count) => buildProbe({ ...count, condition: putInto(count.condition) }));
    const asked = [...bodies, ...probes];
    const got = asked.length === 0 ? [] : await this.#ask(...asked);
    const answers = run.answers ?? oneOrMore(got.slice(0, bodies.length));
    run.answers = answers;
    const numbers = got.slice(bodies.length).map(readMinTotal);
    return { answers, numbers: new Map(probed.map((count, place) => [count, numbers[place] ?? 0])) };
  }
}

/** 1 if a record that was read meets a condition, 0 if none does; null if one that was not read may. The typed name's come first. */
function countRead(answer: SearchResponse, { condition }: Count): number | null {
  const isOfName = condition.is === 'name' && condition.edits === 0;
  const records = readRecords(answer).slice(0, isOfName ? 1 : undefined);
  if (records.some((record) => conditionsMetBy(record)(condition))) return 1;
  return isOfName || records.length === readTotal(answer) ? 0 : null;
}
