import { hash } from 'node:crypto';
import type { Client, estypes } from '@elastic/elasticsearch';
import type { FacetField } from '#records/fields.ts';
import { joinSecret, type RecordSecret, showMasked } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { completeRecord, type LeanRecord } from '#records/stored-record.ts';
import { conditionsMetBy } from '#search/conditions/meets-condition.ts';
import { type CountedFacet, countFacet, isOpenFacet } from '#search/facet-groups.ts';
import { dimensions, unit } from '#search/meaning/embed.ts';
import type { AskedPart } from '#search/plans/asked-parts.ts';
import { orderByNames } from '#search/plans/order-by-names.ts';
import type { PlannedQuery } from '#search/plans/plan-query.ts';
import type { NearRecord, SearchResult } from '#search/search-index.ts';
import type { OrderValue, Page, Position } from '#search/search-query.ts';
import { pageOf } from '#search/walk.ts';
import { perObject } from '#text/memoize.ts';
import { groupName } from './build-counts.ts';
import { comparedPage } from './build-pages.ts';
import type { Cluster } from './connect-elasticsearch.ts';
import { isFaultOfNode, partFault, runOnElasticsearch, UnusableAnswer } from './elasticsearch-faults.ts';
import { tierOfScore } from './render-text-query.ts';
import type { SearchBody } from './search-body.ts';

/** How often a request is sent to another node if one does not answer. The tries share the time that the caller waits. */
const maxRepeats = 2;
/** How long Elasticsearch takes to notice a node that hangs, in milliseconds. Until then, it keeps sending requests there. */
const unnoticedMs = 40_000;

export type OneOrMore<Item> = [Item, ...Item[]];

/** Sends several bodies in one request. Answers are complete, and all arrive within two seconds. */
export type Ask = (...bodies: SearchBody[]) => Promise<SearchResponse[]>;

/**
 * Runs `work`, which sends requests with the function that it gets. Requests with the same `key` go to the same copy of the
 * index, because copies count words differently and pages of one query must fit together. If a node does not answer in its
 * share of the time, the request goes to another node. A copy behind that node may hang as well, so for a while
 * Elasticsearch chooses the copies itself and prefers the fastest (decisions/0063).
 *
 * Throws Problem `search_unavailable` if the engine cannot answer completely.
 */
export async function withSearchRequests<Answer>(
  cluster: Cluster,
  index: string,
  key: unknown,
  work: (ask: Ask) => Promise<Answer>,
): Promise<Answer> {
  const endsAt = performance.now() + cluster.timeoutMs;
  const leftMs = () => Math.max(1, endsAt - performance.now());
  // Hexadecimal, because Elasticsearch gives a leading _ a meaning.
  const keyHash = hash('sha1', JSON.stringify(key));
  let repeats = maxRepeats;
  const ask: Ask = async (...bodies) => {
    for (;;) {
      const preference = performance.now() < cluster.unsureUntil ? undefined : keyHash;
      const timeoutMs = leftMs() / (cluster.hasOthers ? repeats + 1 : 1);
      try {
        return await send(cluster.client, { index, preference, bodies, timeoutMs });
      } catch (error) {
        if (repeats === 0 || !isFaultOfNode(error) || performance.now() > endsAt) throw error;
        repeats -= 1;
        cluster.unsureUntil = performance.now() + unnoticedMs;
      }
    }
  };
  return runOnElasticsearch(() => work(ask));
}

interface Request {
  index: string;
  preference: string | undefined;
  bodies: readonly SearchBody[];
  timeoutMs: number;
}

async function send(client: Client, { index, preference, bodies, timeoutMs }: Request): Promise<SearchResponse[]> {
  const options = { requestTimeout: timeoutMs, maxRetries: 0 };
  const target = { index, ...(preference && { preference }), allow_partial_search_results: false };
  const [body] = bodies;
  if (body !== undefined && bodies.length === 1) {
    const answer = await client.search<AnsweredDocument>({ ...target, ...body }, options);
    return [requireWhole(answer)];
  }
  const searches = bodies.flatMap((body) => [target, body]) as estypes.MsearchRequestItem[];
  const { responses } = await client.msearch<AnsweredDocument>({ searches }, options);
  return responses.map((answer) => {
    if (!('error' in answer)) return requireWhole(answer);
    throw partFault(answer.status ?? 500, answer.error.type ?? 'without a type');
  });
}

