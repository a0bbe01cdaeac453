import { isSuppressed, type Suppressible } from '#domain/suppression.ts';
import type { RecordScan } from '#ports/search-index.ts';
import type { SuppressionList } from '#ports/suppression-list.ts';

/** What is asked of the list by work that reads one moment of the data and outlasts it. */
export type LateSuppressions = Pick<SuppressionList, 'listKeysSince'>;

/** So far the clock of whoever suppresses may be behind, or a record be visible after it was listed, in milliseconds. */
const marginMs = 5 * 60_000;

/** Those of the things whose records were not suppressed since this work began, as the list stands now. */
export async function leaveOutSuppressed<Thing>(
  things: readonly Thing[],
  recordOf: (thing: Thing) => Suppressible,
  suppressions: LateSuppressions,
  begun: Date,
): Promise<readonly Thing[]> {
  const keys = await suppressions.listKeysSince(new Date(begun.getTime() - marginMs));
  return keys.size === 0 ? things : things.filter((thing) => !isSuppressed(recordOf(thing), keys));
}

/**
 * The same scan, each batch without what was suppressed since it began; `total` stays as of its beginning. It fails
 * where the list does not answer.
 */
export function heedSuppressions(scan: RecordScan, suppressions: LateSuppressions, begun: Date): RecordScan {
  return {
    total: scan.total,
    close: () => scan.close(),
    async *[Symbol.asyncIterator]() {
      // The engine reads the next batch while the list is asked about this one.
      for await (const batch of scan) yield await leaveOutSuppressed(batch, (record) => record, suppressions, begun);
    },
  };
}
