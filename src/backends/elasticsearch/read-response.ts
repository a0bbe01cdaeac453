import type { estypes } from '@elastic/elasticsearch';
import type { FacetField } from '#records/fields.ts';
import { showMasked } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { type CountedFacet, countFacet, isOpenFacet } from '#search/facet-groups.ts';
import { orderByNames } from '#search/order-equals.ts';
import type { PlannedQuery } from '#search/plan-query.ts';
import type { NearRecord } from '#search/search-index.ts';
import type { Page } from '#search/search-query.ts';
import { comparedPage } from './build-query.ts';
import { UnusableAnswer } from './elasticsearch-faults.ts';
import type { IndexDocument } from './index-document.ts';
import { tierOfScore } from './render-text-query.ts';

/** The stored fields that a search returns: without the address if the caller may not see it. */
export type AnsweredDocument = Pick<IndexDocument, 'record'> & Partial<Pick<IndexDocument, 'email' | 'email_source'>>;

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

export function readRecords({ hits }: Pick<SearchResponse, 'hits'>): MediaRecord[] {
  return hits.hits.map(({ _source }) => {
    if (_source === undefined) throw new UnusableAnswer('a hit has no record');
    return readDocument(_source);
  });
}

/** The records nearest in meaning. */
export function readNear({ hits }: Pick<SearchResponse, 'hits'>): NearRecord[] {
  return hits.hits.map(({ _source, _score }) => {
    if (_source === undefined || typeof _score !== 'number') throw new UnusableAnswer('a hit has no record or score');
    // The score of a cosine is from 0 to 1.
    return { id: _source.record.id, likeness: 2 * _score - 1 };
  });
}

/** The records of a page, in their final order: the answer may begin before the page (see comparedPage). */
export function readPage(answer: SearchResponse, planned: PlannedQuery | null, page: Page): MediaRecord[] {
  const records = readRecords(answer);
  const read = planned === null || page.sort.key !== 'relevance' ? page : comparedPage(planned, page);
  if (planned === null || read === page) return records;
  const rows = records.map((record, place) => ({
    record,
    tier: tierOfScore(planned, answer.hits.hits[place]?._score ?? 0),
  }));
  const ordered = orderByNames(planned, rows, ({ record }) => record);
  return ordered.map(({ record }) => record).slice(page.offset, page.offset + page.limit);
}

/** The record of a document; masked if it was read without its address. */
function readDocument({ record, email, email_source }: AnsweredDocument): MediaRecord {
  return email === undefined || email_source === undefined ? showMasked(record) : { ...record, email, email_source };
}

/** The counts of the steps of the audience, in their order. */
export function readAudiences(answered: SearchResponse | undefined): number[] {
  const answer = answered?.aggregations?.audiences as estypes.AggregationsRangeAggregate | undefined;
  if (!Array.isArray(answer?.buckets)) throw new UnusableAnswer('the histogram is missing');
  return answer.buckets.map(({ doc_count }) => doc_count);
}

/** The counts of these facets, largest first, then by value. */
export function readFacets(answer: SearchResponse | undefined, fields: readonly FacetField[]): CountedFacet[] {
  const aggregations = answer?.aggregations;
  return fields.map((field) => {
    const facet = aggregations?.[field] as estypes.AggregationsStringTermsAggregate | undefined;
    if (!Array.isArray(facet?.buckets) || (facet.sum_other_doc_count !== 0 && !isOpenFacet(field))) {
      throw new UnusableAnswer(`the facet ${field} is incomplete`);
    }
    const values = facet.buckets.map(({ key, doc_count }) => ({ value: String(key), count: doc_count }));
    const distinct = aggregations?.[`${field}_values`] as estypes.AggregationsCardinalityAggregate | undefined;
    return countFacet(field, values, facet.sum_other_doc_count === 0 ? undefined : distinct?.value);
  });
}
