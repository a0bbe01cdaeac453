import { describeFault } from '#http/parse/faults.ts';
import { filterSchema, toSearchQuery } from '#http/parse/query-parameters.ts';
import { readParameters } from '#http/parse/read-parameters.ts';
import type { IndexerBackends } from '#indexer/open-indexer.ts';
import { maskAddresses } from '#records/addresses/scrub-addresses.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { SearchQuery } from '#search/search-query.ts';
import { UsageError } from '#src/command-line/command-line.ts';
import { Problem } from '#src/problem.ts';

/** Reads filters such as `country=US|CA`, which are parameters of the API; null if there are none. */
export function readFilters(filters: readonly string[]): SearchQuery | null {
  if (filters.length === 0) return null;
  const parameters = new URLSearchParams();
  for (const filter of filters) {
    const at = filter.indexOf('=');
    if (at < 1) throw new UsageError('a filter must have the form name=value, such as --filter country=US');
    parameters.append(filter.slice(0, at), filter.slice(at + 1));
  }
  try {
    return toSearchQuery(readParameters(`/?${parameters}`, filterSchema).values);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { errors = [] } = error.extras;
    throw new UsageError(maskAddresses(errors.map(describeFault).join(' ') || error.message));
  }
}

/** The records that a query finds, without suppressed ones; without a query all stored records, also suppressed ones. */
export async function chooseRecords(
  { records, index }: Pick<IndexerBackends, 'records' | 'index'>,
  query: SearchQuery | null,
  onUnreadable?: (count: number) => void,
): Promise<{ total: number; batches: AsyncIterable<readonly MediaRecord[]> }> {
  if (query === null) return { total: await records.count(), batches: records.readAll(onUnreadable) };
  const scan = await index.scan(query);
  return { total: scan.total, batches: scan };
}
