import { buildCondition, type RenderedQuery } from '../../src/backends/elasticsearch/build-query.ts';
import { facetFields } from '../../src/records/fields.ts';
import type { Filter } from '../../src/search/search-query.ts';
import template from './baselines/post-filter-facets.json' with { type: 'json' };

/** The committed baseline for disjunctive facets: one request, the selections in post_filter, an aggregation a facet. */
export function postFilterFacets(form: RenderedQuery | null, filters: readonly Filter[]): object {
  const [name = '', facet] = Object.entries(template.aggs)[0] ?? [];
  const aggs = facetFields.map(({ key }) => {
    const others = filters.filter((filter) => !('field' in filter && filter.field === key));
    return [
      key,
      fill(facet, { [name]: key, '{{every other selection}}': others.map((filter) => buildCondition(null, [filter])) }),
    ];
  });
  return {
    ...(fill(template, {
      '{{text}}': buildCondition(form, []),
      '{{every selection}}': filters.map((filter) => buildCondition(null, [filter])),
    }) as object),
    aggs: Object.fromEntries(aggs),
  };
}

/** The template with each placeholder replaced: whole values by their value, within texts as text. */
function fill(part: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (typeof part === 'string') {
    if (part in values) return values[part];
    return Object.entries(values).reduce(
      (text, [mark, value]) => (typeof value === 'string' ? text.replaceAll(mark, value) : text),
      part,
    );
  }
  if (Array.isArray(part)) return part.map((item) => fill(item, values));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, fill(value, values)]));
}
