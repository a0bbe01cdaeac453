import type { ExportFormat } from '#domain/outbound/export-format.ts';
import { outboundPart } from '#domain/outbound/outbound-lead.ts';
import { isActive, type Tier } from '#domain/plans/plan.ts';
import type { StoredKey } from '#domain/plans/stored-key.ts';
import { Problem } from '#domain/problem.ts';
import type { Filter, SearchQuery, ValueFilter } from '#domain/search/search-query.ts';
import type { RecordScan, SearchIndex } from '#ports/search-index.ts';
import { filterSuppressed, type LateSuppressions } from './late-suppressions.ts';

export interface ExportDeps {
  index: Pick<SearchIndex, 'scan'>;
  suppressions: LateSuppressions;
}

export interface ExportRequest {
  query: SearchQuery;
  format: ExportFormat;
}

const outletsOnly: ValueFilter = { field: 'kind', any: ['outlet'], none: [] };

/**
 * Starts an export: a scan of the records that the query finds, outlets if it names no kind; for an outbound format
 * only those that the tool may get. What is suppressed while it runs is left out from then on. The caller closes it.
 *
 * Throws Problem `plan_expired`, or `plan_required` if the plan does not include this export.
 */
export async function exportRecords(
  { index, suppressions }: ExportDeps,
  { query, format }: ExportRequest,
  key: StoredKey,
  now: Date,
): Promise<RecordScan> {
  requirePlan(key, planFor(query, format), now);
  const asked = chooseKind(query);
  const scan = await index.scan(format === 'csv' ? asked : outboundPart(asked));
  return filterSuppressed(scan, suppressions, now);
}

/** The query, for outlets if it names no kind. */
export function chooseKind(query: SearchQuery): SearchQuery {
  return query.filters.some(isKindFilter) ? query : { ...query, filters: [...query.filters, outletsOnly] };
}

/** Throws Problem `plan_expired`, or `plan_required` if the key's plan is below the tier. */
export function requirePlan({ plan }: StoredKey, tier: Tier, now: Date): void {
  if (!isActive(plan, now)) {
    throw new Problem('plan_expired', `Your plan ended at ${plan.expiresAt}. Buy a new one to continue.`, {
      required_plan: tier,
    });
  }
  if (tier === 'premium' && plan.tier !== 'premium') {
    throw new Problem(
      'plan_required',
      'This needs a Premium plan. A Pro plan exports outlets as csv: use kind=outlet or none, and format=csv or none.',
      { required_plan: tier },
    );
  }
}

function planFor({ filters }: SearchQuery, format: ExportFormat): Tier {
  const isOfOutlets = filters
    .filter(isKindFilter)
    .every(({ any, none }) => any.length === 1 && any[0] === 'outlet' && none.length === 0);
  return format === 'csv' && isOfOutlets ? 'pro' : 'premium';
}

function isKindFilter(filter: Filter): filter is ValueFilter {
  return 'field' in filter && filter.field === 'kind' && filter.any.length + filter.none.length > 0;
}
