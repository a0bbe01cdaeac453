import type { MediaRecord } from '#records/media-record.ts';
import type { SuppressionList } from '#records/suppression.ts';
import { isSuppressed } from '#records/suppression.ts';
import type { RecordScan } from '#search/search-index.ts';

/** What work that reads one snapshot and outlasts it asks the list. */
export type LateSuppressions = Pick<SuppressionList, 'listKeysSince'>;

/** Milliseconds that a suppression's clock may be behind, or a record stay visible after it was listed. */
const marginMs = 5 * 60_000;

/** Before there was any suppression. */
export const everSince = new Date(0);

/** Filters out what was suppressed since this work began, according to the current list. */
export async function leaveOutSuppressed(
  records: readonly MediaRecord[],
  suppressions: LateSuppressions,
  begun: Date,
): Promise<readonly MediaRecord[]> {
  const keys = await suppressions.listKeysSince(new Date(begun.getTime() - marginMs));
  return keys.size === 0 ? records : records.filter((record) => !isSuppressed(record, keys));
}

/** The same scan, each batch without what was suppressed since it began; `total` keeps its initial value. */
export function filterSuppressed(scan: RecordScan, suppressions: LateSuppressions, begun: Date): RecordScan {
  return {
    total: scan.total,
    close: () => scan.close(),
    async *[Symbol.asyncIterator]() {
      // The engine reads the next batch while the list is asked about this one.
      for await (const batch of scan) yield await leaveOutSuppressed(batch, suppressions, begun);
    },
  };
}

/** Batches of a store without what is suppressed when they are read. */
export async function* withoutSuppressed(
  batches: AsyncIterable<readonly MediaRecord[]>,
  suppressions: LateSuppressions,
): AsyncGenerator<readonly MediaRecord[]> {
  for await (const batch of batches) yield await leaveOutSuppressed(batch, suppressions, everSince);
}
