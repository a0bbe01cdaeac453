import { defaultToOutlets, rightToExport } from '#domain/outbound/export-kinds.ts';
import { outboundPart } from '#domain/outbound/outbound-lead.ts';
import { type PlanDefinition, requireRight } from '#domain/plans/plans.ts';
import type { StoredKey } from '#domain/plans/stored-key.ts';
import { Problem } from '#domain/problem.ts';
import type { SearchQuery } from '#domain/search/search-query.ts';
import type { ExportFormat } from '#ports/export-format.ts';
import type { RecordScan, SearchIndex } from '#ports/search-index.ts';
import { filterSuppressed, type LateSuppressions } from './late-suppressions.ts';

export interface ExportDeps {
  plans: readonly PlanDefinition[];
  index: Pick<SearchIndex, 'scan'>;
  suppressions: LateSuppressions;
}

export interface ExportRequest {
  query: SearchQuery;
  format: ExportFormat;
}

/**
 * Starts an export: a scan of the records that the query finds, outlets if it names no kind; for a format that needs
 * addresses only those that outbound tools may get. What is suppressed while it runs is left out from then on. The caller
 * closes it.
 *
 * Throws Problem `plan_expired`, or `plan_required` if the plan does not include this export; `too_many_rows` if they are
 * more than the format can hold.
 */
export async function exportRecords(
  { plans, index, suppressions }: ExportDeps,
  { query, format }: ExportRequest,
  key: StoredKey,
  now: Date,
): Promise<RecordScan> {
  requireRight(plans, key.plan, rightToExport(query, format.right), now);
  const asked = defaultToOutlets(query);
  const scan = await index.scan(format.needsAddress ? outboundPart(asked) : asked);
  const { name, maxRecords = Number.POSITIVE_INFINITY } = format;
  if (scan.total > maxRecords) {
    await scan.close();
    const limit = maxRecords.toLocaleString('en');
    throw new Problem(
      'too_many_rows',
      `These are ${scan.total.toLocaleString('en')} records, and ${name} holds at most ${limit}. Narrow the filters, or use csv or ndjson.`,
    );
  }
  return filterSuppressed(scan, suppressions, now);
}
