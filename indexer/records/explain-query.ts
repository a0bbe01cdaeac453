import type { MediaRecord } from '#records/media-record.ts';
import { allOf, anyOf, type Condition, tiersByProminence } from '#search/conditions/conditions.ts';
import { evidenceOf, unsaid } from '#search/conditions/evidence.ts';
import { conditionsMetBy } from '#search/conditions/meets-condition.ts';
import { prominenceOf, prominencePoints } from '#search/indexed/prominence.ts';
import type { AskedPart } from '#search/plans/asked-parts.ts';
import type { ChosenPlan, Count } from '#search/plans/choice.ts';
import { besideText, conjunctsOf, describe, describePlan, describeText } from '#search/plans/describe-plan.ts';
import { nearestName } from '#search/plans/order-by-names.ts';
import type { PlannedQuery } from '#search/plans/plan-query.ts';
import { planningOf } from '#search/plans/planning.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { firstPage, type Understanding } from '#search/search-query.ts';

/** The results among which --query looks for the record. */
const page = firstPage(100);
/** How many results before the record are shown. */
const shownBefore = 5;

/** How a query was answered, and why a record stands where it stands. */
export type ExplainedQuery = Awaited<ReturnType<typeof explainQuery>>;
type Ranked = ExplainedQuery['record'];
type RankedResult = ExplainedQuery['before'][number];

/** Searches media for a text, without filters, and says why a record stands where it stands. */
export async function explainQuery(index: SearchIndex, record: MediaRecord, text: Understanding) {
  const { records: results, total, isCorrected, dropped } = await index.search({ text, filters: [] }, page, 'masked');
  const chosen = await explainChoice(index, text);
  const { name: planName, why, plan, asked: askedParts } = chosen;
  const wordsOf = (parts: readonly AskedPart[]) => parts.map(({ words }) => words.join(' '));
  const ofNone = wordsOf(await partsOfNone(index, chosen));
  const metBy = (ranked: MediaRecord, tier: number | null) => {
    const condition = plan?.tiers[(tier ?? 0) - 1]?.condition;
    return condition === undefined ? null : partMetBy(ranked, condition);
  };
  /** What decides the place of a record: its tier, then how near its name is (in tiers that compare names), then its prominence, then its id. */
  const rank = (ranked: MediaRecord) => {
    const tier = plan === null ? null : tierOf(plan, ranked);
    const comparesNames = tier !== null && plan?.tiers[tier - 1]?.comparesNames === true;
    const nearest = comparesNames ? nearestName(text.nameKey, ranked) : null;
    const areMany = nearest?.areMany === true;
    const { edits = null, name = null } = nearest === null || areMany ? {} : nearest;
    const met = metBy(ranked, tier);
    const meets = conditionsMetBy(ranked);
    return {
      id: ranked.id,
      name: ranked.name,
      /** From 1; null if it meets no tier. */
      tier,
      /** How many edits from the text to its nearest name; null in tiers that compare no names, and where they are many. */
      edits,
      /** Its name or alias that is nearest to the text; null in tiers that compare no names, and where edits are many. */
      nearest_name: name,
      /** Whether its tier compares names, and these need many edits: all such are alike. */
      are_edits_many: areMany,
      /** In the points of trials/relevance/README.md, and what it is made of. */
      prominence: prominenceOf(ranked) / 10,
      points: prominencePoints(ranked),
      /** By which of its fields it meets its tier. */
      evidence: met === null ? [] : evidenceOf(ranked, met).filter((field) => field !== unsaid),
      /** The words of each part of the query that it lacks. */
      lacks: wordsOf(askedParts.filter(({ condition }) => !meets(condition))),
    };
  };
  const ranked = results.map((result, index) => ({ place: index + 1, ...rank(result) }));
  const place = results.findIndex(({ id }) => id === record.id) + 1;
  const rankOfIt = rank(record);
  const met = metBy(record, rankOfIt.tier);
  const before = ranked.slice(0, Math.max(0, place - 1));
  const behind = (place > 0 && ranked[place]) || null;
  const shownTiers = new Set(
    [rankOfIt, ...before, ...(behind === null ? [] : [behind])].flatMap(({ tier }) => tier ?? []),
  );
  return {
    /** Its place among the results, from 1; null if it is not among the first hundred. */
    place: place > 0 ? place : null,
    total,
    is_corrected: isCorrected,
    /** The words of each part of the query that some results lack. */
    dropped: dropped.map((words) => words.join(' ')),
    /** Those of them that all results lack. */
    dropped_by_all: dropped.map((words) => words.join(' ')).filter((words) => ofNone.includes(words)),
    /** What was understood, a line for each part. */
    understood: describeText(text),
    plan: planName,
    /** A line for each plan that was tried. */
    why,
    /** What the plan finds, and its tiers, best first, a line each (describePlan); empty if only exclusions were typed. */
    tiers: plan === null ? [] : describePlan(plan, text),
    /** The tiers that have the record or a result that is printed with it. */
    shown_tiers: [...shownTiers].sort((a, b) => a - b),
    /** The record itself, as the plan ranks it. */
    record: rankOfIt,
    /** What it meets of its tier, one by one, each with the fields that meet it. */
    meets: met === null ? [] : describeMet(record, met, text),
    /** The results directly before it. */
    before: before.slice(-shownBefore),
    /** The result directly behind it; null if there is none, or if it is itself no result. */
    behind,
  };
}

/** What a record meets, one by one, with the fields that meet it: `city.gb.ashford: its city Ashford`. */
function describeMet(record: MediaRecord, met: Condition, text: Understanding): string[] {
  const lines = conjunctsOf(met).map(
    (condition) => `${describe(condition, besideText(text))}: ${evidenceOf(record, condition).join(', ')}`,
  );
  return [...new Set(lines)];
}

