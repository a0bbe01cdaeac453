import type { MediaRecord } from '#records/media-record.ts';
import { describe, describePlan, describeText } from '#search/describe-plan.ts';
import { explainChoice, partMetBy, tierOf } from '#search/explain-search.ts';
import { conditionsMetBy } from '#search/meets-condition.ts';
import { nearestName } from '#search/order-by-names.ts';
import { prominenceOf, prominencePoints } from '#search/prominence.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { firstPage, type Understanding } from '#search/search-query.ts';

/** The results among which --query looks for the record. */
const page = firstPage(100);
/** How many results before the record are shown. */
const shownBefore = 5;

/** A result, and what decides its place: its tier, then how near its name is (in tiers that compare names), then its prominence, then its id. */
interface RankedRecord {
  place: number;
  id: string;
  name: string;
  /** From 1; null if it meets no tier. */
  tier: number | null;
  /** How many edits from the text to its nearest name; null in tiers that compare no names, and where they are many. */
  edits: number | null;
  /** Its name or alias that is nearest to the text; null in tiers that compare no names, and where edits are many. */
  nearest_name: string | null;
  /** In the points of trials/relevance/README.md, and what it is made of. */
  prominence: number;
  points: Readonly<Record<string, number>>;
}

/** How a query was answered, and why a record stands where it stands. */
export interface ExplainedQuery {
  /** Its place among the results, from 1; null if it is not among the first hundred. */
  place: number | null;
  total: number;
  is_corrected: boolean;
  /** The words of each part of the query that some results lack. */
  dropped: string[];
  /** What was understood, a line for each part. */
  understood: string[];
  plan: string;
  why: string;
  /** What the plan finds, and its tiers, best first, a line each (describePlan); empty if only exclusions were typed. */
  tiers: string[];
  /** The tiers that have the record or a result that is printed with it. */
  shown_tiers: number[];
  /** The record itself, as the plan ranks it. */
  record: Omit<RankedRecord, 'place'>;
  /** What it meets of its tier; null if it is in none. */
  meets: string | null;
  /** The words of each part of the query that it lacks. */
  lacks: string[];
  /** The results directly before it. */
  before: RankedRecord[];
  /** The result directly behind it; null if there is none, or if it is itself no result. */
  behind: RankedRecord | null;
}

/** Searches media for a text, without filters, and says why a record stands where it stands. */
export async function explainQuery(
  index: SearchIndex,
  record: MediaRecord,
  text: Understanding,
): Promise<ExplainedQuery> {
  const { records: results, total, isCorrected, dropped } = await index.search({ text, filters: [] }, page, 'masked');
  const { name: planName, why, plan, asked: askedParts } = await explainChoice(index, text);
  const rank = (ranked: MediaRecord): Omit<RankedRecord, 'place'> => {
    const tier = plan === null ? null : tierOf(plan, ranked);
    const comparesNames = tier !== null && plan?.tiers[tier - 1]?.comparesNames === true;
    const nearest = comparesNames ? nearestName(text.nameKey, ranked) : null;
    const { edits = null, name = null } = nearest === null || nearest.areMany ? {} : nearest;
    const prominence = { prominence: prominenceOf(ranked) / 10, points: prominencePoints(ranked) };
    return { id: ranked.id, name: ranked.name, tier, edits, nearest_name: name, ...prominence };
  };
  const ranked = results.map((result, index) => ({ place: index + 1, ...rank(result) }));
  const place = results.findIndex(({ id }) => id === record.id) + 1;
  const rankOfIt = rank(record);
  const meetsIt = conditionsMetBy(record);
  const tier = plan?.tiers[(rankOfIt.tier ?? 0) - 1];
  const met = tier === undefined ? null : partMetBy(record, tier.condition);
  const before = ranked.slice(0, Math.max(0, place - 1));
  const behind = (place > 0 && ranked[place]) || null;
  const shownTiers = new Set(
    [rankOfIt, ...before, ...(behind === null ? [] : [behind])].flatMap(({ tier }) => tier ?? []),
  );
  return {
    place: place > 0 ? place : null,
    total,
    is_corrected: isCorrected,
    dropped: dropped.map((words) => words.join(' ')),
    understood: describeText(text),
    plan: planName,
    why,
    tiers: plan === null ? [] : describePlan(plan),
    shown_tiers: [...shownTiers].sort((a, b) => a - b),
    record: rankOfIt,
    meets: met && describe(met),
    lacks: askedParts.filter(({ condition }) => !meetsIt(condition)).map(({ words }) => words.join(' ')),
    before: before.slice(-shownBefore),
    behind,
  };
}

