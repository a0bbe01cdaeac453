import type { MediaRecord } from '#records/media-record.ts';
import type { SuppressionList } from '#records/suppression.ts';
import { isSuppressed } from '#records/suppression.ts';
import type { RecordScan } from '#search/search-index.ts';

/** What work that reads one snapshot and outlasts it asks the list. */
export type LateSuppressions = Pick<SuppressionList, 'listKeysSince'>;

/** Milliseconds that a suppression's clock may be behind, or a record stay visible after it was listed. */
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

/** The keys of all suppressions, for work that outlasts one reading of the list. */
export class SuppressedKeys {
  readonly #list: Pick<SuppressionList, 'list' | 'listKeysSince'>;
  readonly #since = new Date(Date.now() - marginMs);
  #keys: Set<string> | null = null;

  constructor(list: Pick<SuppressionList, 'list' | 'listKeysSince'>) {
    this.#list = list;
  }

  /** The keys as of now: the list is read once, and asked for what was added since every further time. */
  async current(): Promise<ReadonlySet<string>> {
    if (this.#keys === null) this.#keys = new Set((await this.#list.list()).map(({ key }) => key));
    else for (const key of await this.#list.listKeysSince(this.#since)) this.#keys.add(key);
    return this.#keys;
  }
}

/** Batches of a store without what is suppressed when they are read. */
export async function* withoutSuppressed(
  batches: AsyncIterable<readonly MediaRecord[]>,
  list: Pick<SuppressionList, 'list' | 'listKeysSince'>,
): AsyncGenerator<readonly MediaRecord[]> {
  const suppressed = new SuppressedKeys(list);
  for await (const batch of batches) {
    const keys = await suppressed.current();
    yield keys.size === 0 ? batch : batch.filter((record) => !isSuppressed(record, keys));
  }
}
