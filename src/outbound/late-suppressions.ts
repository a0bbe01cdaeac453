import type { MediaRecord } from '#records/media-record.ts';
import { type SuppressionList, withoutSuppressed } from '#records/suppression.ts';
import type { RecordScan } from '#search/search-index.ts';

/** For long work on one snapshot of the index: it finds out what was suppressed since it began. */
export type LateSuppressions = Pick<SuppressionList, 'listKeysSince'>;

/** How far another clock may be behind, or how long a suppressed record may still be found, in milliseconds. */
const marginMs = 5 * 60_000;

/** A time before any suppression, so all of them count. */
export const everSince = new Date(0);

/** What is left of a record without what was suppressed since `begun`, as of this moment; null if it is hidden whole. */
export async function findLateSuppressions(
  suppressions: LateSuppressions,
  begun: Date,
): Promise<(record: MediaRecord) => MediaRecord | null> {
  const keys = await suppressions.listKeysSince(new Date(begun.getTime() - marginMs));
  return keys.size === 0 ? (record) => record : (record) => withoutSuppressed(record, keys);
}

/** The records without what was suppressed since `begun`. */
export async function leaveOutSuppressed(
  records: readonly MediaRecord[],
  suppressions: LateSuppressions,
  begun: Date,
): Promise<readonly MediaRecord[]> {
  const visiblePart = await findLateSuppressions(suppressions, begun);
  return records.flatMap((record) => visiblePart(record) ?? []);
}

/** The same scan without what was suppressed since it began. `total` still counts them. */
export function filterSuppressed(scan: RecordScan, suppressions: LateSuppressions, startedAt: Date): RecordScan {
  return {
    total: scan.total,
    close: () => scan.close(),
    async *[Symbol.asyncIterator]() {
      // The engine reads the next batch while the list is asked about this one.
      for await (const batch of scan) yield await leaveOutSuppressed(batch, suppressions, startedAt);
    },
  };
}

/** The same batches without what is suppressed when each of them is read. */
export async function* visibleBatches(
  batches: AsyncIterable<readonly MediaRecord[]>,
  suppressions: LateSuppressions,
): AsyncGenerator<readonly MediaRecord[]> {
  for await (const batch of batches) yield await leaveOutSuppressed(batch, suppressions, everSince);
}
