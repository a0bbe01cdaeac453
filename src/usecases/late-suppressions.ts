import type { MediaRecord } from '#domain/media-record.ts';
import { isSuppressed } from '#domain/suppression.ts';
import type { RecordScan } from '#ports/search-index.ts';
import type { SuppressionList } from '#ports/suppression-list.ts';

/** What work that reads one snapshot and outlasts it asks the list. */
export type LateSuppressions = Pick<SuppressionList, 'listKeysSince'>;

/**
 * How far the clock of a suppression may be behind, or how long a record may stay visible after it was listed, in
 * milliseconds.
 */
const marginMs = 5 * 60_000;

/** Filters out what was suppressed since this work began, according to the current list. */
export async function leaveOutSuppressed(
  records: readonly MediaRecord[],
  suppressions: LateSuppressions,
  begun: Date,
): Promise<readonly MediaRecord[]> {
  const keys = await suppressions.listKeysSince(new Date(begun.getTime() - marginMs));
  return keys.size === 0 ? records : records.filter((record) => !isSuppressed(record, keys));
}

/**
 * The same scan, each batch without what was suppressed since it began; `total` keeps its initial value. It fails if
 * the list does not answer.
 */
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