/** The stored fields that a search returns: without the secret if the caller may not see it. */
export interface AnsweredDocument {
  record: LeanRecord;
  secret?: RecordSecret | null;
}

export type SearchResponse = estypes.SearchResponse<AnsweredDocument>;

/** @throws UnusableAnswer if the engine stopped early, or some shards did not answer. */
export function requireWhole<Answer extends Pick<SearchResponse, 'timed_out' | '_shards'>>(answer: Answer): Answer {
  const { timed_out, _shards: shards } = answer;
  if (timed_out) throw new UnusableAnswer('the search timed out');
  if (shards.failed > 0 || shards.successful < shards.total) {
    const message = `${shards.total - shards.successful} of ${shards.total} shards did not answer`;
    throw new UnusableAnswer(message, { isFaultOfNode: true });
  }
  return answer;
}

export function oneOrMore<Item>([first, ...more]: readonly Item[]): OneOrMore<Item> {
  if (first === undefined) throw new UnusableAnswer('an answer is missing');
  return [first, ...more];
}

/** The exact total. */
export function readTotal(answer: SearchResponse): number {
  const { total } = answer.hits;
  const isExact = typeof total === 'number' || total?.relation === 'eq';
  if (!isExact) throw new UnusableAnswer('the total is missing or only a lower bound');
  return readMinTotal(answer);
}

/** The total, or a lower bound of it; 0 if it was not asked for. */
export function readMinTotal({ hits: { total = 0 } }: SearchResponse): number {
  return typeof total === 'number' ? total : total.value;
}

/** The records of an answer. The same objects each time, so that conditionsMetBy remembers what it found for them. */
export const readRecords = perObject(({ hits }: Pick<SearchResponse, 'hits'>): MediaRecord[] =>
  hits.hits.map(({ _source }) => {
    if (_source === undefined) throw new UnusableAnswer('a hit has no record');
    return readDocument(_source);
  }),
);

export function readNear({ hits }: Pick<SearchResponse, 'hits'>): NearRecord[] {
  return hits.hits.map(({ fields, _score }) => {
    const id: unknown = fields?.['order.id']?.[0];
    if (typeof id !== 'string' || typeof _score !== 'number') throw new UnusableAnswer('a hit has no id or score');
    // Elasticsearch's score of bytes: 0.5 + dot product / (32,768 × dimensions).
    return { id, likeness: ((_score - 0.5) * 32_768 * dimensions) / unit ** 2 };
  });
}

/** The hits of a page with `after`, and where the next one begins. */
export function readWalked({ hits }: SearchResponse, { limit }: Page, counted: Position['counted']) {
  const { rows, next } = pageOf(hits.hits, limit, ({ sort = [] }) => ({ counted, values: sort as OrderValue[] }));
  return { rows: { hits: { ...hits, hits: [...rows] } }, next };
}

/** The records of a page in their final order. The answer may have rows before the page, too (see comparedPage). */
export function readPage(answer: SearchResponse, planned: PlannedQuery | null, page: Page): MediaRecord[] {
  const records = readRecords(answer);
  const answeredPage = planned === null || page.sort.key !== 'relevance' ? page : comparedPage(planned, page);
  if (planned === null || answeredPage === page) return records;
  const tiers = answer.hits.hits.map(({ _score }) => tierOfScore(planned, _score ?? 0));
  return orderPage(records, tiers, planned, page);
}

/** The records of a page if the answer has everything that the query finds, ordered by prominence. */
export function rankFew(answer: SearchResponse, planned: PlannedQuery, page: Page): MediaRecord[] {
  const records = readRecords(answer);
  if (records.length < 2) return records.slice(page.offset);
  const tiers = records.map((record) => {
    const meets = conditionsMetBy(record);
    const tier = planned.tiers.findIndex(({ condition }) => meets(condition));
    return tier === -1 ? planned.tiers.length - 1 : tier;
  });
  return orderPage(records, tiers, planned, page);
}

function orderPage(records: readonly MediaRecord[], tiers: readonly number[], planned: PlannedQuery, page: Page) {
  const rows = records.map((record, place) => ({ record, tier: tiers[place] ?? 0 }));
  const ordered = orderByNames(
    planned,
    rows.toSorted((a, b) => a.tier - b.tier),
    ({ record }) => record,
  );
  return ordered.map(({ record }) => record).slice(page.offset, page.offset + page.limit);
}

