import { describe, expect, it } from 'vitest';
import { UnusableAnswer } from '#backends/elasticsearch/elasticsearch-faults.ts';
import { readFacets, readTotal, type SearchResponse } from '#backends/elasticsearch/search-requests.ts';

/** The parts of an Elasticsearch response that are read. */
function answer(parts: Partial<SearchResponse>): SearchResponse {
  return { took: 1, timed_out: false, _shards: { total: 1, successful: 1, failed: 0 }, hits: { hits: [] }, ...parts };
}

describe('reading a response of Elasticsearch', () => {
  it('rejects a total that is only a lower bound', () => {
    const totalOf = (relation: 'eq' | 'gte') =>
      readTotal(answer({ hits: { hits: [], total: { value: 10_000, relation } } }));
    expect(totalOf('eq')).toBe(10_000);
    expect(() => totalOf('gte')).toThrow(UnusableAnswer);
    expect(() => readTotal(answer({}))).toThrow(UnusableAnswer);
  });

  it('rejects a facet that omits values', async () => {
    const facetWith = (sum_other_doc_count: number) =>
      readFacets(
        answer({ aggregations: { kind: { buckets: [{ key: 'outlet', doc_count: 3 }], sum_other_doc_count } } }),
        ['kind'],
        async () => undefined,
      );
    expect(await facetWith(0)).toEqual([{ field: 'kind', values: [{ value: 'outlet', count: 3 }], more: 0 }]);
    await expect(facetWith(1)).rejects.toThrow(UnusableAnswer);
  });
});
