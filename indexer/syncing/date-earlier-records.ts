import type { ChangeBatch } from '#backends/mongo/mongo-change-stream.ts';
import type { MongoRecordSource } from '#backends/mongo/mongo-record-source.ts';

/** Small, so that changes need not wait long meanwhile. */
const pageSize = 250;

/** Takes the next step if it is time for it. Returns how many records were dated in all once that was the last one. */
type Advance = (batch: ChangeBatch) => Promise<number | null>;

/**
 * Dates the records that earlier versions left, page by page between the batches that the sync follows. A page has its turn
 * when everything is followed that was changed before its ids were read: what another tool has written since the upgrade is
 * then dated already, as a change of now.
 */
export function dateEarlierRecords(source: MongoRecordSource): Advance {
  let page: { ids: readonly string[]; mark: string } | null = null;
  let last = '';
  let dated = 0;
  let isDone = false;
  return async ({ marks }) => {
    if (isDone || (page !== null && !marks.includes(page.mark))) return null;
    if (page !== null) {
      await source.read(page.ids);
      dated += page.ids.length;
    }
    const ids = await source.earlier.listNext(last, pageSize);
    if (ids !== null && ids.length > 0) {
      page = { ids, mark: await source.mark() };
      last = ids.at(-1) ?? last;
      return null;
    }
    isDone = true;
    if (ids === null) return null;
    await source.earlier.noteAllDated();
    return dated;
  };
}