/** The record of a document; masked if it was read without its secret. */
function readDocument({ record, secret }: AnsweredDocument): MediaRecord {
  const complete = completeRecord(record);
  return secret === undefined ? showMasked(complete) : joinSecret(complete, secret);
}

export function readAudiences(answered: SearchResponse | undefined): number[] {
  const answer = answered?.aggregations?.audiences as estypes.AggregationsRangeAggregate | undefined;
  if (!Array.isArray(answer?.buckets)) throw new UnusableAnswer('the histogram is missing');
  return answer.buckets.map(({ doc_count }) => doc_count);
}

/** The words of each part of a text that not all of the found records have. */
export function readDropped(
  answered: SearchResponse | undefined,
  parts: readonly AskedPart[],
  total: number,
): SearchResult['dropped'] {
  const counts = parts.length === 0 ? [] : readAsked(answered, parts);
  return parts.filter((_, place) => counts[place] !== total).map(({ words }) => words);
}

/** How many of the found records meet each condition: the answer to countingAsked. */
export function readAsked(answered: SearchResponse | undefined, parts: readonly unknown[]): number[] {
  const answer = answered?.aggregations?.asked as estypes.AggregationsFiltersAggregate | undefined;
  const { buckets } = answer ?? {};
  if (!Array.isArray(buckets) || buckets.length !== parts.length) throw new UnusableAnswer('counts are missing');
  return buckets.map(({ doc_count }) => doc_count);
}

/** The same, of an answer that has all found records. */
export function droppedOfFew(answer: SearchResponse, parts: readonly AskedPart[]): SearchResult['dropped'] {
  const meeting = parts.length === 0 ? [] : readRecords(answer).map(conditionsMetBy);
  return parts.filter(({ condition }) => !meeting.every((meets) => meets(condition))).map(({ words }) => words);
}

/** The answers of buildGroups for each group, as if it had been asked for alone. */
export function splitGroups(answer: SearchResponse): OneOrMore<SearchResponse> {
  const { asked: _, ...groups } = answer.aggregations ?? {};
  const answers = Object.keys(groups).map((_, place) => {
    const group = groups[groupName(place)] as estypes.AggregationsFilterAggregate | undefined;
    if (typeof group?.doc_count !== 'number') throw new UnusableAnswer('a group of facets is missing');
    const { doc_count: total, ...aggregations } = group;
    return { ...answer, hits: { hits: [], total }, aggregations } as SearchResponse;
  });
  return oneOrMore(answers);
}

/** Values, or for a facet of contacts those in contacts, with the number of their media. */
interface AggregatedTerms {
  buckets?: { key: unknown; doc_count: number; media?: { doc_count: number } }[];
  sum_other_doc_count?: number;
}

function ofContacts(aggregation: unknown): unknown {
  const { passing } = Object(aggregation) as { passing?: { values: unknown } };
  return passing?.values ?? aggregation;
}

/** The counts of these facets, largest first, then by value. Calls `countDistinct` for facets whose values are cut off. */
export async function readFacets(
  answer: SearchResponse | undefined,
  fields: readonly FacetField[],
  countDistinct: (fields: FacetField[]) => Promise<SearchResponse | undefined>,
): Promise<CountedFacet[]> {
  const facets = fields.map((field) => {
    const facet = ofContacts(answer?.aggregations?.[field]) as AggregatedTerms | undefined;
    if (!Array.isArray(facet?.buckets) || (facet.sum_other_doc_count !== 0 && !isOpenFacet(field))) {
      throw new UnusableAnswer(`the facet ${field} is incomplete`);
    }
    const values = facet.buckets.map(({ key, doc_count, media }) => ({
      value: String(key),
      count: media?.doc_count ?? doc_count,
    }));
    return { field, values, isCut: facet.sum_other_doc_count !== 0 };
  });
  const cut = facets.filter(({ isCut }) => isCut).map(({ field }) => field);
  const distinct = cut.length === 0 ? undefined : await countDistinct(cut);
  return facets.map(({ field, values }) => {
    const cardinality = ofContacts(distinct?.aggregations?.[field]) as
      | estypes.AggregationsCardinalityAggregate
      | undefined;
    return countFacet(field, values, cardinality?.value);
  });
}
