import type { IdRange, MongoRecordSource, RecordState } from '#backends/mongo/mongo-record-source.ts';

/** Records read at a time. */
const pageSize = 500;

/** The records of a range, page by page; the next is read ahead. */
export async function* readPages(
  source: MongoRecordSource,
  { after, upTo }: IdRange,
): AsyncGenerator<ReadonlyMap<string, RecordState>> {
  let next: Promise<ReadonlyMap<string, RecordState>> | null = source.readRange({ after, upTo }, pageSize);
  while (next !== null) {
    const page: ReadonlyMap<string, RecordState> = await next;
    const last = page.size < pageSize ? undefined : [...page.keys()].at(-1);
    next = last === undefined ? null : source.readRange({ after: last, upTo }, pageSize);
    // A reader that stops early never awaits it, so its error must not be unhandled.
    next?.catch(() => {});
    if (page.size > 0) yield page;
  }
}