/** In UTF-16 code units. Only a condition that engines need is longer; --json has all of it. */
const maxLine = 500;

/** The lines that a person reads (docs/search.md). */
export function describeQuery({ place, total, is_corrected, ...explained }: ExplainedQuery): string {
  const { understood, why, tiers, shown_tiers: numbers, record, meets, before, behind } = explained;
  // The first line is what the plan finds.
  const shownTiers = tiers.filter((_, index) => numbers.includes(index));
  const otherTiers = tiers.length - 1 - shownTiers.length;
  const points = describePoints(record.points, (number) => number.toFixed(1));
  const neighbors = [...before, ...(behind === null ? [] : [behind])];
  return [
    place === null
      ? `The query does not find it among its first ${Math.min(page.limit, total)} results.`
      : `The query finds it as result ${place} of ${total}${is_corrected ? describeLacking(explained) : ''}.`,
    ...list('Understood:', understood),
    ...list('Plans, in the order tried:', why),
    ...(tiers.length === 0
      ? []
      : [`Tiers with results up to the next one (${otherTiers} others have none; --json has them):`]),
    ...shownTiers.map((line) => (line.length > maxLine ? `${line.slice(0, maxLine)} [cut; --json has all]` : line)),
    record.tier === null
      ? 'This record is in no tier.'
      : `This record is in tier ${describeRank(record)} (${points || 'no points'}).`,
    ...list('It meets of this tier:', meets),
    ...(neighbors.length === 0 ? [] : ['Beside it, with the points in which each differs:']),
    ...neighbors.map((neighbor) => describeNeighbor(neighbor, record)),
  ].join('\n');
}

/** Lines below a heading; nothing if there are none. */
const list = (heading: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [heading, ...lines.map((line) => `- ${line}`)];

/** `, of which all lack radio; some lack berlin` */
function describeLacking({
  dropped,
  dropped_by_all: ofAll,
}: Pick<ExplainedQuery, 'dropped' | 'dropped_by_all'>): string {
  if (dropped.length === 0) return ', by a corrected plan';
  const ofSome = dropped.filter((words) => !ofAll.includes(words));
  const groups = [['all lack', ofAll] as const, ['some lack', ofSome] as const].filter(([, words]) => words.length > 0);
  return `, of which ${groups.map(([who, words]) => `${who} ${words.join(', ')}`).join('; ')}`;
}

function describeRank({ name, tier, edits, nearest_name, ...ranked }: Ranked): string {
  const { are_edits_many, prominence, lacks } = ranked;
  const alias = nearest_name === name ? 'its name' : `its alias "${nearest_name}"`;
  const few = edits === null ? '' : `, ${edits} ${edits === 1 ? 'edit' : 'edits'} to ${alias}`;
  const nearness = are_edits_many ? ', many edits to its names' : few;
  const lacking = lacks.length === 0 ? '' : `, lacks ${lacks.join(', ')}`;
  return `${tier ?? 'none'}${lacking}${nearness}, prominence ${prominence.toFixed(1)}`;
}

/** A result beside the record, with what decides between the two: by what it meets its tier, or its points. */
function describeNeighbor(neighbor: RankedResult, record: Ranked): string {
  const isInTier = neighbor.tier === record.tier;
  const isAlike = isInTier && neighbor.lacks.join() === record.lacks.join();
  const met = isAlike || neighbor.evidence.length === 0 ? [] : [`by ${neighbor.evidence.join(', ')}`];
  const reasons = [...met, ...(isInTier ? describeDifference(neighbor, record) : [])];
  return `${neighbor.place}. ${neighbor.id} ${neighbor.name}: tier ${describeRank(neighbor)}${reasons.length === 0 ? '' : ` (${reasons.join('; ')})`}`;
}

/** What a result in the same tier has more or less than the record, in points; if both have as many, the id decides. */
function describeDifference(other: RankedResult, record: Ranked): string[] {
  if (other.edits !== record.edits) return [];
  const names = Object.keys({ ...record.points, ...other.points });
  const more = names.map((name) => [name, (other.points[name] ?? 0) - (record.points[name] ?? 0)]);
  const signed = (number: number) => `${number < 0 ? '' : '+'}${number.toFixed(1)}`;
  const differences = describePoints(Object.fromEntries(more), signed);
  const byId = other.prominence === record.prominence ? `${other.id < record.id ? 'smaller' : 'greater'} id` : '';
  return [differences, byId].filter((difference) => difference !== '');
}

function describePoints(points: Readonly<Record<string, number>>, write: (number: number) => string): string {
  const isSome = (number: number) => Math.abs(number) >= 0.05;
  return Object.entries(points)
    .filter(([, number]) => isSome(number))
    .map(([name, number]) => `${name} ${write(number)}`)
    .join(', ');
}

/** Chooses the plan of a text as a search of media without filters does, with counts of the index. */
async function explainChoice(index: Pick<SearchIndex, 'findFirst'>, text: Understanding): Promise<ChosenPlan> {
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
async function partsOfNone(
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
function partMetBy(record: MediaRecord, condition: Condition): Condition | null {
  const meets = conditionsMetBy(record);
  const cut = (part: Condition): Condition => {
    if (!('of' in part)) return part;
    const met = part.of.filter(meets).map(cut);
    return part.is === 'any' ? anyOf(met) : allOf(met);
  };
  return meets(condition) ? cut(condition) : null;
}

/** The first tier of a plan that a record meets, from 1; null if it meets none. */
function tierOf({ tiers }: Pick<PlannedQuery, 'tiers'>, record: MediaRecord): number | null {
  const meets = conditionsMetBy(record);
  const place = tiers.findIndex(({ condition }) => meets(condition));
  return place < 0 ? null : place + 1;
}