/** In UTF-16 code units. Only a condition that engines need is longer; --json has all of it. */
const maxLine = 500;

/** The lines that a person reads (docs/search.md). */
export function describeQuery({ place, total, is_corrected, ...explained }: ExplainedQuery): string {
  const { understood, plan, why, tiers, shown_tiers: numbers, record, before, behind, dropped } = explained;
  const { meets, lacks } = explained;
  // The first line is what the plan finds.
  const shownTiers = tiers.filter((_, place) => numbers.includes(place));
  const otherTiers = tiers.length - 1 - shownTiers.length;
  const lacking = dropped.length > 0 ? `, of which some lack ${dropped.join(', ')}` : ', after a typo was forgiven';
  const how = is_corrected ? lacking : '';
  const points = describePoints(record.points, (number) => number.toFixed(1));
  return [
    place === null
      ? `The query does not find it among its first ${Math.min(page.limit, total)} results.`
      : `The query finds it as result ${place} of ${total}${how}.`,
    ...(understood.length === 0 ? [] : ['Understood:', ...understood.map((line) => `- ${line}`)]),
    `The ${plan} plan answers it: ${why}.`,
    ...shownTiers.map((line) => (line.length > maxLine ? `${line.slice(0, maxLine)} [cut; --json has all]` : line)),
    ...(otherTiers === 0 ? [] : [`No result up to the next one is in the ${otherTiers} other tiers; --json has them.`]),
    record.tier === null
      ? 'This record is in no tier.'
      : `This record is in tier ${describeRank(record)} (${points || 'no points'}).`,
    ...(meets === null ? [] : [`It meets of this tier: ${meets}`]),
    ...(lacks.length === 0 ? [] : [`It lacks: ${lacks.join(', ')}`]),
    ...[...before, ...(behind === null ? [] : [behind])].map(
      (neighbor) =>
        `${neighbor.place}. ${neighbor.id} ${neighbor.name}: tier ${describeRank(neighbor)}${describeDifference(neighbor, record)}`,
    ),
  ].join('\n');
}

function describeRank({ name, tier, edits, nearest_name, prominence }: Omit<RankedRecord, 'place'>): string {
  const alias = nearest_name === name ? 'its name' : `its alias "${nearest_name}"`;
  const nearness = edits === null ? '' : `, ${edits} ${edits === 1 ? 'edit' : 'edits'} to ${alias}`;
  return `${tier ?? 'none'}${nearness}, prominence ${prominence.toFixed(1)}`;
}

/** What a result in the same tier has more or less than the record, in points; if both have as many, the id decides. */
function describeDifference(other: RankedRecord, record: Omit<RankedRecord, 'place'>): string {
  if (other.tier !== record.tier || other.edits !== record.edits) return '';
  const names = Object.keys({ ...record.points, ...other.points });
  const more = names.map((name) => [name, (other.points[name] ?? 0) - (record.points[name] ?? 0)]);
  const signed = (number: number) => `${number < 0 ? '' : '+'}${number.toFixed(1)}`;
  const differences = describePoints(Object.fromEntries(more), signed);
  const byId = other.prominence === record.prominence ? `${other.id < record.id ? 'smaller' : 'greater'} id` : '';
  return ` (${[differences, byId].filter((difference) => difference !== '').join('; ')})`;
}

function describePoints(points: Readonly<Record<string, number>>, write: (number: number) => string): string {
  const isSome = (number: number) => Math.abs(number) >= 0.05;
  return Object.entries(points)
    .filter(([, number]) => isSome(number))
    .map(([name, number]) => `${name} ${write(number)}`)
    .join(', ');
}
