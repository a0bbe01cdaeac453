import { conditionsMetBy } from '#search/conditions/meets-condition.ts';
import type { AskedPart } from '#search/plans/asked-parts.ts';
import type { Count } from '#search/plans/choice.ts';
import type { PlannedQuery } from '#search/plans/plan-query.ts';
import { planningOf } from '#search/plans/planning.ts';
import type { SearchResult } from '#search/search-index.ts';
import type { Filter, Position, SearchQuery, Understanding } from '#search/search-query.ts';
import { chooseKnowing, takingAllNear } from '#search/walk.ts';
import type { Part } from '#search/words/parts.ts';
import { cached } from '#text/memoize.ts';
import { type RenderedQuery, renderText, renderUnlisted } from './build-condition.ts';
import { buildAsked, countingAsked } from './build-counts.ts';
import type { IndexTerms } from './index-terms.ts';
import type { KnownTerms } from './known-terms.ts';
import { nothing, type Render, renderCondition, rendererOf } from './render-text-query.ts';
import { buildProbe, type SearchBody } from './search-body.ts';
import {
  type Ask,
  type OneOrMore,
  oneOrMore,
  readAsked,
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
 * @param split if `build` makes one request of a text, whose query leaves the filters out
 * @param after set for a page that begins behind it
 */
export async function chooseQuery(
  ask: Ask,
  searchQuery: SearchQuery,
  build: Build,
  { known: knownTerms, split = null, after }: { known: KnownTerms; split?: Split | null; after?: Position | null },
): Promise<ChosenQuery> {
  const { text, filters } = searchQuery;
  const unlisted = renderUnlisted(searchQuery);
  if (text === null) {
    const query = unlisted.length === 0 ? null : { ...renderText(null, []), exclusions: unlisted };
    const answers = oneOrMore(await ask(...build(query)));
    return { query, answers, total: readTotal(answers[0]), isCorrected: false, asked: [], counted: [] };
  }
  const { choose, excluded } = planningOf(searchQuery);
  const exclusions = excluded(text);
  const earlier = after?.counted ?? countedOf(text, choose);
  const chooseWith = async (ask: Ask, terms: IndexTerms | null): Promise<ChosenQuery> => {
    const render = terms === null ? renderCondition : rendererOf(terms);
    const runs = new PlanRuns(ask, (chosen) => {
      const plan = after === undefined || chosen === null ? chosen : takingAllNear(chosen);
      const rendered = renderText(plan, exclusions, render);
      const query = { ...rendered, exclusions: [...rendered.exclusions, ...unlisted] };
      const isNarrowed = query.exclusions.length > 0 || (filters.length > 0 && split === null);
      return { query, bodies: build(query), isNarrowed, answers: null };
    });
    const choosing = chooseKnowing(choose(text), earlier);
    let step = choosing.next();
    while (!step.done) step = choosing.next(await runs.count(step.value.likely, step.value.counts));
    const { chosen, counted } = step.value;
    if (text.parts.length > 0) lastCounted.set(text.parts, { choose, counted });
    const { plan, asTyped, asked: parts } = chosen;
    const answersOf = ({ answers }: SentRun) => (split === null ? answers : split(answers[0]));
    // Every other query also finds what the strict one finds.
    const [run, strict = null] = await runs.run(plan, ...(asTyped === null ? [] : [asTyped]));
    const answers = answersOf(run);
    const total = readTotal(answers[0]);
    const isCorrected = asTyped !== null && total > (strict === null ? 0 : readTotal(answersOf(strict)[0]));
    return { query: run.query, answers, total, isCorrected, asked: total === 0 ? [] : parts, counted };
  };
  // The index of contacts numbers its own changes.
  return searchQuery.rows === 'contacts'
    ? chooseWith(ask, await knownTerms.read())
    : knownTerms.tryWith(ask, chooseWith);
}

/** What was last counted for a text: a search of what is near beside results, and totals, choose for the same text again. */
const lastCounted = new WeakMap<readonly Part[], { choose: Choose; counted: readonly number[] }>();

type Choose = ReturnType<typeof planningOf>['choose'];

function countedOf({ parts }: Understanding, choose: Choose): readonly number[] | undefined {
  const last = lastCounted.get(parts);
  return last?.choose === choose ? last.counted : undefined;
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

type SentRun = Run & { answers: OneOrMore<SearchResponse> };

/** Runs plans of a text, each once, and counts with as few requests as possible: what the known terms say that nothing has is not asked. */
class PlanRuns {
  readonly #ask: Ask;
  readonly #prepare: (plan: PlannedQuery | null) => Run;
  readonly #runs = new Map<PlannedQuery | null, Run>();

  constructor(ask: Ask, prepare: (plan: PlannedQuery | null) => Run) {
    this.#ask = ask;
    this.#prepare = prepare;
  }

  /** Runs a plan, and of the others those that find something. */
  async run(plan: PlannedQuery | null, ...otherPlans: readonly PlannedQuery[]): Promise<[SentRun, ...SentRun[]]> {
    const further = otherPlans
      .map((otherPlan) => this.#runOf(otherPlan))
      .filter(({ query }) => query.match !== nothing);
    return oneOrMore((await this.#send([this.#runOf(plan), ...further])).runs);
  }

  /** Runs the likely plan. Its answer tells some of the counts; the others are probed in the same request. */
  async count(likely: PlannedQuery, counts: readonly Count[]): Promise<(count: Count) => number> {
    const run = this.#runOf(likely);
    const { match, render } = run.query;
    const open = counts.filter(({ condition }) => render(condition) !== nothing);
    if (open.length === 0) return () => 0;
    const readsRecords = (run.bodies[0].size ?? 0) > 0;
    // A plan that finds nothing, such as one with an unknown word in a phrase, is not sent.
    const tellsWithin = match !== nothing && !run.isNarrowed && (readsRecords || run.answers === null);
    const within = open.filter(({ condition, isWithin }) => tellsWithin && isWithin && condition !== likely.match);
    if (!readsRecords) run.bodies[0] = countingAsked(run.bodies[0], within, render);
    const isTotal = ({ condition }: Count) => !run.isNarrowed && condition === likely.match;
    const probed = open.filter((count) => !isTotal(count) && !within.includes(count));
    const { runs, numbers } = await this.#send(match === nothing ? [] : [run], probed, render);
    for (const count of open.filter(isTotal)) numbers.set(count, readTotal(oneOrMore(runs)[0].answers[0]));
    const counted = within.length > 0 && !readsRecords ? readAsked(runs[0]?.answers[0], within) : [];
    for (const [place, count] of within.entries()) {
      const number = counted[place] ?? countRead(oneOrMore(runs)[0].answers[0], count);
      numbers.set(count, number ?? (await this.#send([run], [count], render)).numbers.get(count) ?? 0);
    }
    return (count) => numbers.get(count) ?? 0;
  }

  #runOf(plan: PlannedQuery | null): Run {
    return cached(this.#runs, plan, () => this.#prepare(plan));
  }

  /** Sends runs, unless they were sent before, and probes in the same request. */
  async #send(runs: readonly Run[], probed: readonly Count[] = [], render: Render = renderCondition) {
    const unsent = runs.filter(({ answers }) => answers === null);
    const probes = probed.map((count) => buildProbe(render(count.condition), count));
    const bodies = [...unsent.flatMap(({ bodies }) => bodies), ...probes];
    const got = bodies.length === 0 ? [] : await this.#ask(...bodies);
    for (const run of unsent) run.answers = oneOrMore(got.splice(0, run.bodies.length));
    const numbers = new Map(got.map((answer, place) => [probed[place], readMinTotal(answer)]));
    return { runs: runs as readonly SentRun[], numbers };
  }
}

/** 1 if a record that was read meets a condition, 0 if none does; null if one that was not read may. The typed name's come first. */
function countRead(answer: SearchResponse, { condition }: Count): number | null {
  const isOfName = condition.is === 'name' && condition.edits === 0;
  const records = readRecords(answer).slice(0, isOfName ? 1 : undefined);
  if (records.some((record) => conditionsMetBy(record)(condition))) return 1;
  return isOfName || records.length === readTotal(answer) ? 0 : null;
}
